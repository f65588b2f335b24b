"""Names of authors beside their labels in Chinese, Japanese and Korean, at the beginning or the end of an article."""

from __future__ import annotations

import re

__all__ = ["east_asian_names"]

# Most texts have none of these letters, and are not searched further.
_LETTERS = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_HAN = "[\u4e00-\u9fff·]{2,4}"
_SEVERAL_HAN = rf"{_HAN}(?:[、，,\s]\s?{_HAN}){{0,4}}"
# Names in Japanese are longer, and may have kana.
_JAPANESE = "[\u4e00-\u9fff\u3041-\u30ff]{2,8}"
_FORMS = (
    # Labels before names: 作者：林晓禾 or 本报记者 林晓禾、王地.
    re.compile(
        r"(?:(?:作者|责编|责任编辑|責任編輯|编辑|編輯|记者|記者|撰文|采写|採訪|通讯员|通訊員|撰稿|撰稿人|撰文者|编译|編譯|整理|发布者|發布者|文)"
        r"\s?[:：/／|｜]|(?:本报|本報|本刊|本社|本网|新华社|中新社|见习|实习|特约)?(?:记者|記者|通讯员)[ \u3000])\s?"
        rf"({_SEVERAL_HAN})(?![\u4e00-\u9fff])"
    ),
    # A reporter between brackets, or before the place: （记者林晓禾、王地） or 記者林曉禾／台北報導.
    re.compile(rf"[（(](?:\w{{2,4}})?(?:记者|記者)\s?({_SEVERAL_HAN})[)）]"),
    re.compile(rf"(?:记者|記者)\s?({_SEVERAL_HAN})\s?[／/]\s?[\u4e00-\u9fff]{{2,6}}(?:報導|报道|報道|電|电|訊|讯)"),
    re.compile(
        rf"(?:著者|執筆者?|筆者|取材・文|文責|ライター|投稿者)\s?[:：/／＝=]\s?({_JAPANESE}(?:[、・]\s?{_JAPANESE}){{0,4}})"
    ),
    # Korean writes the title after the name.
    re.compile(
        r"(?:^|[\s(=\]])([\uac00-\ud7af]{2,4})\s(?:기자|특파원|논설위원|선임기자)(?![\uac00-\ud7af])"
        r"|(?:글쓴이|지은이|저자|작성자|글)\s?[:：=]\s?([\uac00-\ud7af]{2,4})(?![\uac00-\ud7af])",
        re.MULTILINE,
    ),
    # Japanese newspapers end with names between brackets.
    re.compile(rf"【({_JAPANESE}(?:、{_JAPANESE}){{0,4}})】\s*$", re.MULTILINE),
)


def east_asian_names(text: str) -> str:
    """The first names with a label, or "".

    >>> east_asian_names("新华社北京5月17日电（记者林晓禾、王地）"), east_asian_names("[서울] 홍길동 기자 = ")
    ('林晓禾、王地', '홍길동')
    """
    if not _LETTERS.search(text):
        return ""
    found = next((match for form in _FORMS if (match := form.search(text))), None)
    return found[found.lastindex or 1] if found else ""
