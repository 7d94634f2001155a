/* source_test.c - what a source may be, and its digest. */
#include "cite/source.h"
#include "test.h"
#include <math.h>

TEST(source_types_have_the_words_of_the_api)
{
    const char *words[] = {"text",    "slide", "lecture",
                           "journal", "web",   "image"};
    enum footnote_type type;

    for (int i = 0; i < 6; i++) {
        CHECK(source_type_parse(str_c(words[i]), &type));
        CHECK_INT(type, FOOTNOTE_TEXT + i);
        CHECK_TEXT(source_type_name(type), str_c(words[i]));
    }
    CHECK(!source_type_parse(STR(""), &type));
    CHECK(!source_type_parse(STR_NONE, &type));
    CHECK(!source_type_parse(STR("texts"), &type));
    CHECK(!source_type_name((enum footnote_type)0).p);
    CHECK(!source_type_name((enum footnote_type)99).p);
}

/* --- Bad input ------------------------------------------------------------ */

static struct source good(void)
{
    return (struct source){
        .type = FOOTNOTE_SLIDE,
        .id = STR("s1"),
        .preview = STR("Entropy grows."),
        .title = STR("Heat"),
        .url = STR("https://example.org/"),
        .course = STR("c1"),
        .owner = STR("u1"),
        .document = STR("d1"),
        .lecture = STR("l1"),
        .date = STR("2024-01-15"),
        .s3key = STR("p/1.png"),
        .meta = STR("{\"a\": 1}"),
        .has_page = true,
        .has_start = true,
        .has_end = true,
        .page = 3,
        .start = 12.345,
        .end = 1e3,
        .part = 2,
    };
}

/* Refused with that code and a sentence that names the field. */
/* The sentence begins with the field that the failure is about. */
static void refused(const struct source *s, enum footnote_rc rc,
                    const char *begin)
{
    struct footnote_err err = {0};

    CHECK_INT(source_check(s, &err), rc);
    CHECK_INT(err.rc, rc);
    if (!str_starts(str_c(err.text), str_c(begin)))
        FAIL("\"%s\" does not begin with %s", err.text, begin);
    if (!str_starts(str_c(begin), str_c(err.field)))
        FAIL("\"%s\" is said to be about %s", err.text, err.field);
}

static const struct {
    const char *name;
    size_t offset, bytes_max;
    bool is_id;
} fields[] = {
    {"sourceId", offsetof(struct source, id), 200, true},
    {"contentPreview", offsetof(struct source, preview), 65536, false},
    {"title", offsetof(struct source, title), 4096, false},
    {"url", offsetof(struct source, url), 4096, false},
    {"courseId", offsetof(struct source, course), 200, true},
    {"ownerId", offsetof(struct source, owner), 200, true},
    {"documentId", offsetof(struct source, document), 200, true},
    {"lectureId", offsetof(struct source, lecture), 200, true},
    {"date", offsetof(struct source, date), 200, false},
    {"s3key", offsetof(struct source, s3key), 4096, false},
    {"meta", offsetof(struct source, meta), 4096, false},
};
enum { FIELDS_N = sizeof(fields) / sizeof(fields[0]) };

static struct source with(size_t field, struct str text)
{
    struct source s = good();
    memcpy((char *)&s + fields[field].offset, &text, sizeof(text));
    return s;
}

TEST(a_source_with_every_field_is_accepted)
{
    struct footnote_err err;
    struct source s = good();

    CHECK_OK(source_check(&s, &err), &err);
    s.page = 0;
    CHECK_OK(source_check(&s, &err), &err);
    s.start = s.end = 0x1p53;
    CHECK_OK(source_check(&s, &err), &err);
}

TEST(a_source_is_refused_for_bytes_that_are_no_text)
{
    for (size_t i = 0; i < FIELDS_N; i++) {
        struct source s = with(i, STR("a\0b"));
        refused(&s, FOOTNOTE_INVALID, fields[i].name);
        s = with(i, STR("a\xff"));
        refused(&s, FOOTNOTE_INVALID, fields[i].name);
        s = with(i, STR("cut \xf0\x9f\x98"));
        refused(&s, FOOTNOTE_INVALID, fields[i].name);
    }
}

TEST(a_source_is_refused_for_texts_over_their_limits)
{
    static char bytes[70000];
    struct footnote_err err;

    memset(bytes, ' ', sizeof(bytes));
    bytes[0] = '{';
    bytes[1] = '}';
    for (size_t i = 0; i < FIELDS_N; i++) {
        struct source s = with(i, (struct str){bytes, fields[i].bytes_max});
        CHECK_OK(source_check(&s, &err), &err);
        s = with(i, (struct str){bytes, fields[i].bytes_max + 1});
        refused(&s, fields[i].is_id ? FOOTNOTE_INVALID : FOOTNOTE_TOOBIG,
                fields[i].name);
    }
}

TEST(a_source_may_have_empty_texts_but_no_empty_ids)
{
    struct footnote_err err;

    for (size_t i = 0; i < FIELDS_N; i++) {
        struct source s = with(i, STR(""));
        if (fields[i].is_id || strcmp(fields[i].name, "meta") == 0)
            refused(&s, FOOTNOTE_INVALID, fields[i].name);
        else
            CHECK_OK(source_check(&s, &err), &err);
    }
}

TEST(a_source_is_refused_for_its_type)
{
    struct source s = good();

    s.type = (enum footnote_type)0;
    refused(&s, FOOTNOTE_INVALID, "sourceType is missing");
    s.type = (enum footnote_type)7;
    refused(&s, FOOTNOTE_INVALID, "sourceType is none of");
}

TEST(a_source_is_refused_for_a_meta_that_is_no_object)
{
    const char *bad[] = {"[]",    "1",        "null",   "\"{}\"",
                         "{} {}", "{\"a\":}", "{'a':1}"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct source s = good();
        s.meta = str_c(bad[i]);
        refused(&s, FOOTNOTE_INVALID, "meta");
    }
}

TEST(a_source_is_refused_for_bad_counts)
{
    struct source s = good();

    s.page = -1;
    refused(&s, FOOTNOTE_INVALID, "slideNumber");
    s = good();
    s.part = -1;
    refused(&s, FOOTNOTE_INVALID, "part");
    s = good();
    s.has_page = false; /* what is not there is not looked at */
    s.page = -1;
    CHECK_INT(source_check(&s, NULL), FOOTNOTE_OK);
}

TEST(a_source_is_refused_for_bad_seconds)
{
    const double bad[] = {-1,       -0.0,      -1e-300, (double)NAN,
                          HUGE_VAL, -HUGE_VAL, 1e16};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct source s = good();
        s.start = bad[i];
        refused(&s, FOOTNOTE_INVALID, "startSeconds");
        s = good();
        s.has_start = false;
        s.end = bad[i];
        refused(&s, FOOTNOTE_INVALID, "endSeconds");
    }
    struct source s = good();
    s.end = 12.3449;
    refused(&s, FOOTNOTE_INVALID, "endSeconds is before startSeconds");
}

TEST(a_source_needs_an_id_or_what_makes_one)
{
    struct source s = {.type = FOOTNOTE_SLIDE, .title = STR("Heat")};
    struct str key;
    AUTO(arena_free) struct arena a = ARENA(4096);

    refused(&s, FOOTNOTE_INVALID, "a source needs an id");
    CHECK_INT(source_key(&a, &s, &key, NULL), FOOTNOTE_INVALID);
}

/* --- Digest --------------------------------------------------------------- */

static void digest_hex(const struct source *s, struct str key,
                       char out[SHA256_HEX + 1])
{
    struct footnote_err err;
    struct sha256_ctx *c;
    struct sha256 digest;

    CHECK_OK(sha256_open(&c, &err), &err);
    source_digest(c, s, key, &digest);
    sha256_close(c);
    sha256_hex(&digest, out);
}

TEST(a_source_digest_is_that_of_its_canonical_form)
{
    struct source s = good();
    struct sha256 want;
    char want_hex[SHA256_HEX + 1], hex[SHA256_HEX + 1];
    const struct str canonical =
        STR("footnote-source-1\n"
            "sourceType=5:slide\nsourceId=2:s1\n"
            "contentPreview=14:Entropy grows.\ntitle=4:Heat\n"
            "url=20:https://example.org/\ncourseId=2:c1\nownerId=2:u1\n"
            "documentId=2:d1\nlectureId=2:l1\ndate=10:2024-01-15\n"
            "s3key=7:p/1.png\nmeta=8:{\"a\": 1}\nslideNumber=1:3\n"
            "startSeconds=6:12.345\nendSeconds=4:1000\npart=1:2\n");

    CHECK_INT(sha256(canonical, &want, NULL), FOOTNOTE_OK);
    sha256_hex(&want, want_hex);
    digest_hex(&s, STR("doc_d1_slide_3"), hex);
    CHECK_STR(hex, want_hex);
}

TEST(a_source_digest_has_known_values)
{
    struct source s = {.type = FOOTNOTE_LECTURE,
                       .lecture = STR("l1"),
                       .title = STR(""),
                       .has_start = true,
                       .start = 1e-7,
                       .has_page = true};
    char hex[SHA256_HEX + 1];

    digest_hex(&s, STR("lec_l1_0_0"), hex);
    CHECK_STR(
        hex,
        "a05771fc9c7d15e517b95e121d905985e407e24cf241d57e48ce32b4dd52b71e");
}

TEST(a_source_without_id_has_the_digest_of_one_with_its_key)
{
    struct source s = good(), named = good();
    char hex[SHA256_HEX + 1], named_hex[SHA256_HEX + 1];

    s.id = STR_NONE;
    named.id = STR("the key");
    digest_hex(&s, STR("the key"), hex);
    digest_hex(&named, STR("not used"), named_hex);
    CHECK_STR(hex, named_hex);
}

static bool same_digest(const struct source *a, const struct source *b)
{
    char a_hex[SHA256_HEX + 1], b_hex[SHA256_HEX + 1];

    digest_hex(a, STR("k"), a_hex);
    digest_hex(b, STR("k"), b_hex);
    return strcmp(a_hex, b_hex) == 0;
}

TEST(a_source_digest_tells_absent_empty_and_other_texts_apart)
{
    struct source s = good();

    for (size_t i = 0; i < FIELDS_N; i++) {
        struct source absent = with(i, STR_NONE), empty = with(i, STR(""));
        struct source other = with(i, STR("x"));
        CHECK(!same_digest(&s, &absent));
        CHECK(!same_digest(&s, &empty));
        CHECK(!same_digest(&s, &other));
        CHECK(!same_digest(&absent, &empty));
    }
}

TEST(a_source_digest_tells_absent_and_zero_apart)
{
    struct source zero = good(), changed[7];

    zero.page = zero.part = 0;
    zero.start = zero.end = 0;
    for (size_t i = 0; i < 7; i++)
        changed[i] = zero;
    changed[0].has_page = false;
    changed[1].has_start = false;
    changed[2].has_end = false;
    changed[3].page = 1;
    changed[4].start = 5e-324; /* the smallest there is */
    changed[5].part = 1;
    changed[6].type = FOOTNOTE_TEXT;
    for (size_t i = 0; i < 7; i++)
        CHECK(!same_digest(&zero, &changed[i]));
}
