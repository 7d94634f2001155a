/* damage_test.c - what is stored is changed behind our back: by SQL on both
 * engines, and by flipping bytes of the file.  Whoever reads it is told
 * integrity_error; nothing wrong is shown; the other sessions can be read. */
#include "contract.h"
#include "help/raw_sql.h"
#include "workload.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SESSIONS = 3, ITEMS = 4, VICTIM = 1, FILE_MAX = 4 << 20 };

static void nothing(struct workload *l)
{
    (void)l;
}

static bool never_again(struct workload *l, const struct footnote_err *err)
{
    FAIL("session %u: %s", l->thread, err->text);
    return false;
}

static void fill(void)
{
    struct footnote_err err = {0};
    struct workload l = {.acked = nothing, .again = never_again};

    CHECK_OK(footnote_open(test_url(), &l.fn, &err), &err);
    for (l.thread = 0; l.thread < SESSIONS; l.thread++)
        for (l.done = (struct progress){0}; l.done.items < ITEMS;)
            CHECK(workload_item(&l));
    footnote_close(l.fn);
}

/* What is shown of a message that we saved must be right.  Ids are not part of
 * the digest: a message whose id was changed is one that is missing. */
static enum footnote_rc look(struct footnote *fn, unsigned session)
{
    char id[32];
    struct footnote_query q = {.session = id};
    struct footnote_result *r = NULL;
    struct footnote_err err = {0};

    snprintf(id, sizeof(id), "s0-%u", session);
    enum footnote_rc rc = footnote_read(fn, &q, &r, &err);
    CHECK_INT(rc, rc == FOOTNOTE_OK ? rc : err.rc);
    for (size_t i = 0; r && i < r->messages_n; i++)
        if (sample_is_known(&r->messages[i]))
            CHECK_STR(sample_wrong(&r->messages[i]), NULL);
    footnote_result_free(r);
    return rc;
}

/* Only the session of the victim is damaged. */
static void check_damaged(void)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    CHECK_INT(look(fn, VICTIM), FOOTNOTE_DAMAGED);
    for (unsigned i = 0; i < SESSIONS; i++)
        if (i != VICTIM)
            CHECK_INT(look(fn, i), FOOTNOTE_OK);
    footnote_close(fn);
}

/* The tables are in schema "footnote" on PostgreSQL. */
static void damage(const char *update)
{
    char sql[600];

    snprintf(sql, sizeof(sql), "%s%s",
             test_is_postgres() ? "SET search_path = footnote; " : "", update);
    fill();
    raw_sql(sql);
    check_damaged();
}

#define OF_ANSWER "WHERE id = 'a-0-1-3'"

CONTRACT(a_changed_answer_is_an_integrity_error)
{
    damage("UPDATE message SET content = replace(content, 'alpha', "
           "'alphb') " OF_ANSWER ";");
}

CONTRACT(an_answer_that_lost_its_text_is_an_integrity_error)
{
    damage("UPDATE message SET content = '' " OF_ANSWER ";");
}

CONTRACT(a_changed_role_is_an_integrity_error)
{
    damage("UPDATE message SET role = 1 " OF_ANSWER ";");
}

CONTRACT(a_changed_preview_is_an_integrity_error)
{
    damage("UPDATE source SET preview = replace(preview, 'says', "
           "'denies') WHERE source_id = 'own-a-0-1-3-0' "
           "OR source_key = 'own-a-0-1-3-0';");
}

CONTRACT(a_changed_title_is_an_integrity_error)
{
    damage("UPDATE source SET title = 'Another' "
           "WHERE title = 'Title of own-a-0-1-3-0';");
}

CONTRACT(a_changed_digest_of_an_answer_is_an_integrity_error)
{
    damage("UPDATE message SET digest = (SELECT digest FROM message "
           "WHERE id = 'm-0-1-0') " OF_ANSWER ";");
}

CONTRACT(a_changed_digest_of_a_source_is_an_integrity_error)
{
    damage("UPDATE source SET digest = (SELECT digest FROM message "
           "WHERE id = 'm-0-1-0') WHERE title = 'Title of own-a-0-1-3-0';");
}

CONTRACT(missing_references_are_an_integrity_error)
{
    damage("UPDATE message SET refs = NULL " OF_ANSWER ";");
}

CONTRACT(references_that_are_cut_are_an_integrity_error)
{
    damage(
        "UPDATE message SET refs = substr(refs, 1, length(refs) - 1) " OF_ANSWER
        ";");
}

CONTRACT(references_to_other_sources_are_an_integrity_error)
{
    damage("UPDATE message SET refs = (SELECT refs FROM message "
           "WHERE id = 'm-0-1-0') " OF_ANSWER ";");
}

/* The second byte begins with the first number, in units of eight. */
CONTRACT(references_with_other_numbers_are_an_integrity_error)
{
    damage(test_is_postgres()
               ? "UPDATE message SET refs = "
                 "set_byte(refs, 1, get_byte(refs, 1) + 64) " OF_ANSWER ";"
               : "UPDATE message SET refs = CAST(substr(refs, 1, 1) || "
                 "char(unicode(substr(refs, 2, 1)) + 64) || substr(refs, 3) "
                 "AS BLOB) " OF_ANSWER ";");
}

CONTRACT(a_missing_source_is_an_integrity_error)
{
    damage("DELETE FROM source "
           "WHERE title = 'Title of own-a-0-1-3-0';");
}

CONTRACT(a_missing_digest_is_an_integrity_error)
{
    damage("UPDATE message SET digest = NULL " OF_ANSWER ";");
}

/* --- bytes of the file ---------------------------------------------------- */

struct content {
    size_t n;
    char *bytes;
};

static const char *path(void)
{
    return test_url() + sizeof("sqlite:") - 1;
}

static struct content get_file(void)
{
    struct content c = {0, workload_need(malloc(FILE_MAX))};
    FILE *f = workload_need(fopen(path(), "re"));

    c.n = fread(c.bytes, 1, FILE_MAX, f);
    CHECK(c.n < FILE_MAX);
    fclose(f);
    return c;
}

static void put_file(const struct content *c)
{
    /* Some file systems flush what was cut and written anew. */
    unlink(path());
    FILE *f = workload_need(fopen(path(), "we"));
    CHECK_INT(fwrite(c->bytes, 1, c->n, f), c->n);
    CHECK(fclose(f) == 0);
}

/* Flips one bit where `text` is in the file. */
static void flip_text(const char *text, size_t offset)
{
    struct content c = get_file();
    char *at = workload_need(memmem(c.bytes, c.n, text, strlen(text)));

    at[offset] ^= 1;
    put_file(&c);
    free(c.bytes);
}

TEST(sqlite_a_flipped_byte_in_an_answer_is_an_integrity_error)
{
    struct sample s;

    fill();
    sample_make(&s, SAMPLE_ANSWER, 0, VICTIM, 3);
    flip_text(s.text, 20);
    check_damaged();
}

TEST(sqlite_a_flipped_byte_in_a_preview_is_an_integrity_error)
{
    struct sample s;

    fill();
    sample_make(&s, SAMPLE_ANSWER, 0, VICTIM, 3);
    flip_text(s.sources[0].preview, strlen(s.sources[0].preview) - 3);
    check_damaged();
}

/* Wherever one bit of the file is wrong, something is missing or an error,
 * but nothing wrong is shown, and nothing crashes. */
static void check_flipped(void)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    if (footnote_open(test_url(), &fn, &err) != FOOTNOTE_OK)
        return;
    for (unsigned i = 0; i < SESSIONS; i++)
        (void)look(fn, i);
    footnote_close(fn);
}

TEST(sqlite_no_flipped_bit_shows_anything_wrong)
{
    unsigned seed = 31337;

    fill();
    struct content c = get_file();
    for (unsigned i = 0; i < test_count(300, 20000); i++) {
        char *at = &c.bytes[workload_random(&seed, (unsigned)c.n)];
        const char was = *at;
        *at = (char)((unsigned char)was ^ 1U << workload_random(&seed, 8));
        put_file(&c);
        check_flipped();
        *at = was;
    }
    free(c.bytes);
}
