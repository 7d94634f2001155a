/* stop.c - words that carry no content, by language: function words, and words
 * that questions are made of.  Lowercase, without accents, sorted.
 *
 * The same lists tell languages apart, so they hold the frequent function words
 * rather than all. */
#include <stdlib.h>

#include "language/analyse.h"

// clang-format off
static const char *const english[] = {
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "being", "but", "by", "can", "could", "d", "describe", "described",
    "describes", "did", "do", "does", "doing", "don", "done", "explain",
    "explained", "explains", "for", "from", "gave", "give", "given", "gives",
    "had", "happen", "happened", "happens", "has", "have", "having", "he",
    "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it",
    "its", "itself", "just", "know", "let", "like", "ll", "m", "many", "may",
    "me", "mean", "means", "might", "much", "must", "my", "of", "on", "or",
    "our", "please", "re", "s", "said", "say", "says", "shall", "she",
    "should", "show", "showed", "showing", "shown", "shows", "so", "some",
    "such", "t", "tell", "tells", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "told", "us",
    "ve", "was", "we", "were", "what", "when", "where", "whether", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your",
};
static const char *const spanish[] = {
    "a", "al", "algo", "alguna", "algunas", "alguno", "algunos", "ante",
    "como", "con", "cual", "cuales", "cuando", "cuanta", "cuantas", "cuanto",
    "cuantos", "de", "del", "desde", "donde", "e", "el", "ella", "ellas",
    "ellos", "en", "entre", "era", "eran", "eres", "es", "esa", "esas", "ese",
    "eso", "esos", "esta", "estaba", "estan", "estar", "estas", "este", "esto",
    "estos", "explica", "explicar", "fue", "fueron", "ha", "haber", "habia",
    "hace", "hacer", "han", "hasta", "hay", "he", "la", "las", "le", "les",
    "lo", "los", "mas", "me", "mi", "mis", "muy", "ni", "no", "nos", "o",
    "para", "pero", "por", "porque", "puede", "pueden", "puedo", "que",
    "quien", "quienes", "se", "sea", "ser", "si", "sin", "sobre", "son", "su",
    "sus", "tambien", "te", "tiene", "tienen", "tu", "tus", "u", "un", "una",
    "unas", "uno", "unos", "y", "ya", "yo",
};
static const char *const german[] = {
    "aber", "als", "also", "am", "an", "auch", "auf", "aus", "bei", "beim",
    "bin", "bis", "bist", "bitte", "da", "damit", "das", "dass", "dein",
    "deine", "dem", "den", "denn", "der", "des", "dich", "die", "dies",
    "diese", "diesem", "diesen", "dieser", "dieses", "dir", "du", "durch",
    "ein", "eine", "einem", "einen", "einer", "eines", "er", "erklare",
    "erklaren", "es", "fur", "gibt", "hat", "hatte", "hatten", "ich", "ihm",
    "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "in",
    "ins", "ist", "ja", "kann", "kannst", "konnen", "man", "mein", "meine",
    "mich", "mir", "mit", "nach", "nicht", "noch", "nur", "ob", "oder", "sein",
    "seine", "seinem", "seinen", "seiner", "sich", "sie", "sind", "so", "uber",
    "um", "und", "uns", "unser", "unter", "vom", "von", "vor", "war", "waren",
    "warum", "was", "welche", "welchem", "welchen", "welcher", "welches",
    "wenn", "wer", "werden", "wie", "wieso", "wir", "wird", "wo", "wurde",
    "wurden", "zu", "zum", "zur",
};
static const char *const french[] = {
    "a", "ai", "au", "aux", "avec", "avez", "avoir", "c", "ca", "ce", "ces",
    "cet", "cette", "comme", "comment", "d", "dans", "de", "des", "donc", "du",
    "elle", "elles", "en", "est", "et", "etaient", "etait", "etre", "eux",
    "expliquer", "expliquez", "fait", "font", "il", "ils", "j", "je", "l",
    "la", "le", "les", "leur", "leurs", "lui", "m", "ma", "mais", "me", "mes",
    "moi", "mon", "n", "ne", "nos", "notre", "nous", "on", "ont", "ou", "par",
    "pas", "peut", "peuvent", "plus", "pour", "pourquoi", "qu", "quand", "que",
    "quel", "quelle", "quelles", "quels", "qui", "quoi", "s", "sa", "sans",
    "se", "ses", "si", "son", "sont", "sous", "sur", "t", "ta", "te", "tes",
    "toi", "ton", "tu", "un", "une", "vos", "votre", "vous", "y",
};
static const char *const italian[] = {
    "a", "ad", "agli", "ai", "al", "alla", "alle", "allo", "anche", "c", "che",
    "chi", "ci", "come", "con", "cosa", "d", "da", "dagli", "dai", "dal",
    "dalla", "dalle", "degli", "dei", "del", "dell", "della", "delle", "dello",
    "di", "dove", "e", "ed", "era", "erano", "fu", "gli", "ha", "hanno", "ho",
    "i", "il", "in", "io", "l", "la", "le", "lei", "li", "lo", "loro", "lui",
    "ma", "me", "mi", "mia", "mio", "ne", "negli", "nei", "nel", "nell",
    "nella", "nelle", "noi", "non", "o", "per", "perche", "piu", "puo",
    "quale", "quali", "quando", "quanti", "quanto", "quella", "quelle",
    "quelli", "quello", "questa", "queste", "questi", "questo", "qui", "se",
    "si", "sia", "sono", "spiega", "su", "sua", "sue", "sugli", "sui", "sul",
    "sulla", "sulle", "suo", "suoi", "tra", "tu", "un", "una", "uno", "vi",
    "voi",
};
static const char *const portuguese[] = {
    "a", "ao", "aos", "as", "ate", "com", "como", "da", "das", "de", "dela",
    "dele", "deles", "depois", "do", "dos", "e", "ela", "elas", "ele", "eles",
    "em", "entre", "era", "eram", "essa", "essas", "esse", "esses", "esta",
    "estao", "estas", "este", "estes", "eu", "explique", "foi", "foram", "ha",
    "isso", "isto", "ja", "lhe", "mais", "mas", "me", "mesmo", "meu", "minha",
    "muito", "na", "nao", "nas", "nem", "no", "nos", "num", "numa", "o", "onde",
    "os", "ou", "para", "pela", "pelas", "pelo", "pelos", "pode", "podem",
    "por", "porque", "qual", "quais", "quando", "quanto", "que", "quem", "sao",
    "se", "sem", "ser", "seu", "seus", "so", "sua", "suas", "tambem", "te",
    "tem", "ter", "um", "uma", "umas", "uns", "voce", "voces",
};
static const char *const dutch[] = {
    "aan", "al", "als", "bij", "dan", "dat", "de", "der", "deze", "die", "dit",
    "doen", "door", "dus", "een", "en", "er", "ge", "geen", "haar", "had",
    "hadden", "heb", "hebben", "heeft", "hem", "het", "hij", "hoe", "hun",
    "ik", "in", "is", "ja", "je", "jij", "kan", "kun", "kunnen", "maar", "me",
    "men", "met", "mij", "mijn", "moet", "na", "naar", "niet", "nog", "nu",
    "of", "om", "omdat", "ons", "onze", "ook", "op", "over", "te", "tegen",
    "toch", "toen", "tot", "u", "uit", "uw", "van", "veel", "voor", "waar",
    "waarom", "wanneer", "waren", "was", "wat", "we", "wel", "welk", "welke",
    "werd", "wie", "wij", "worden", "wordt", "zal", "ze", "zich", "zij",
    "zijn", "zo", "zou",
};

static const char *const russian[] = {
    "без", "бы", "был", "была", "были", "было", "быть", "в", "вам", "вас",
    "во", "вот", "все", "всех", "вы", "где", "да", "для", "до", "его", "ее",
    "если", "есть", "еще", "же", "за", "и", "из", "или", "им", "их", "к",
    "как", "какая", "какие", "каким", "каких", "какого", "какое", "какой",
    "какую", "ко", "когда", "кого", "которая", "которые", "который", "кто",
    "куда", "ли", "между", "меня", "мне", "много", "мы", "на", "над", "нам",
    "нас", "не", "него", "нее", "ней", "нет", "ни", "них", "но", "о", "об",
    "он", "она", "они", "оно", "от", "по", "под", "почему", "при", "про", "с",
    "сколько", "со", "так", "также", "там", "то", "только", "у", "уже",
    "чего", "чей", "чем", "что", "чтобы", "эта", "эти", "это", "этого",
    "этой", "этом", "этот", "я",
};
static const char *const arabic[] = {
    "أن", "أو", "أي", "أين", "إلى", "إن", "التي", "الذي", "الذين", "بعد",
    "بين", "تلك", "تم", "ذلك", "على", "عن", "عند", "في", "فيها", "قبل", "قد",
    "كان", "كانت", "كل", "كم", "كيف", "لا", "لم", "لماذا", "لن", "له", "لها",
    "ما", "ماذا", "متى", "مع", "من", "منها", "هذا", "هذه", "هل", "هم", "هو",
    "هي", "و", "ولا", "ومن", "يكون",
};
static const char *const greek[] = {
    "αλλα", "αν", "απο", "αυτα", "αυτη", "αυτο", "αυτοσ", "για", "γιατι",
    "δεν", "ειναι", "εχει", "εχουν", "η", "ηταν", "θα", "και", "κατα", "με",
    "μετα", "μια", "να", "ο", "οι", "οπωσ", "οταν", "οτι", "ποια", "ποιεσ",
    "ποιο", "ποιοι", "ποιοσ", "ποσα", "ποσο", "που", "προσ", "πωσ", "σε",
    "στα", "στη", "στην", "στο", "στον", "στουσ", "τα", "τη", "την", "τησ",
    "τι", "τισ", "το", "τον", "του", "τουσ", "των", "ωσ",
};
static const char *const armenian[] = {
    "այդ", "այն", "այս", "եմ", "են", "ես", "երբ", "եւ", "է", "թե", "ինչ",
    "ինչպես", "իր", "համար", "հետ", "մեջ", "մի", "նա", "ով", "որ", "որը",
    "որտեղ", "ու", "և",
};
static const char *const hindi[] = {
    "अपने", "इस", "उस", "एक", "और", "कब", "कर", "करने", "कहाँ", "का", "कि",
    "कितना", "कितने", "किया", "किस", "की", "के", "कैसे", "को", "कौन", "क्या",
    "क्यों", "गया", "जा", "जो", "तो", "था", "थी", "थे", "नहीं", "ने", "पर",
    "भी", "में", "यह", "या", "ये", "लिए", "वह", "वे", "साथ", "से", "ही", "है",
    "हैं", "हो", "होता", "होती", "होते",
};
static const char *const nepali[] = {
    "कति", "कसरी", "कहाँ", "का", "किन", "की", "कुन", "के", "को", "गरेको",
    "गर्न", "छ", "छन", "तर", "त्यो", "थियो", "पनि", "बाट", "भएको", "मा", "यो",
    "र", "लाई", "लागि", "ले", "संग", "हुन्छ", "हो",
};
static const char *const tamil[] = {
    "அது", "அந்த", "அல்லது", "ஆகும்", "இது", "இந்த", "இருந்து", "உள்ள",
    "எங்கே", "எந்த", "என்ன", "என்று", "எப்படி", "எப்போது", "ஏன்", "ஒரு",
    "தான்", "மற்றும்", "மிக", "யார்",
};
static const char *const yiddish[] = {
    "א", "אויף", "און", "אז", "איז", "איך", "אין", "אן", "דאס", "די", "דעם",
    "דער", "וואו", "וואס", "ווי", "ווען", "ווער", "זי", "זיי", "מיט", "מיר",
    "נישט", "ער", "פון", "צו",
};
static const char *const serbian[] = {
    "ali", "bila", "bio", "da", "do", "gde", "i", "ili", "iz", "je", "kada",
    "kako", "kao", "ko", "koja", "koje", "koji", "koliko", "na", "nije", "od",
    "ovo", "po", "sa", "se", "sta", "sto", "su", "ta", "taj", "u", "za",
    "zasto", "али", "била", "био", "где", "да", "до", "за", "зашто", "и",
    "из", "или", "када", "како", "као", "ко", "колико", "која", "које",
    "који", "на", "није", "од", "по", "са", "се", "су", "у", "шта", "што",
    "је",
};
static const char *const swedish[] = {
    "alla", "allt", "att", "av", "bara", "blev", "bli", "blir", "de", "dem",
    "den", "denna", "deras", "dess", "dessa", "det", "detta", "dig", "din",
    "du", "efter", "eller", "en", "ett", "for", "fran", "ha", "hade", "han",
    "hans", "har", "hon", "hur", "i", "icke", "in", "inte", "jag", "kan",
    "kunde", "man", "med", "mellan", "men", "mig", "min", "mot", "mycket",
    "nagot", "nagra", "nar", "nej", "och", "om", "oss", "pa", "samma",
    "sedan", "sig", "sin", "sina", "sitt", "ska", "skulle", "som", "till",
    "under", "upp", "ut", "utan", "vad", "var", "vara", "varfor", "vem", "vi",
    "vid", "vilka", "vilken", "vilket", "vill",
};
static const char *const danish[] = {
    "af", "alle", "at", "blev", "blive", "bliver", "da", "de", "dem", "den",
    "denne", "der", "deres", "det", "dette", "dig", "din", "disse", "du",
    "efter", "eller", "en", "er", "et", "for", "fra", "ha", "han", "hans",
    "har", "havde", "hun", "hvad", "hvem", "hvilke", "hvilken", "hvilket",
    "hvis", "hvor", "hvordan", "hvorfor", "hvornar", "i", "ikke", "ind",
    "jeg", "kan", "kunne", "man", "mange", "med", "men", "mig", "min", "mod",
    "nar", "ned", "noget", "nogle", "nu", "og", "om", "op", "os", "over",
    "pa", "sig", "sin", "skal", "skulle", "som", "til", "ud", "under",
    "vaere", "vaeret", "var", "ved", "vi", "vil", "ville",
};
static const char *const norwegian[] = {
    "alle", "at", "av", "ble", "bli", "blir", "da", "de", "dem", "den",
    "denne", "der", "deres", "det", "dette", "din", "disse", "du", "eller",
    "en", "er", "et", "etter", "for", "fra", "ha", "hadde", "han", "hans",
    "har", "hun", "hva", "hvem", "hvilke", "hvilken", "hvilket", "hvis",
    "hvor", "hvordan", "hvorfor", "i", "ikke", "inn", "jeg", "kan", "kunne",
    "man", "mange", "med", "meg", "mellom", "men", "mot", "na", "ned", "noe",
    "noen", "og", "om", "opp", "oss", "over", "pa", "seg", "sin", "skal",
    "skulle", "som", "til", "under", "ut", "vaere", "vaert", "var", "ved",
    "vi", "vil", "ville",
};
static const char *const finnish[] = {
    "ei", "eivat", "ennen", "etta", "han", "hanen", "ja", "jo", "joita",
    "joka", "joko", "jos", "jossa", "jota", "joten", "jotka", "kaikki",
    "kanssa", "koska", "kuin", "kuinka", "kuka", "kun", "me", "mika", "miksi",
    "millainen", "milloin", "minka", "missa", "mista", "mita", "mitka",
    "monta", "mukaan", "mutta", "myos", "ne", "niiden", "niin", "niita",
    "nyt", "oli", "olisi", "olivat", "olla", "ollut", "on", "ovat", "se",
    "seka", "sen", "siihen", "sille", "sita", "tai", "tama", "taman", "tassa",
    "tata", "tuo", "vaan", "vai", "vain", "viela", "voi",
};
static const char *const hungarian[] = {
    "a", "abban", "ahhoz", "aki", "akik", "amely", "amelyek", "ami", "amikor",
    "annak", "arra", "az", "azok", "azt", "be", "belul", "csak", "de", "e",
    "egy", "ekkor", "el", "elso", "en", "ennek", "erre", "es", "ez", "ezek",
    "ezt", "fel", "ha", "hanem", "hany", "hogy", "hogyan", "hol", "honnan",
    "igy", "is", "itt", "ki", "kik", "kit", "le", "lehet", "lesz", "maga",
    "mar", "meg", "mely", "melyik", "mennyi", "mert", "mi", "miert", "mikor",
    "milyen", "mind", "mint", "mit", "nagyon", "nek", "neki", "nem", "o",
    "ok", "olyan", "s", "sem", "szerint", "tobb", "tul", "vagy", "van",
    "vannak", "volt", "voltak",
};
static const char *const romanian[] = {
    "a", "aceasta", "acest", "aceste", "acestea", "acestui", "ai", "al",
    "ale", "am", "ar", "are", "as", "au", "avea", "ca", "cand", "care",
    "carei", "carui", "cat", "cate", "ce", "cea", "cei", "cel", "cele",
    "cine", "cu", "cum", "da", "dar", "de", "decat", "deci", "din", "dintre",
    "dupa", "ea", "ei", "el", "ele", "era", "erau", "este", "eu", "fi", "fie",
    "fost", "in", "intr", "intre", "isi", "la", "le", "lor", "lui", "mai",
    "mult", "ne", "nici", "nu", "o", "or", "pana", "pe", "pentru", "poate",
    "prin", "sa", "sale", "sau", "se", "si", "sub", "sunt", "sus", "toate",
    "toti", "un", "una", "unde", "unei", "unele", "unor", "unui", "va",
};
static const char *const turkish[] = {
    "acaba", "ama", "ancak", "bana", "bazi", "belki", "ben", "beni", "benim",
    "bir", "biri", "biz", "bu", "buna", "bunlar", "bunu", "bunun", "cok",
    "cunku", "da", "daha", "de", "defa", "degil", "diger", "diye", "eger",
    "en", "gibi", "hangi", "hem", "hep", "her", "hic", "icin", "ile", "ise",
    "kac", "kadar", "kendi", "ki", "kim", "kimi", "kimin", "mi", "mu",
    "nasil", "ne", "neden", "nedir", "nerede", "niye", "o", "olan", "olarak",
    "oldu", "oldugu", "olur", "on", "ona", "onlar", "onu", "onun", "sen",
    "siz", "su", "tum", "ve", "veya", "ya", "yani",
};
static const char *const catalan[] = {
    "a", "al", "als", "amb", "aquell", "aquella", "aquest", "aquesta",
    "aquestes", "aquests", "ara", "com", "de", "del", "dels", "des", "el",
    "ella", "ells", "els", "em", "en", "entre", "era", "eren", "es", "esta",
    "estan", "et", "fa", "fins", "fou", "ha", "han", "havia", "hi", "ho", "i",
    "jo", "l", "la", "les", "li", "lo", "mes", "meu", "molt", "ni", "no",
    "nos", "o", "on", "pel", "pels", "per", "pero", "perque", "quan", "quant",
    "quants", "que", "qui", "quin", "quina", "quines", "quins", "s", "se",
    "sense", "ser", "seu", "seus", "seva", "seves", "si", "sobre", "son",
    "tambe", "te", "tenen", "tot", "tots", "un", "una", "unes", "uns", "va",
    "van",
};
static const char *const indonesian[] = {
    "ada", "adalah", "akan", "anda", "antara", "apa", "apakah", "atau",
    "bagaimana", "bagi", "bahwa", "banyak", "berapa", "bisa", "dalam", "dan",
    "dapat", "dari", "dengan", "di", "dia", "hanya", "harus", "ini", "itu",
    "jika", "juga", "kami", "kapan", "karena", "ke", "kepada", "kita",
    "lebih", "mana", "mengapa", "mereka", "oleh", "pada", "para", "saat",
    "saja", "sangat", "saya", "sebagai", "sebuah", "secara", "seperti",
    "serta", "siapa", "suatu", "sudah", "telah", "tersebut", "tidak", "untuk",
    "yang",
};
static const char *const lithuanian[] = {
    "ant", "apie", "ar", "as", "be", "bei", "bet", "buvo", "del", "dideles",
    "iki", "ir", "is", "ja", "jai", "jau", "jei", "ji", "jie", "jis", "jo",
    "jog", "jos", "juos", "jus", "ka", "kad", "kada", "kai", "kaip", "kas",
    "kiek", "kodel", "koks", "kur", "kuri", "kurie", "kuris", "mes", "ne",
    "nei", "nes", "net", "nors", "nuo", "o", "pagal", "per", "po", "prie",
    "pries", "su", "ta", "tai", "taip", "tam", "tarp", "tas", "tie", "tik",
    "to", "tu", "tuo", "uz", "yra",
};
static const char *const basque[] = {
    "al", "anitz", "arabera", "asko", "bada", "baina", "baino", "bat",
    "batean", "bere", "bertan", "beste", "bi", "da", "dago", "daude", "de",
    "dela", "den", "dira", "dituen", "du", "duen", "dute", "edo", "ere",
    "eta", "ez", "gara", "gero", "haiek", "hain", "hala", "han", "hau",
    "hauek", "hemen", "hori", "horiek", "horrek", "ia", "izan", "ko", "nahi",
    "noiz", "nola", "nolako", "non", "nor", "nork", "ondoren", "orain", "oso",
    "osoa", "ze", "zein", "zen", "zer", "zergatik", "ziren", "zuen", "zuten",
};
static const char *const irish[] = {
    "a", "ach", "ag", "agus", "an", "aon", "ar", "as", "ata", "ba", "bhi",
    "ca", "cad", "cathain", "ce", "cen", "conas", "de", "den", "do", "don",
    "faoi", "fuair", "ga", "gan", "go", "gur", "i", "iad", "idir", "is", "le",
    "leis", "linn", "ma", "mar", "me", "na", "nach", "ni", "nil", "no",
    "nuair", "o", "os", "raibh", "se", "si", "siad", "sin", "sna", "so", "ta",
    "tri", "tu", "um",
};

#define LIST(words) {(words), sizeof(words) / sizeof((words)[0])}
static const struct {
    const char *const *words;
    size_t n;
} lists[LANGUAGES] = {
    [LANGUAGE_EN] = LIST(english),    [LANGUAGE_ES] = LIST(spanish),
    [LANGUAGE_DE] = LIST(german),     [LANGUAGE_FR] = LIST(french),
    [LANGUAGE_IT] = LIST(italian),    [LANGUAGE_PT] = LIST(portuguese),
    [LANGUAGE_NL] = LIST(dutch),
    [LANGUAGE_RU] = LIST(russian),
    [LANGUAGE_AR] = LIST(arabic),
    [LANGUAGE_EL] = LIST(greek),
    [LANGUAGE_HY] = LIST(armenian),
    [LANGUAGE_HI] = LIST(hindi),
    [LANGUAGE_NE] = LIST(nepali),
    [LANGUAGE_TA] = LIST(tamil),
    [LANGUAGE_YI] = LIST(yiddish),
    [LANGUAGE_SR] = LIST(serbian),
    [LANGUAGE_SV] = LIST(swedish),
    [LANGUAGE_DA] = LIST(danish),
    [LANGUAGE_NO] = LIST(norwegian),
    [LANGUAGE_FI] = LIST(finnish),
    [LANGUAGE_HU] = LIST(hungarian),
    [LANGUAGE_RO] = LIST(romanian),
    [LANGUAGE_TR] = LIST(turkish),
    [LANGUAGE_CA] = LIST(catalan),
    [LANGUAGE_ID] = LIST(indonesian),
    [LANGUAGE_LT] = LIST(lithuanian),
    [LANGUAGE_EU] = LIST(basque),
    [LANGUAGE_GA] = LIST(irish),
};
// clang-format on

static int compare(const void *key, const void *item)
{
    const struct str *word = key;
    const char *const *known = item;

    return str_cmp(*word, str_c(*known));
}

bool is_stop(enum language language, struct str word)
{
    if (!lists[language].n)
        return false;
    return bsearch(&word, lists[language].words, lists[language].n,
                   sizeof(char *), compare) != NULL;
}

const char *const *stop_words(enum language language, size_t *n)
{
    *n = lists[language].n;
    return lists[language].words;
}
