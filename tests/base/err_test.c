/* err_test.c - codes and their sentences. */
#include "base/utf8.h"
#include "test.h"

TEST(err_every_code_has_a_row)
{
    for (int rc = 0; rc < FOOTNOTE_RC_N; rc++) {
        CHECK(str_starts(str_c(rc_name(rc)), STR("FOOTNOTE_")));
        CHECK(rc_status(rc) >= 200 && rc_status(rc) < 600);
        CHECK(rc_code(rc)[0] != '\0');
        CHECK(rc_text(rc)[0] != '\0');
    }
    CHECK_STR(rc_name(FOOTNOTE_TOOBIG), "FOOTNOTE_TOOBIG");
    CHECK_INT(rc_status(FOOTNOTE_TOOBIG), 413);
    CHECK_STR(rc_code(FOOTNOTE_TOOBIG), "too_large");
}

static enum footnote_rc fail(struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_BUSY, "page %d of %s", 3, "9");
}

static enum footnote_rc pass_on(struct footnote_err *err)
{
    TRY(fail(err));
    return FOOTNOTE_OK;
}

TEST(err_a_failure_carries_its_sentence_up)
{
    struct footnote_err err;
    CHECK_INT(pass_on(&err), FOOTNOTE_BUSY);
    CHECK_INT(err.rc, FOOTNOTE_BUSY);
    CHECK_STR(err.text, "page 3 of 9");
    err_prefix(&err, "migration %d", 7);
    CHECK_STR(err.text, "migration 7: page 3 of 9");
    CHECK_INT(err.rc, FOOTNOTE_BUSY);
}

TEST(err_says_which_field_it_is_about)
{
    struct footnote_err err;
    char name[sizeof(err.field) + 1];

    CHECK_INT(err_field(&err, FOOTNOTE_TOOBIG, "title", "%d bytes", 9),
              FOOTNOTE_TOOBIG);
    CHECK_STR(err.text, "title: 9 bytes");
    CHECK_STR(err.field, "title");
    err_prefix(&err, "sources/1");
    CHECK_STR(err.field, "title");
    err_about(&err, "sources/%d", 1);
    CHECK_STR(err.text, "sources/1: title: 9 bytes");
    CHECK_STR(err.field, "sources/1");
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    err_about(&err, "%s", name + 1);
    CHECK_STR(err.field, name + 1);
    err_about(&err, "%s", name); /* cut, it would be another's */
    CHECK_STR(err.field, "");
    err_about(&err, "title");
    (void)fail(&err);
    CHECK_STR(err.field, "");
}

TEST(err_may_be_null)
{
    CHECK_INT(fail(NULL), FOOTNOTE_BUSY);
    CHECK_INT(err_field(NULL, FOOTNOTE_INVALID, "title", "is long"),
              FOOTNOTE_INVALID);
    err_about(NULL, "title");
    err_prefix(NULL, "context");
}

TEST(err_may_quote_its_own_sentence)
{
    struct footnote_err err;
    (void)fail(&err);
    err_put(&err, FOOTNOTE_NOMEM, "again: %s", err.text);
    CHECK_STR(err.text, "again: page 3 of 9");
}

TEST(err_a_long_sentence_is_cut_between_characters)
{
    struct footnote_err err;
    /* U+20AC is three bytes, and 199 is not a multiple of three. */
    char euros[301] = "";
    for (size_t i = 0; i < 300; i++)
        euros[i] = "\xE2\x82\xAC"[i % 3];
    err_put(&err, FOOTNOTE_INVALID, "%s", euros);
    CHECK_INT(strlen(err.text), 198);
    CHECK(utf8_valid(str_c(err.text)));
    err_prefix(&err, "%s", euros);
    CHECK_INT(strlen(err.text), 199);
    CHECK_STR(err.text + 198, ":");
}
