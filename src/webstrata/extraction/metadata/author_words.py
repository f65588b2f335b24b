"""Words around the names of authors in some forty languages: before a name, after it, and in the place of one."""

from __future__ import annotations

__all__ = ["AFTER", "BEFORE", "BETWEEN", "LABELS", "MONTHS", "NO_NAMES", "ORGANISATIONS", "TRAILING"]

#: Words before a name, in lower case: "by", "author" and "text" in each language, and their usual combinations.
BEFORE = (
    *("by", "written by", "posted by", "published by", "reviewed by", "edited by", "story by", "words by", "text by"),
    *(
        "authored by",
        "this post was written by",
        "this article was written by",
        "article written by",
        "medically reviewed by",
    ),
    *("autorin/autor", "autor/autorin", "autor/in", "autor:in", "autor*in", "author name", "interview"),
    *("articles by", "posts by", "more by", "submitted by", "added by", "uploaded by", "interview by", "about"),
    *("eingestellt von", "beitrag von", "artikel von", "eingetragen von", "hochgeladen von", "zum profil von"),
    *("article de", "proposé par", "artículo de", "reportaje de", "articolo a cura di", "artykuł", "dodane przez"),
    *("article by", "created by", "recipe by", "started by", "contributed by", "view all posts by", "reported by"),
    *(
        "author",
        "authors",
        "about the author",
        "staff writer",
        "opinion by",
        "analysis by",
        "review by",
        "guest post by",
    ),
    *("von", "geschrieben von", "verfasst von", "ein kommentar von", "kommentar von", "eine analyse von", "text von"),
    *("ein gastbeitrag von", "interview von", "gastbeitrag von", "autor", "autorin", "autoren", "redaktion", "text"),
    *("veröffentlicht von", "erstellt von", "publiziert von", "ein beitrag von", "bericht von"),
    *("par", "écrit par", "rédigé par", "publié par", "auteur", "auteure", "auteurs", "propos recueillis par", "texte"),
    *("por", "escrito por", "publicado por", "autora", "autores", "texto", "redacción", "redação", "postado por"),
    *("di", "a cura di", "scritto da", "pubblicato da", "autore", "articolo di", "testo di", "da"),
    *("door", "geschreven door", "geplaatst door", "tekst", "av", "skriven av", "publicerad av", "skrevet av"),
    *("publisert av", "af", "skrevet af", "tekst af", "forfatter", "skribent", "journalist", "kirjoittanut"),
    *("kirjoittaja", "teksti", "toimittaja", "höfundur", "autorka", "napisał", "napisała", "opracował", "opracowała"),
    *("dodał", "przez", "autoři", "napsal", "napsala", "od", "napísal", "napísala", "írta", "szerző", "szerzők"),
    *("szöveg", "scris de", "de", "publicat de", "redactor", "piše", "pišu", "napisao", "napisala", "objavio", "avtor"),
    *("автор", "автори", "авторы", "текст", "автор текста", "от", "від", "пише", "аўтар", "συντάκτης", "του", "της"),
    *("από", "γράφει ο", "γράφει η", "επιμέλεια", "yazan", "yazar", "haber", "müəllif", "yazdı"),
    *("بقلم", "كتب", "كتبت", "الكاتب", "المحرر", "تحرير", "إعداد", "نویسنده", "به قلم", "تحریر", "از"),
    *("מאת", "כתב", "כתבה", "लेखक", "द्वारा", "रिपोर्ट", "লেখক", "โดย", "เขียนโดย", "ผู้เขียน", "bởi", "theo", "tác giả"),
    *("oleh", "penulis", "editor", "reporter", "ditulis oleh", "mwandishi", "na", "per", "escrit per", "egilea"),
    *("autorius", "parengė", "autors", "teksts", "kirjutas", "toimetaja", "deur", "nga", "autori", "ავტორი", "հեղինակ"),
    *(
        "作者",
        "文",
        "撰文",
        "记者",
        "記者",
        "责任编辑",
        "責任編輯",
        "责编",
        "编辑",
        "編輯",
        "来源",
        "來源",
        "采写",
        "撰稿",
    ),
    *("著者", "執筆", "執筆者", "筆者", "ライター", "投稿者", "取材・文", "取材", "글", "작성자", "기자", "저자"),
)

#: Words between two names.
BETWEEN = "and & und et y e i en og och ja ve és și si a și и та і й و ו και en".split()

#: Words after a name, which are not a part of it.
AFTER = "記者 记者 기자 著 氏 特派員 编辑 撰 tarafından द्वारा".split()

#: Words after a name that lead to a date or a quotation, in lower case.
TRAILING = "am um vom le den dne dnia on at says said wrote schreibt schrieb sagt meint".split()

#: Names of months, which a page writes after the name of an author.
MONTHS = "January February March April May June July August September October November December".split()

#: Words of forms, buttons, dates and labels, which no name of an author has, in lower case.
NO_NAMES = frozenset(
    "login logout signin signup register subscribe subscribed newsletter password username e-mail email mail comment"
    " comments reply replies share tweet print menu home search advertisement sponsored cookie cookies privacy follow"
    " permalink skip content views minutes min read reading updated published posted modified joined members guest"
    " untitled anmelden anmeldung registrieren passwort benutzername kommentar kommentare teilen drucken startseite"
    " suche abonnieren veröffentlicht publiziert aktualisiert lesezeit minuten uhr stand e-mail-adresse mehr"
    " weiterlesen connexion inscription partager imprimer commentaires commentaire accueil recherche abonnez publié"
    " lecture iniciar sesión contraseña compartir imprimir comentarios comentario publicado actualizado lectura minutos"
    " accedi registrati condividi stampa commenti pubblicato aggiornato lettura entrar cadastro compartilhar"
    " comentários atualizado leitura inloggen registreren delen reacties gepubliceerd bijgewerkt leestijd"
    " logga prenumerera dela publicerad uppdaterad kommentarer publisert oppdatert del opdateret udgivet julkaistu"
    " päivitetty zaloguj zarejestruj udostępnij komentarze opublikowano aktualizacja přihlásit sdílet komentáře"
    " publikováno bejelentkezés megosztás войти регистрация поделиться комментарии комментариев опубликовано обновлено"
    " увійти поділитися коментарі опубліковано giriş üye paylaş yorum yorumlar yayınlanma güncelleme eklenme"
    " erstellt eingestellt geschrieben gepostet hinzugefügt zurück springen inhalt inhalte inhaltsverzeichnis youtube"
    " facebook twitter instagram linkedin pinterest tiktok bluesky mastodon whatsapp telegram rss bewertungen bewertung"
    " bewerten merken beiträge beitrag ähnliche fragen termine quelle impressum kontakt navigation contents download"
    " reviews products catalog skip loading click here faq faqs guide trial jump gallery category categories archives"
    " related popular latest previous next what why how when where which your our started videos bilder fotos źródło"
    " zdjęcie suivez voir toutes todas leggi crédit immutable wiki"
    " 登录 注册 分享 评论 订阅 ログイン 登録 シェア コメント 로그인 회원가입 공유 댓글 تسجيل مشاركة תגובות".split()
)

#: Labels of boxes, lists and parts of a page, in lower case: no names as a whole, though a name may have such a word.
LABELS = frozenset(
    "note notes tip tips hint warning caution danger important attention info information overview summary introduction"
    " example examples abstract prerequisites requirements results filter filters hinweis tipp achtung wichtig"
    " einleitung überblick zusammenfassung remarque avertissement résumé consejo aviso atención resumen ejemplo avviso"
    " attenzione riassunto uwaga wskazówka opmerking samenvatting примечание внимание введение 注意 提示 概要".split()
) | {
    *("sort by", "sorted by", "order by", "filter by", "group by", "view by", "show all", "sortieren nach"),
    *("trier par", "ordenar por", "ordina per", "sorteer op", "sortera efter", "sortuj według", "please note"),
}

#: Words of the names of organisations, in lower case.
ORGANISATIONS = frozenset(
    "team staff news agency press media group inc ltd llc gmbh redaktion editors editorial desk newsroom magazine"
    " reuters afp dpa ap associated bureau department university institute association company redacción redazione"
    " rédaction redactie redakcja redakce redaktion toimitus редакция agentur agence agenzia agencia online times post"
    " daily journal report wire tv radio network foundation center centre council board committee admin support".split()
)
