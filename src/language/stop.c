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
    "being", "but", "by", "can", "could", "d", "describe", "did", "do", "does",
    "doing", "don", "done", "explain", "for", "from", "give", "had", "has",
    "have", "having", "he", "her", "here", "him", "his", "how", "i", "if",
    "in", "into", "is", "it", "its", "itself", "just", "let", "like", "ll",
    "m", "may", "me", "mean", "means", "might", "must", "my", "of", "on", "or",
    "our", "please", "re", "s", "shall", "she", "should", "show", "so", "some",
    "such", "t", "tell", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "us", "ve", "was", "we",
    "were", "what", "when", "where", "whether", "which", "while", "who",
    "whom", "whose", "why", "will", "with", "would", "you", "your",
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

#define LIST(words) {(words), sizeof(words) / sizeof((words)[0])}
static const struct {
    const char *const *words;
    size_t n;
} lists[LANGUAGES] = {
    [LANGUAGE_EN] = LIST(english),    [LANGUAGE_ES] = LIST(spanish),
    [LANGUAGE_DE] = LIST(german),     [LANGUAGE_FR] = LIST(french),
    [LANGUAGE_IT] = LIST(italian),    [LANGUAGE_PT] = LIST(portuguese),
    [LANGUAGE_NL] = LIST(dutch),
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
