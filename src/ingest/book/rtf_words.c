/* rtf_words.c - control words of RTF, as tables. */
#include "ingest/book/rtf_words.h"

uint32_t rtf_sign(struct str word)
{
    static const struct {
        const char *word;
        uint32_t sign;
    } signs[] = {
        {"emdash", 0x2014}, {"endash", 0x2013},    {"lquote", 0x2018},
        {"rquote", 0x2019}, {"ldblquote", 0x201c}, {"rdblquote", 0x201d},
        {"bullet", 0x2022}, {"tab", ' '},          {"emspace", ' '},
        {"enspace", ' '},   {"qmspace", ' '},      {"line", '\n'},
        {"softline", '\n'}, {"zwj", 0x200d},       {"zwnj", 0x200c}};

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        if (str_eq(word, str_c(signs[i].word)))
            return signs[i].sign;
    return 0;
}

bool rtf_is_unread(struct str word)
{
    static const char *const words[] = {
        "colortbl",  "pict",      "object",     "header",     "headerl",
        "headerr",   "headerf",   "footer",     "footerl",    "footerr",
        "footerf",   "ftnsep",    "ftnsepc",    "ftncn",      "aftnsep",
        "aftnsepc",  "aftncn",    "fldinst",    "nonshppict", "xe",
        "tc",        "rxe",       "filetbl",    "listtext",   "pntext",
        "sp",        "template",  "annotation", "atnid",      "atnauthor",
        "atndate",   "revtbl",    "private",    "themedata",  "datastore",
        "bkmkstart", "bkmkend",   "rsidtbl",    "generator",  "author",
        "operator",  "subject",   "keywords",   "doccomm",    "company",
        "creatim",   "revtim",    "printim",    "comment",    "manager",
        "category",  "hlinkbase", "buptim",     "txe",        "upr"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_eq(word, str_c(words[i])))
            return true;
    return false;
}

bool rtf_is_shown(struct str word)
{
    return str_eq(word, STR("shpinst")) || str_eq(word, STR("shptxt")) ||
           str_eq(word, STR("footnote"));
}

struct str rtf_code_page(int64_t page)
{
    static const struct {
        int64_t page;
        const char *name;
    } pages[] = {
        {1250, "windows-1250"}, {1251, "windows-1251"}, {1253, "windows-1253"},
        {1254, "windows-1254"}, {1255, "windows-1255"}, {1256, "windows-1256"},
        {1257, "windows-1257"}, {1258, "windows-1258"}, {932, "shift_jis"},
        {936, "gbk"},           {949, "cp949"},         {950, "big5"},
        {874, "tis-620"},       {866, "ibm866"},        {852, "ibm852"},
        {10000, "macintosh"}};

    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
        if (pages[i].page == page)
            return str_c(pages[i].name);
    return STR("windows-1252");
}

struct str rtf_charset(int64_t charset)
{
    static const int64_t sets[][2] = {
        {0, 1252},   {128, 932},  {129, 949},  {134, 936},  {136, 950},
        {161, 1253}, {162, 1254}, {163, 1258}, {177, 1255}, {178, 1256},
        {186, 1257}, {204, 1251}, {222, 874},  {238, 1250}, {77, 10000}};

    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
        if (sets[i][0] == charset)
            return rtf_code_page(sets[i][1]);
    return STR_NONE;
}
