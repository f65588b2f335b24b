"""The names of months in fifty languages, from the Unicode CLDR (`babel`), in lower case and without full stops."""

from __future__ import annotations

__all__ = ["MONTHS", "month_of"]

_NAMES = {
    1: (
        "ean eanáir ene enero gen gener gennaio genver ian ianuarie ion ionawr jaan jaanuar jan janar janeiro januar"
        " januari januarie january januwari január januára janv janvier janvāris janúar led leden ledna oca ocak saus"
        " sausio sausis sij siječanj siječnja sty styczeń stycznia tammi tammikuu tammikuuta urt urtarrila xan xaneiro"
        " yan yanvar ιαν ιανουάριοσ ιανουαρίου сту студзень студзеня січ січень січня янв январь января яну януари јан"
        " јануар јануари қаң қаңтар հնվ հունվար հունվարի ינו ינואר ינו׳ جنوری يناير ژانویه ژانویهٔ जनवरी जन॰ जाने"
        " जानेवारी জানু জানুয়ারী ஜனவரி జనవరి ม.ค มกราคม იან იანვარი"
    ),
    2: (
        "chw chwef chwefror cʼhwe cʼhwevrer feabh feabhra feb febbraio febr febreiro febrer febrero februar februari"
        " februarie february februwari február februára februāris febrúar fev fevereiro fevral févr février helmi"
        " helmikuu helmikuuta lut lutego luty ots otsaila shk shkurt vas vasario vasaris veebr veebruar velj veljača"
        " veljače úno únor února şub şubat φεβ φεβρουάριοσ φεβρουαρίου ақп ақпан лют лютага лютий лютого люты феб"
        " фебруар фев февр февраль февраля февруари փետրվար փետրվարի փտվ פברואר פבר׳ شباط فبراير فروری فوریه فوریهٔ"
        " फ़रवरी फ़र॰ फेब्रु फेब्रुवारी ফেব ফেব্রুয়ারী பிப் பிப்ரவரி ఫిబ్ర ఫిబ్రవరి ก.พ กุมภาพันธ์ თებ თებერვალი"
    ),
    3: (
        "bře březen března kov kovas kovo maalis maaliskuu maaliskuuta maart mac machi mar marca march marec maret"
        " mars mart martie marts martxoa marzec marzo març março mas mashi maw mawrth meur meurzh mrt mrz márc március"
        " márta mäe mäerz mär märts märz ožu ožujak ožujka μάρ μάρτιοσ μαρ μαρτίου бер березень березня мар март марта"
        " нау наурыз сак сакавік сакавіка մարտ մարտի մրտ מרץ آذار مارس مارچ मार्च মার্চ மார் மார்ச் మార్చి มี.ค มีนาคม"
        " მარ მარტი"
    ),
    4: (
        "abr abril abrëll aib aibreán api apirila apr aprel april aprile aprili aprilie aprill apríl apríla aprīlis"
        " avr avril bal balandis balandžio dub duben dubna d’abr d’abril ebr ebrel ebrill eph ephreli huhti huhtikuu"
        " huhtikuuta kwi kwiecień kwietnia nis nisan pri prill tra travanj travnja ápr április απρ απρίλιοσ απριλίου"
        " апр апрель апреля април квіт квітень квітня кра красавік красавіка сәу сәуір ապր ապրիլ ապրիլի אפריל אפר׳"
        " آوریل أبريل اپریل نيسان अप्रैल एप्रि एप्रिल এপ্রি এপ্রিল ஏப் ஏப்ரல் ఏప్రి ఏప్రిల్ เม.ย เมษายน აპრ აპრილი"
    ),
    5: (
        "beal bealtaine geg gegužė gegužės kvě květen května mae mag maggio mai maiatza maig maijs maio maj maja may"
        " mayo mayıs maí mee mei mey meyi máj mája május svi svibanj svibnja touko toukokuu toukokuuta μάι μάιοσ μαΐ"
        " μαΐου май मई мам мамыр мая мај трав травень травня մայիս մայիսի մյս מאי أيار مئی ماي مايو مهٔ พ.ค พฤษภาคม მაი"
        " მაისი मे মে மே మే"
    ),
    6: (
        "birž birželio birželis cze czerwca czerwiec eka ekaina giu giugno haz haziran iun iunie iyn iyun juin jun"
        " june junho juni junie junij junio juny juuni jún júna június júní jūn jūnijs kesä kesäkuu kesäkuuta lipanj"
        " lipnja meh mehefin meith meitheamh mezh mezheven qer qershor xuño červen června čvn ιουν ιουνίου ιούν"
        " ιούνιοσ июн июнь июня мау маусым черв червень червня чэр чэрвень чэрвеня юни јун јуни հնս հունիս հունիսի"
        " יוני جون حزيران يونيو ژوئن जून জুন ஜூன் జూన్ มิ.ย มิถุนายน ივნ ივნისი"
    ),
    7: (
        "gor gorff gorffennaf goue gouere heinä heinäkuu heinäkuuta iul iulie iyl iyul iúil juil juillet jul julai"
        " julayi julho juli julie julij julio juliol july juuli júl júla július júlí jūl jūlijs korr korrik liep liepa"
        " liepos lip lipca lipiec lug luglio srpanj srpnja tem temmuz uzt uztaila xul xullo července červenec čvc ιουλ"
        " ιουλίου ιούλ ιούλιοσ июл июль июля лип липень липня ліп ліпень ліпеня шіл шілде юли јул јули հլս հուլիս"
        " հուլիսի יולי تموز جولائی يوليو يوليوز ژوئیه ژوئیهٔ जुलाई जुलै जुल॰ জুল জুলাই ஜூலை జులై ก.ค กรกฎาคม ივლ"
        " ივლისი"
    ),
    8: (
        "abu abuztua aga agasti ago agost agosti agosto agu agustus août aug august augusta augusti augusts augustus"
        " augusztus avg avgust avq avqust awst ağu ağustos d’ag d’agost elo elokuu elokuuta eost gush gusht kol"
        " kolovoz kolovoza lún lúnasa ogo ogos rugp rugpjūtis rugpjūčio sie sierpień sierpnia srp srpen srpna ágú"
        " ágúst αυγ αυγούστου αύγ αύγουστοσ авг август августа жні жнівень жніўня серп серпень серпня там тамыз"
        " օգոստոս օգոստոսի օգս אוגוסט אוג׳ أغسطس اوت اگست غشت अगस्त अग॰ ऑगस्ट আগস্ট ஆகஸ்ட் ఆగస్టు ส.ค สิงหาคม აგვ"
        " აგვისტო"
    ),
    9: (
        "eyl eylül gwen gwengolo ira iraila medi mfómh rugs rugsėjis rugsėjo ruj rujan rujna sen sentyabr sep sept"
        " septemba septembar september septembra septembre septembrie septembris septhemba septiembre set setembre"
        " setembro sett settembre sht shtator syys syyskuu syyskuuta szept szeptember wrz wrzesień września zář září"
        " σεπ σεπτέμβριοσ σεπτεμβρίου вер верасень верасня вересень вересня сент сентябрь сентября сеп септембар"
        " септември қыр қыркүйек սեպ սեպտեմբեր սեպտեմբերի ספטמבר ספט׳ أيلول سبتمبر ستمبر سپتامبر شتنبر सप्टें सप्टेंबर"
        " सितंबर सित॰ সেপ সেপ্টেম্বর செப் செப்டம்பர் సెప్టెం సెప్టెంబర్ ก.ย กันยายน სექ სექტემბერი"
    ),
    10: (
        "dfómh d’oct d’octubre eki ekim here hyd hydref loka lokakuu lokakuuta oct october octobre octombrie octubre"
        " okt okthoba oktoba oktobar oktober oktobris oktoober oktyabr október októbra ott ottobre out outubro paź"
        " październik października spal spalio spalis tet tetor urr urria říj říjen října οκτ οκτωβρίου οκτώβριοσ жовт"
        " жовтень жовтня кас кастрычнік кастрычніка окт октобар октомври октябрь октября қаз қазан հոկ հոկտեմբեր"
        " հոկտեմբերի אוקטובר אוק׳ أكتوبر اکتبر اکتوبر अक्टूबर अक्टू॰ ऑक्टो ऑक्टोबर অক্টো অক্টোবর அக் அக்டோபர் అక్టో"
        " అక్టోబర్ ต.ค ตุลาคม ოქტ ოქტომბერი"
    ),
    11: (
        "aza azaroa kas kasım lapkr lapkritis lapkričio lis listopad listopada listopadu marras marraskuu marraskuuta"
        " noiembrie nov novemba novembar november novembra novembre novembris novembro noviembre noy noyabr nën nëntor"
        " nóv nóvember samh samhain stu studeni studenoga tach tachwedd νοέ νοέμβριοσ νοε νοεμβρίου лист листопад"
        " листопада ліс лістапад лістапада нов новембар ное ноември ноя нояб ноябрь ноября қар қараша նոյ նոյեմբեր"
        " նոյեմբերի נובמבר נוב׳ نوامبر نوفمبر نومبر نونبر नवंबर नव॰ नोव्हें नोव्हेंबर নভে নভেম্বর நவம்பர் నవం నవంబర్"
        " พ.ย พฤศจิกายน ნოე ნოემბერი"
    ),
    12: (
        "abe abendua ara aralık dec decembar december decembra decembrie decembris decembro dek dekabr des desemba"
        " desember desembre dets detsember dez dezember dezembro dhj dhjetor dic dicembre diciembre dis disemba"
        " disember déc décembre gru grudnia grudzień gruod gruodis gruodžio joulu joulukuu joulukuuta kerzu kzu noll"
        " nollaig pro prosinac prosinca prosince prosinec rhag rhagfyr δεκ δεκέμβριοσ δεκεμβρίου груд грудень грудня"
        " дек декабрь декабря декември дец децембар жел желтоқсан сне снежань снежня դեկ դեկտեմբեր դեկտեմբերի דצמבר"
        " דצמ׳ دجنبر دسامبر دسمبر ديسمبر डिसें डिसेंबर दिसंबर दिस॰ ডিসে ডিসেম্বর டிச டிசம்பர் డిసెం డిసెంబర్ ธ.ค"
        " ธันวาคม დეკ დეკემბერი"
    ),
}
#: The month of each name.
MONTHS = {name: month for month, names in _NAMES.items() for name in names.split()}
# Croatian and Polish use the same names for other months.
_CROATIAN = {"listopad": 10, "listopada": 10, "lis": 10, "lip": 6, "srp": 7}


def month_of(name: str, language: str = "") -> int:
    """The number of a month by its name; 0 for another word.

    >>> month_of("Mai"), month_of("Sept."), month_of("\u043c\u0430\u044f"), month_of("listopada", "hr"), month_of("Ada")
    (5, 9, 5, 10, 0)
    """
    word = name.casefold().rstrip(".").replace("\u200f", "").replace("\u200d", "")
    if language == "hr" and word in _CROATIAN:
        return _CROATIAN[word]
    # Hebrew writes "in" before the name, as one word.
    return MONTHS.get(word) or MONTHS.get(word.removeprefix("\u05d1"), 0)
