/* job_test.c - reading documents in: jobs, progress, versions, and the
 * objects they lie in. */
#include "store/document/job.h"

#include <pthread.h>

#include "base/clock.h"
#include "store/document/document.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store_help.h"

#define OWN(name, op) CHECK_OK(store_own(st, OP(name), (op), &err), &err)
#define OWN_READ(name, op)                                                     \
    CHECK_OK(store_own_read(st, &out, OP(name), (op), &err), &err)
#define OWN_REFUSE(name, op, rc, words)                                        \
    help_refused(store_own(st, OP(name), (op), &err), (rc), (words), __FILE__, \
                 __LINE__)

static struct str key_of(char c)
{
    static char keys[128][33];
    char *p = keys[(int)c];

    memset(p, c, 32);
    return str_c(p);
}

/* A document whose object has the key cccc... */
static struct document_put queued(const char *id, const char *bytes, char key)
{
    struct document_put op = {.document = {.id = str_c(id),
                                           .course = STR("physics"),
                                           .kind = DOCUMENT_SLIDES,
                                           .filename = STR("a.pdf"),
                                           .has_bytes = true,
                                           .bytes = (int64_t)strlen(bytes)},
                              .queue = true};

    op.document.object_key = key_of(key);
    CHECK_OK(sha256(str_c(bytes), &op.document.digest, &err), &err);
    return op;
}

static struct document_put put(const char *id, const char *bytes, char key)
{
    struct document_put op = queued(id, bytes, key);

    WRITE(ANN, document_put, &op);
    return op;
}

static struct document document_of(const char *id)
{
    struct document_get op = {.id = str_c(id)};

    READ(ANN, document_get, &op);
    return op.document;
}

static struct job_claim claim(void)
{
    struct job_claim op = {.out = &out};

    OWN(job_claim, &op);
    return op;
}

static void step(const struct job *j, int64_t from, int64_t to)
{
    struct passage p[JOB_PASSAGES_MAX] = {{.position = 0}};
    struct job_step op = {.job = j,
                          .passages = p,
                          .passages_n = (size_t)(to - from + 1),
                          .progress = {UNIT_PAGES, to, 10}};

    for (int64_t i = from; i <= to; i++)
        p[i - from] = (struct passage){
            .position = i, .page = i, .text = STR("Heat flows.")};
    OWN(job_step, &op);
}

static void end(const struct job *j, enum document_status status)
{
    struct job_end op = {.job = j, .status = status};

    if (status == DOCUMENT_FAILED)
        op.error = STR("The file is empty.");
    OWN(job_end, &op);
}

static size_t passages_of(const char *id, int64_t version)
{
    struct passages_read op = {.document = str_c(id), .version = version};

    READ(ANN, passages_read, &op);
    return op.passages_n;
}

STORED(a_job_reads_a_document_in_with_progress_and_facts)
{
    struct job_claim c;
    struct document d;
    struct job_end e;

    course_make(ANN, "physics");
    CHECK(!claim().found);
    CHECK(put("d", "bytes", 'a').keeps);
    CHECK_INT(document_of("d").status, DOCUMENT_QUEUED);
    c = claim();
    CHECK(c.found);
    CHECK_TEXT(c.job.tenant, STR("default"));
    CHECK_TEXT(c.job.document.id, STR("d"));
    CHECK_TEXT(c.job.document.course, STR("physics"));
    CHECK_TEXT(c.job.document.object_key, key_of('a'));
    CHECK_INT(c.job.passages, 0);
    CHECK_INT(document_of("d").status, DOCUMENT_INDEXING);
    CHECK(!claim().found); /* one holder at a time */
    step(&c.job, 1, 5);
    d = document_of("d");
    CHECK_INT(d.progress.unit, UNIT_PAGES);
    CHECK_INT(d.progress.done, 5);
    CHECK_INT(d.progress.total, 10);
    CHECK_INT(d.searchable_version, 0);
    e = (struct job_end){.job = &c.job,
                         .status = DOCUMENT_READY,
                         .warning = STR("Page 3 is a picture."),
                         .title = STR("Heat"),
                         .language = STR("en"),
                         .has_pages = true,
                         .pages = 10};
    OWN(job_end, &e);
    d = document_of("d");
    CHECK_INT(d.status, DOCUMENT_READY);
    CHECK_INT(d.searchable_version, 1);
    CHECK_TEXT(d.title, STR("Heat"));
    CHECK_TEXT(d.language, STR("en"));
    CHECK_TEXT(d.warning, STR("Page 3 is a picture."));
    CHECK_INT(d.pages, 10);
    CHECK_INT(d.role, MEMBER_OWNER);
    CHECK(!claim().found);
    OWN_REFUSE(job_end, &e, FOOTNOTE_ENDED, "taken over");
}

STORED(a_failed_job_leaves_a_sentence_and_nothing_else)
{
    struct job_claim c;
    struct document_put again;
    struct job_end e = {.status = DOCUMENT_QUEUED};

    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    c = claim();
    step(&c.job, 1, 3);
    e.job = &c.job;
    OWN_REFUSE(job_end, &e, FOOTNOTE_INVALID, "status");
    end(&c.job, DOCUMENT_FAILED);
    CHECK_INT(document_of("d").status, DOCUMENT_FAILED);
    CHECK_TEXT(document_of("d").error, STR("The file is empty."));
    CHECK_INT(passages_of("d", 1), 0);
    again = put("d", "bytes", 'b'); /* the same bytes are read once more */
    CHECK(!again.made && again.retried && !again.keeps);
    CHECK_INT(document_of("d").status, DOCUMENT_QUEUED);
    CHECK_TEXT(document_of("d").error, STR_NONE);
    CHECK_TEXT(claim().job.document.object_key, key_of('a'));
}

STORED(a_job_that_was_given_up_goes_on_where_it_was)
{
    struct job_claim first, second;
    struct job_step late = {.progress = {UNIT_PAGES, 9, 10}};
    struct job_step at = {.place = &(struct job_place){3, 4, 1}};
    struct job_release release = {.counts = false};

    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    first = claim();
    step(&first.job, 1, 4);
    at.job = &first.job;
    OWN(job_step, &at);
    help_reopen(); /* as a process that dies: its node is gone */
    second = claim();
    CHECK(second.found);
    CHECK_INT(second.job.passages, 4);
    CHECK_INT(second.job.place.pages, 3);
    CHECK_INT(second.job.place.position, 4);
    CHECK_INT(second.job.place.blank, 1);
    CHECK(first.job.epoch != second.job.epoch);
    late.job = &first.job;
    OWN_REFUSE(job_step, &late, FOOTNOTE_ENDED, "taken over");
    step(&second.job, 1, 6); /* what is there is met again */
    CHECK_INT(passages_of("d", 1), 6);
    release.job = &second.job;
    OWN(job_release, &release);
    CHECK_INT(document_of("d").status, DOCUMENT_QUEUED);
    second = claim();
    CHECK_INT(second.job.passages, 6);
    CHECK_INT(second.job.attempts, 1); /* given back: it does not count */
    end(&second.job, DOCUMENT_READY);
    CHECK_INT(passages_of("d", 0), 6);
}

/* As if the process had died that reads everything now. */
static void die(void)
{
    sql_do("UPDATE ingest_job SET node = 'dead', until_ms = 0 "
           "WHERE node IS NOT NULL");
    help_reopen();
}

STORED(a_job_that_breaks_its_readers_ends)
{
    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    for (int i = 0; i < JOB_ATTEMPTS_MAX; i++) {
        struct job_claim c = claim();

        CHECK(c.found);
        CHECK_INT(c.job.attempts, i + 1);
        die();
    }
    CHECK(!claim().found);
    CHECK_INT(document_of("d").status, DOCUMENT_FAILED);
    CHECK(strstr(document_of("d").error.p, "several times"));
}

STORED(a_job_that_goes_on_is_not_blamed_for_its_readers)
{
    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    for (int i = 0; i < 2 * JOB_ATTEMPTS_MAX; i++) {
        struct job_claim c = claim();

        CHECK(c.found);
        if (i % 3 == 2) /* the third of three that died comes a bit further */
            step(&c.job, 1 + i / 3, 1 + i / 3);
        CHECK_INT(c.job.attempts, i < 3 ? i + 1 : (i - 3) % 3 + 2);
        die();
    }
    CHECK_INT(document_of("d").status, DOCUMENT_QUEUED);
}

/* The third one that dies may have died of the other document that it read. */
STORED(a_job_that_is_suspected_is_read_last_and_alone)
{
    struct job_claim c, other;

    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    for (int i = 0; i < JOB_SHARED_MAX; i++) {
        CHECK(claim().found);
        die();
    }
    put("e", "more bytes", 'b');
    other = claim();
    CHECK_TEXT(other.job.document.id, STR("e"));
    CHECK(!claim().found); /* it would not be alone */
    end(&other.job, DOCUMENT_READY);
    c = claim();
    CHECK_TEXT(c.job.document.id, STR("d"));
    put("f", "still more bytes", 'c');
    CHECK(!claim().found);
    end(&c.job, DOCUMENT_READY);
    CHECK_TEXT(claim().job.document.id, STR("f"));
}

STORED(a_new_version_is_searched_when_it_is_ready)
{
    struct job_claim first, second;
    struct document_versions v = {.document = STR("d")};
    struct document_get old = {.id = STR("d"), .version = 1};
    struct document_put op = queued("d", "new bytes", 'b');
    struct job_step late = {.progress = {UNIT_PAGES, 9, 10}};

    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    first = claim();
    step(&first.job, 1, 2);
    end(&first.job, DOCUMENT_READY);
    op.document.course = STR_NONE;
    op.must_exist = true;
    WRITE(ANN, document_put, &op);
    CHECK_INT(op.version, 2);
    CHECK_STR(op.course_text, "physics");
    CHECK_INT(document_of("d").searchable_version, 1);
    CHECK_INT(passages_of("d", 0), 2);
    second = claim();
    step(&second.job, 1, 3);
    CHECK_INT(passages_of("d", 0), 2);
    put("d", "newer bytes", 'c'); /* while that one is being read */
    late.job = &second.job;
    OWN_REFUSE(job_step, &late, FOOTNOTE_ENDED, "replaced");
    second = claim();
    CHECK_INT(second.job.document.version, 3);
    CHECK_TEXT(second.job.document.object_key, key_of('c'));
    end(&second.job, DOCUMENT_READY);
    CHECK_INT(document_of("d").searchable_version, 3);
    CHECK_INT(passages_of("d", 1), 2); /* for old citations */
    READ(ANN, document_versions, &v);
    CHECK_INT(v.versions_n, 3);
    CHECK_INT(v.versions[0].version, 3);
    CHECK_INT(v.versions[2].bytes, 5);
    READ(ANN, document_get, &old);
    CHECK_TEXT(old.document.object_key, key_of('a'));
    CHECK_INT(old.document.version, 3);
    old.version = 4;
    REFUSE_READ(ANN, document_get, &old, FOOTNOTE_NOTFOUND, "version");
    REFUSE_READ(BEN, document_versions, &v, FOOTNOTE_NOTFOUND, "document");
    op.document.id = STR("nothing");
    REFUSE(ANN, document_put, &op, FOOTNOTE_NOTFOUND, "document");
}

/* ---- Which document it is ----------------------------------------------- */

STORED(the_same_bytes_in_a_course_are_one_document_unless_it_has_another_id)
{
    struct document_put a, b, c;

    course_make(ANN, "physics");
    a = queued("x", "bytes", 'a');
    a.document.id = STR_NONE;
    b = a;
    b.document.object_key = key_of('b');
    WRITE(ANN, document_put, &a);
    WRITE(ANN, document_put, &b);
    CHECK(a.made && a.keeps && !b.made && !b.keeps);
    CHECK_STR(a.id_text, b.id_text);
    c = put("other", "bytes", 'c');
    CHECK(c.made && c.keeps);
    CHECK_STR(c.id_text, "other");
}

static struct document_put entry(const char *date, const char *title,
                                 const char *text, char key)
{
    struct document_put op = queued("x", text, key);

    op.document.id = STR_NONE;
    op.document.kind = DOCUMENT_JOURNAL;
    op.document.date = str_c(date);
    op.document.title = str_c(title);
    WRITE(ANN, document_put, &op);
    return op;
}

STORED(a_journal_entry_is_known_by_its_date_and_title)
{
    struct document_put a, same, changed, other;

    course_make(ANN, "physics");
    a = entry("2024-01-15", "On entropy", "text", 'a');
    same = entry("2024-01-15", "On entropy", "text", 'b');
    changed = entry("2024-01-15", "On entropy", "new text", 'c');
    other = entry("2024-01-16", "On entropy", "new text", 'd');
    CHECK_STR(same.id_text, a.id_text);
    CHECK(!same.made && !same.keeps);
    CHECK_STR(changed.id_text, a.id_text);
    CHECK_INT(changed.version, 2);
    CHECK(changed.made && changed.keeps);
    CHECK(other.made && strcmp(other.id_text, a.id_text) != 0);
}

STORED(a_page_is_known_by_its_url_and_gets_its_bytes_later)
{
    struct document_put op = {.document = {.course = STR("physics"),
                                           .kind = DOCUMENT_PAGE,
                                           .url = STR("https://e.org/a")},
                              .queue = true};
    struct document_put again = op;
    struct job_fetched f = {.media_type = STR("text/html"), .bytes = 7};
    struct job_claim c;
    struct document d;

    course_make(ANN, "physics");
    WRITE(ANN, document_put, &op);
    CHECK(op.made && !op.keeps);
    c = claim();
    CHECK_TEXT(c.job.document.url, STR("https://e.org/a"));
    f.job = &c.job;
    f.object_key = key_of('f');
    CHECK_OK(sha256(STR("<p>page"), &f.digest, &err), &err);
    OWN(job_fetched, &f);
    end(&c.job, DOCUMENT_READY);
    d = document_of(op.id_text);
    CHECK_TEXT(d.object_key, key_of('f'));
    CHECK_TEXT(d.media_type, STR("text/html"));
    CHECK_INT(d.bytes, 7);
    WRITE(ANN, document_put, &again); /* look again at what it says now */
    CHECK_STR(again.id_text, op.id_text);
    CHECK_INT(again.version, 2);
}

STORED(a_recording_stays_beside_its_transcript)
{
    struct document_put op = queued("lecture", "WEBVTT", 'a');
    struct document_put same = op;
    struct document d;

    course_make(ANN, "physics");
    op.document.media = (struct document_media){.object_key = key_of('b'),
                                                .filename = STR("l.mp4"),
                                                .media_type = STR("video/mp4"),
                                                .bytes = 3};
    CHECK_OK(sha256(STR("mp4"), &op.document.media.digest, &err), &err);
    same.document.media = op.document.media;
    same.document.media.object_key = key_of('c');
    WRITE(ANN, document_put, &op);
    CHECK(op.keeps && op.keeps_media);
    d = document_of("lecture");
    CHECK_TEXT(d.media.object_key, key_of('b'));
    CHECK_TEXT(d.media.filename, STR("l.mp4"));
    CHECK_TEXT(d.media.media_type, STR("video/mp4"));
    CHECK_INT(d.media.bytes, 3);
    CHECK(sha256_eq(&d.media.digest, &op.document.media.digest));
    WRITE(ANN, document_put, &same);
    CHECK(!same.made && !same.keeps_media);
    CHECK_OK(sha256(STR("mp5"), &same.document.media.digest, &err), &err);
    WRITE(ANN, document_put, &same); /* another recording: a new version */
    CHECK(same.made && same.keeps_media);
    CHECK_INT(same.version, 2);
}

STORED(documents_are_listed_by_their_status)
{
    struct document_list list = {
        .course = STR("physics"), .has_status = true, .limit = 1};
    struct job_claim c;

    course_make(ANN, "physics");
    put("a", "1", 'a');
    put("b", "2", 'b');
    put("c", "3", 'c');
    c = claim();
    end(&c.job, DOCUMENT_READY);
    list.status = DOCUMENT_QUEUED;
    READ(ANN, document_list, &list);
    CHECK_INT(list.documents_n, 1);
    CHECK_TEXT(list.documents[0].id, STR("b"));
    list.after_key = list.documents[0].key;
    READ(ANN, document_list, &list);
    CHECK_TEXT(list.documents[0].id, STR("c"));
    list.after_key = 0;
    list.status = DOCUMENT_READY;
    READ(ANN, document_list, &list);
    CHECK_TEXT(list.documents[0].id, STR("a"));
}

/* ---- The end ------------------------------------------------------------ */

static struct object_garbage garbage(void)
{
    struct object_garbage g = {.deleted_before_ms = INT64_MAX};

    OWN_READ(object_garbage, &g);
    return g;
}

STORED(objects_of_what_is_deleted_are_garbage_until_they_are_forgotten)
{
    struct document_delete del = {.id = STR("a")};
    struct course_delete all = {.id = STR("physics")};
    struct str keys[] = {key_of('a'), key_of('b'), key_of('e')};
    struct object_unknown u = {.keys = keys, .keys_n = 3};
    struct object_forget forget = {.key = keys[0]};
    struct job_count n;

    course_make(ANN, "physics");
    put("a", "1", 'a');
    put("b", "2", 'b');
    put("b", "3", 'c');
    CHECK_INT(garbage().keys_n, 0);
    OWN(object_forget, &forget); /* is named: it stays */
    WRITE(ANN, document_delete, &del);
    CHECK_INT(garbage().keys_n, 1);
    CHECK_TEXT(garbage().keys[0], keys[0]);
    OWN_READ(object_unknown, &u);
    CHECK(!u.unknown[0] && !u.unknown[1] && u.unknown[2]);
    OWN(object_forget, &forget);
    OWN_READ(object_unknown, &u);
    CHECK(u.unknown[0]);
    OWN_READ(job_count, &n);
    CHECK_INT(n.waiting, 1);
    WRITE(ANN, course_delete, &all);
    CHECK_INT(garbage().keys_n, 2); /* of both versions */
    OWN_READ(job_count, &n);
    CHECK_INT(n.waiting + n.running, 0);
    CHECK(!claim().found);
}

STORED(a_document_that_is_deleted_while_it_is_read_stays_deleted)
{
    struct document_delete del = {.id = STR("d")};
    struct document_get get = {.id = STR("d")};
    struct job_claim c;
    struct job_end e = {.status = DOCUMENT_READY};

    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    c = claim();
    step(&c.job, 1, 2);
    WRITE(ANN, document_delete, &del);
    e.job = &c.job;
    OWN_REFUSE(job_end, &e, FOOTNOTE_ENDED, "deleted");
    REFUSE_READ(ANN, document_get, &get, FOOTNOTE_NOTFOUND, "document");
    CHECK_INT(sql_i64("SELECT count(*) FROM passage"), 0);
}

/* ---- Watching ----------------------------------------------------------- */

static char told[512];

static void watch(void *arg, const struct document_change *c)
{
    size_t n = strlen(told);

    (void)arg;
    snprintf(told + n, sizeof(told) - n, "%.*s/%.*s/%.*s %s; ",
             STR_ARG(c->tenant), STR_ARG(c->course), STR_ARG(c->document),
             c->deleted                       ? "deleted"
             : c->status == DOCUMENT_QUEUED   ? "queued"
             : c->status == DOCUMENT_INDEXING ? "indexing"
             : c->status == DOCUMENT_READY    ? "ready"
                                              : "failed");
}

STORED(watchers_are_told_of_every_change)
{
    struct document_delete del = {.id = STR("d")};
    struct course_delete all = {.id = STR("physics")};
    struct job_claim c;

    store_watch(st, watch, NULL);
    course_make(ANN, "physics");
    put("d", "bytes", 'a');
    put("d", "bytes", 'b'); /* the same: nothing to tell */
    c = claim();
    claim();
    step(&c.job, 1, 2);
    end(&c.job, DOCUMENT_READY);
    WRITE(ANN, document_delete, &del);
    WRITE(ANN, document_delete, &del);
    WRITE(ANN, course_delete, &all);
    store_unwatch(st, NULL);
    course_make(ANN, "more");
    CHECK_STR(told, "default/physics/d queued; default/physics/d indexing; "
                    "default/physics/d ready; default/physics/d deleted; "
                    "default/physics/ deleted; ");
}

/* ---- Statistics --------------------------------------------------------- */

STORED(a_course_says_what_is_cited_and_what_never_was)
{
    struct course_stats s = {.course = STR("physics"), .limit = 5};
    struct reference refs[] = {slide("often", 1, "Heat flows."),
                               slide("read", 1, "Cold does not.")};

    clock_stopped(1700000000000); /* 2023-11-14 */
    course_make(ANN, "physics");
    document_make(ANN, "physics", "often", "1");
    document_make(ANN, "physics", "read", "2");
    document_make(ANN, "physics", "never", "3");
    answer(ANN, "s", "m1", "Heat flows [1].", refs, 2);
    answer(ANN, "s", "m2", "Heat flows [1], it does [1].", refs, 2);
    READ(ANN, course_stats, &s);
    CHECK_INT(s.most_n, 1);
    CHECK_TEXT(s.most[0].document, STR("often"));
    CHECK_INT(s.most[0].cited_n, 2);
    CHECK_INT(s.never_n, 2);
    CHECK_TEXT(s.never[0].document, STR("read"));
    CHECK_TEXT(s.never[1].document, STR("never"));
    CHECK_INT(s.per_day_n, 1);
    CHECK_STR(s.per_day[0].date, "2023-11-14");
    CHECK_INT(s.per_day[0].count, 2);
    CHECK_INT(s.verdicts.answers, 2);
    CHECK_INT(s.verdicts.unsupported, 0);
    answer(ANN, "s", "m3",
           "Heat flows [1]. Apes of Peru drink sweet red wine [1]. So [9].",
           refs, 2);
    READ(ANN, course_stats, &s);
    CHECK_INT(s.verdicts.answers, 3);
    CHECK_INT(s.verdicts.unsupported, 1);
    CHECK_INT(s.verdicts.sentences, 5);
    CHECK_INT(s.verdicts.carried, 2);
    clock_stopped(1700000000000 + INT64_C(40) * 24 * 3600 * 1000);
    READ(ANN, course_stats, &s);
    CHECK_INT(s.per_day_n, 0);
    CHECK_INT(s.verdicts.answers, 0);
    REFUSE_READ(BEN, course_stats, &s, FOOTNOTE_NOTFOUND, "course");
}

/* ---- Turns -------------------------------------------------------------- */

/* A document of a user's, in a course that has the user's name. */
static void put_of(struct who who, const char *id)
{
    struct document_put op = queued(id, id, 'a');

    op.document.course = who.user;
    WRITE(who, document_put, &op);
}

/* Claims n jobs; their documents, one after the other. */
static const char *claims(struct store *node, int64_t most, int n)
{
    static char ids[256];

    ids[0] = '\0';
    for (int i = 0; i < n; i++) {
        struct job_claim c = {.out = &out, .most = most};

        CHECK_OK(store_own(node, OP(job_claim), &c, &err), &err);
        if (c.found)
            snprintf(ids + strlen(ids), sizeof(ids) - strlen(ids), "%.*s ",
                     STR_ARG(c.job.document.id));
    }
    return ids;
}

static void courses_of_both(void)
{
    course_make(ANN, "ann");
    course_make(BEN, "ben");
}

STORED(users_take_turns_with_their_jobs)
{
    courses_of_both();
    for (char i = '1'; i <= '6'; i++)
        put_of(ANN, (char[]){'a', i, '\0'});
    CHECK_STR(claims(st, 0, 2), "a1 a2 ");
    put_of(BEN, "b1");
    put_of(BEN, "b2");
    CHECK_STR(claims(st, 0, 3), "a3 b1 a4 ");
    put_of(ANN, "a7");
    CHECK_STR(claims(st, 0, 5), "b2 a5 a6 a7 ");
}

/* Another version of a document, and one that is given back, wait in line. */
STORED(a_new_version_does_not_jump_the_queue)
{
    struct document_put again = queued("a1", "more", 'b');

    courses_of_both();
    put_of(ANN, "a1");
    put_of(ANN, "a2");
    put_of(BEN, "b1");
    again.document.course = STR_NONE;
    again.must_exist = true;
    WRITE(ANN, document_put, &again);
    CHECK_STR(claims(st, 0, 3), "b1 a2 a1 ");
}

STORED(one_user_does_not_hold_all_workers_while_others_wait)
{
    struct store *other;

    courses_of_both();
    for (char i = '1'; i <= '4'; i++)
        put_of(ANN, (char[]){'a', i, '\0'});
    CHECK_STR(claims(st, 2, 2), "a1 a2 ");
    put_of(BEN, "b1");
    put_of(BEN, "b2");
    CHECK_STR(claims(st, 2, 2), "b1 b2 "); /* a3 was before b1 */
    put_of(BEN, "b3");
    CHECK_OK(store_open(test_url(), &other, &err), &err);
    CHECK_STR(claims(other, 2, 1), "a3 "); /* Ann has none there */
    store_close(other);
    CHECK_STR(claims(st, 0, 4), "a3 a4 b3 ");
}

/* ---- Many at once ------------------------------------------------------- */

enum { WORKERS = 4, DOCUMENTS = 24 };

static void *worker(void *arg)
{
    long *done = arg;

    for (;;) {
        AUTO(arena_free) struct arena a = ARENA((size_t)1024 * 1024);
        struct footnote_err e;
        struct job_claim c = {.out = &a};
        struct job_end ready = {.job = &c.job, .status = DOCUMENT_READY};

        CHECK_OK(store_own(st, OP(job_claim), &c, &e), &e);
        if (!c.found)
            return NULL;
        CHECK_OK(store_own(st, OP(job_end), &ready, &e), &e);
        ++*done;
    }
}

STORED(a_job_is_claimed_by_one_of_many_threads)
{
    pthread_t threads[WORKERS];
    long done[WORKERS] = {0}, all = 0;

    course_make(ANN, "physics");
    for (int i = 0; i < DOCUMENTS; i++) {
        char id[8] = {'d', (char)('a' + i), '\0'};
        put(id, id, (char)('a' + i % 6));
    }
    for (int i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&threads[i], NULL, worker, &done[i]) == 0);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        all += done[i];
    }
    CHECK_INT(all, DOCUMENTS);
}
