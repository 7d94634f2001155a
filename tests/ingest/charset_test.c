/* charset_test.c - texts from before Unicode, and what is told of them. */
#include <iconv.h>
#include <unistd.h>

#include "help/jailed_child.h"
#include "ingest/jailed/jailed.h"
#include "ingest/text/charset_guess.h"
#include "ingest_setup.h"
#include "read_passages.h"

struct legacy {
    const char *name; /* as charset.h calls it */
    const char *text;
};

static const struct legacy texts[] = {
    {"windows-1251",
     "Тепло переходит от горячего тела к холодному, и никогда наоборот без "
     "работы. Это второе начало термодинамики."},
    {"koi8-r",
     "Энтропия замкнутой системы не убывает. Машина Карно лучше всех других "
     "машин между теми же двумя температурами."},
    {"shift_jis", "熱は高温の物体から低温の物体へ流れます。逆の流れには仕事が必"
                  "要です。これを熱力学の第二法則と呼びます。"},
    {"cp949",
     "열은 뜨거운 물체에서 차가운 물체로 흐릅니다. 반대로 흐르게 하려면"
     " 일이 필요합니다. 이것이 제이법칙입니다."},
    {"big5", "熱從高溫的物體流向低溫的物體,要使它反過來流動就需要作功,這就是熱"
             "力學第二定律的意思,所有的機器都一樣。"},
    {"gb18030", "热量总是从高温物体流向低温物体，要使它反过来流动就需要做功，这"
                "就是热力学第二定律的意思，所有的机器都一样。"},
    {"iso-2022-jp", "熱は高温の物体から低温の物体へ流れます。"},
};

/* The text in its encoding, in `a`. */
static struct str encoded(struct arena *a, const struct legacy *l)
{
    iconv_t cd = iconv_open(l->name, "UTF-8");
    char *in = (char *)(uintptr_t)l->text, *p = arena_alloc(a, 2048);
    struct str bytes = {p, 0};
    size_t in_n = strlen(l->text), out_n = 2048;

    CHECK(p && iconv(cd, &in, &in_n, &p, &out_n) == 0);
    CHECK(iconv(cd, NULL, NULL, &p, &out_n) == 0);
    iconv_close(cd);
    bytes.n = 2048 - out_n;
    return bytes;
}

TEST(texts_of_legacy_encodings_are_read_as_they_were_written)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        AUTO(arena_free) struct arena a = ARENA(SCRATCH);
        struct str bytes = encoded(&a, &texts[i]), text;
        const char *guess =
            charset_is_legacy(bytes) ? charset_guess(bytes) : NULL;
        const char *encoding;
        bool hidden = false;

        CHECK_INT(charset_decode(&a, bytes, str_c(guess), &text, &hidden,
                                 &encoding, NULL),
                  FOOTNOTE_OK);
        if (strcmp(encoding, texts[i].name) != 0)
            FAIL("%s is taken for %s", texts[i].name, encoding);
        CHECK_TEXT(text, str_c(texts[i].text));
    }
}

static void check_encoding(struct str bytes, const char *want)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    const char *guess = charset_is_legacy(bytes) ? charset_guess(bytes) : NULL;
    const char *encoding;
    bool hidden = false;
    struct str text;

    CHECK_INT(charset_decode(&a, bytes, str_c(guess), &text, &hidden, &encoding,
                             NULL),
              FOOTNOTE_OK);
    CHECK_STR(encoding, want);
}

TEST(encodings_are_named)
{
    check_encoding(STR("plain"), "utf-8");
    check_encoding(STR("H\xc3\xa4tte"), "utf-8");
    check_encoding(STR("H\xe4tte"), "windows-1252"); /* too little to tell */
    check_encoding(STR("\xff\xfeH\0i\0"), "utf-16le");
    CHECK(!charset_known(STR("../../etc/passwd")));
    CHECK(!charset_known(STR("")));
    CHECK_STR(charset_known(STR("UHC")), "cp949");
    CHECK_STR(charset_name(STR("utf-8")), "utf-8");
    CHECK(!charset_name(STR("nothing")));
}

/* The child in the jail guesses; of hostile bytes it may say what it wants. */
TEST(encoding_is_guessed_in_the_jail)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    struct str bytes = encoded(&a, &texts[1]);
    FILE *file = tmpfile();
    struct jailed_options no_child = {.program = "/bin/false"};
    const char *name;

    CHECK(file && fwrite(bytes.p, 1, bytes.n, file) == bytes.n);
    CHECK(fflush(file) == 0);
    CHECK_OK(jailed_encoding(jailed_usual(), fileno(file), &name, &err), &err);
    CHECK_STR(name, "koi8-r");
    CHECK_OK(jailed_encoding(&no_child, fileno(file), &name, &err), &err);
    CHECK(!name);
    fclose(file);
}

INGEST_CASE(legacy_text_is_stored_with_its_encoding)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    struct document d;

    setup_start_workers(1);
    setup_put_document("txt", encoded(&a, &texts[0]), "heat.txt");
    setup_put_document("utf8", STR("Heat flows."), "heat.txt");
    setup_put_document("pdf", setup_load_file("slides.pdf"), "slides.pdf");
    d = setup_await_document("txt");
    CHECK_INT(d.status, DOCUMENT_READY);
    CHECK_TEXT(d.encoding, STR("windows-1251"));
    CHECK_TEXT(setup_await_document("utf8").encoding, STR("utf-8"));
    CHECK(!setup_await_document("pdf").encoding.p);
}
