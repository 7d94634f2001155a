/* insights.c - what is missing in a course: for its editors, without names.
 *
 * Conversations are read one by one as their owners read them, and counted
 * (insights_count.c).  Nothing of it is kept. */
#include "http/api/insights_count.h"

#include "base/clock.h"
#include "base/json.h"
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/read/insights.h"

enum {
    SESSIONS_MAX = 1000,
    WEEKS = 8,
    SHOWN_MAX = 50,
    DAY_MS = 24 * 3600 * 1000,
    WEEK_MS = 7 * DAY_MS,
    READ_BYTES_MAX = 64 * 1024 * 1024 /* one conversation */
};

/* ---- Reading ------------------------------------------------------------ */

/* One that its owner may not read any more is passed over. */
static enum footnote_rc read_one(struct request *r, struct insights *in,
                                 const struct insights_session *s,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(READ_BYTES_MAX);
    struct history h = {.session = s->id, .light = true, .brief = true};
    const struct who owner = {.tenant = caller(r)->who.tenant,
                              .user = s->owner};
    enum footnote_rc rc =
        store_read(services(r)->store, owner, &a, OP(history), &h, err);

    if (rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    return rc == FOOTNOTE_OK ? insights_add(in, s->owner, &h, err) : rc;
}

static bool read_all(struct request *r, struct insights *in,
                     const struct insights_sessions *op)
{
    AUTO(analyser_closep) struct analyser *words = NULL;
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = analyser_open(&words, &err);

    in->words = words;
    for (size_t i = 0; rc == FOOTNOTE_OK && i < op->sessions_n; i++)
        rc = read_one(r, in, &op->sessions[i], &err);
    in->words = NULL;
    if (rc == FOOTNOTE_OK) {
        insights_sort(in);
        return true;
    }
    call_failed(r, rc, &err, "course");
    return false;
}

/* ---- As JSON ------------------------------------------------------------ */

static void week_json(struct buf *b, const struct insights *in, size_t i)
{
    buf_add(b, STR("{\"from\":"));
    shape_time(b, in->since_ms + (int64_t)i * WEEK_MS);
    buf_add(b, STR(",\"questions\":"));
    buf_add_i64(b, in->weeks[i].questions);
    buf_add(b, STR(",\"foundNothing\":"));
    buf_add_i64(b, in->weeks[i].nothing);
    buf_add_c(b, '}');
}

static void group_json(struct buf *b, const struct insights_group *g)
{
    buf_add(b, STR("{\"question\":"));
    buf_add_json(b, g->ways[0]);
    if (g->rating != FEEDBACK_NONE) {
        buf_add(b, STR(",\"rating\":"));
        buf_add_json(b, feedback_name(g->rating));
    }
    buf_add(b, STR(",\"asked\":"));
    buf_add_i64(b, g->asked);
    buf_add(b, STR(",\"ways\":"));
    shape_strings(b, g->ways, g->ways_n);
    buf_add(b, STR(",\"last\":"));
    shape_time(b, g->last_ms);
    buf_add_c(b, '}');
}

/* Those that may be told; of the others, how many questions they are. */
static void groups_json(struct buf *b, const struct insights *in, bool marked)
{
    int64_t few = 0;
    size_t n = 0;

    buf_add(b, STR("{\"groups\":["));
    for (size_t i = 0; i < in->groups_n; i++) {
        const struct insights_group *g = &in->groups[i];

        if ((g->rating != FEEDBACK_NONE) != marked)
            continue;
        if (!insights_may_tell(g) || n == SHOWN_MAX) {
            few += g->asked;
            continue;
        }
        if (n++)
            buf_add_c(b, ',');
        group_json(b, g);
    }
    buf_add(b, STR("],\"untold\":"));
    buf_add_i64(b, few);
    buf_add_c(b, '}');
}

static void resting_json(struct buf *b, const struct insights *in)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < in->resting_n && i < SHOWN_MAX; i++) {
        const struct insights_resting *d = &in->resting[i];

        if (i)
            buf_add_c(b, ',');
        buf_add(b, STR("{\"documentId\":"));
        buf_add_json(b, d->document);
        buf_add(b, STR(",\"title\":"));
        shape_str(b, d->title);
        buf_add(b, STR(",\"state\":"));
        buf_add_json(b, state_name(d->state));
        buf_add(b, STR(",\"answers\":"));
        buf_add_i64(b, d->answers);
        buf_add_c(b, '}');
    }
    buf_add_c(b, ']');
}

static void number_json(struct buf *b, const char *key, int64_t n)
{
    buf_printf(b, ",\"%s\":%lld", key, (long long)n);
}

static void begin_json(struct buf *b, struct str course, bool on)
{
    buf_add(b, STR("{\"courseId\":"));
    buf_add_json(b, course);
    buf_add(b, on ? STR(",\"on\":true") : STR(",\"on\":false"));
}

static void all_json(struct buf *b, const struct insights *in)
{
    begin_json(b, in->course, true);
    buf_add(b, STR(",\"from\":"));
    shape_time(b, in->since_ms);
    number_json(b, "questions", in->questions);
    number_json(b, "foundNothing", in->nothing);
    number_json(b, "markedWrong", in->marked_wrong);
    number_json(b, "notCarried", in->uncarried);
    number_json(b, "contradicting", in->contradicting);
    number_json(b, "peopleAtLeast", INSIGHTS_PEOPLE_MIN);
    buf_add(b, STR(",\"weeks\":["));
    for (size_t i = 0; i < in->weeks_n; i++) {
        if (i)
            buf_add_c(b, ',');
        week_json(b, in, i);
    }
    buf_add(b, STR("],\"nothing\":"));
    groups_json(b, in, false);
    buf_add(b, STR(",\"wrong\":"));
    groups_json(b, in, true);
    buf_add(b, STR(",\"resting\":"));
    resting_json(b, in);
    buf_add_c(b, '}');
}

/* ---- As a table --------------------------------------------------------- */

/* A sheet would take what begins like this for a formula. */
static void cell(struct buf *b, struct str s)
{
    buf_add_c(b, '"');
    if (s.n && strchr("=+-@\t\r", s.p[0]))
        buf_add_c(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_add_c(b, '"');
        buf_add_c(b, s.p[i]);
    }
    buf_add_c(b, '"');
}

static void row(struct buf *b, struct str what, struct str about, int64_t n)
{
    cell(b, what);
    buf_add_c(b, ',');
    cell(b, about);
    buf_add_c(b, ',');
    buf_add_i64(b, n);
    buf_add(b, STR("\r\n"));
}

static void all_csv(struct buf *b, const struct insights *in)
{
    char from[CLOCK_TEXT + 1];

    buf_add(b, STR("what,about,count\r\n"));
    row(b, STR("questions"), STR(""), in->questions);
    row(b, STR("found nothing"), STR(""), in->nothing);
    row(b, STR("marked wrong"), STR(""), in->marked_wrong);
    row(b, STR("not carried"), STR(""), in->uncarried);
    row(b, STR("contradicting"), STR(""), in->contradicting);
    for (size_t i = 0; i < in->weeks_n; i++) {
        clock_text(in->since_ms + (int64_t)i * WEEK_MS, from);
        row(b, STR("questions in the week from"), (struct str){from, 10},
            in->weeks[i].questions);
        row(b, STR("found nothing in the week from"), (struct str){from, 10},
            in->weeks[i].nothing);
    }
    for (size_t i = 0; i < in->groups_n; i++)
        if (insights_may_tell(&in->groups[i]))
            row(b,
                in->groups[i].rating == FEEDBACK_NONE
                    ? STR("found nothing")
                    : feedback_name(in->groups[i].rating),
                in->groups[i].ways[0], in->groups[i].asked);
    for (size_t i = 0; i < in->resting_n; i++)
        row(b, state_name(in->resting[i].state),
            in->resting[i].title.p ? in->resting[i].title
                                   : in->resting[i].document,
            in->resting[i].answers);
}

/* ---- GET /api/courses/{id}/insights ------------------------------------- */

static void reply_csv(struct request *r, const struct insights *in)
{
    AUTO(buf_free) struct buf b = BUF(REPLY_BYTES_MAX);
    struct str text;

    all_csv(&b, in);
    text = arena_str(&r->arena, buf_str(&b));
    if (buf_rc(&b, NULL) != FOOTNOTE_OK || !text.p) {
        call_no_memory(r);
        return;
    }
    reply_header(r, STR("Content-Disposition"),
                 STR("attachment; filename=\"insights.csv\""));
    reply_text(r, 200, STR("text/csv; charset=utf-8"), text);
}

static void insights_work(struct request *r)
{
    static const char *const words[] = {"json", "csv", NULL};
    struct insights_sessions op = {.max = SESSIONS_MAX};
    AUTO(buf_free) struct buf b = BUF(REPLY_BYTES_MAX);
    int64_t weeks = WEEKS, now = clock_wall_ms();
    struct insights *in;
    int word;

    if (!call_word(r, STR("format"), words, &word) ||
        !call_number(r, STR("weeks"), 1, INSIGHTS_WEEKS_MAX, &weeks) ||
        !call_param(r, 0, "course", &op.course) || !call_editor(r, op.course))
        return;
    op.since_ms = now - now % DAY_MS + DAY_MS - weeks * WEEK_MS;
    if (!call_read(r, OP(insights_sessions), &op, "course"))
        return;
    if (!op.on) {
        begin_json(&b, op.course, false);
        buf_add_c(&b, '}');
        reply_json(r, 200, &b);
        return;
    }
    in = arena_new(&r->arena, struct insights);
    if (!in) {
        call_no_memory(r);
        return;
    }
    *in = (struct insights){.a = &r->arena,
                            .course = op.course,
                            .since_ms = op.since_ms,
                            .weeks_n = (size_t)weeks};
    if (!read_all(r, in, &op))
        return;
    if (word == 1) {
        reply_csv(r, in);
        return;
    }
    all_json(&b, in);
    reply_json(r, 200, &b);
}

void api_insights(struct request *r)
{
    request_work_slow(r, insights_work);
}

/* ---- PUT /api/courses/{id}/insights ------------------------------------- */

struct switch_call {
    struct insights_switch op;
    bool has_on;
};
// clang-format off
static const struct field switch_fields[] = {
    {FIELD_NAME("on"), FIELD_FLAG, offsetof(struct switch_call, op.on),
     offsetof(struct switch_call, has_on), 0, true},
};
// clang-format on

static void switched(struct request *r)
{
    const struct switch_call *call = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (r->rc != FOOTNOTE_OK) {
        call_owner_failed(r);
        return;
    }
    buf_add(&b, call->op.on ? STR("{\"on\":true}") : STR("{\"on\":false}"));
    reply_json(r, 200, &b);
}

void api_insights_switch(struct request *r)
{
    struct switch_call *call = call_state(r, sizeof(*call));
    struct intake in = {.a = &r->arena};

    if (!call || !call_param(r, 0, "course", &call->op.course) ||
        !call_body(r, switch_fields, FIELDS_N(switch_fields), call))
        return;
    if (!call->has_on) {
        intake_missing(&in, STR("on"));
        call_refused(r, &in);
        return;
    }
    request_write(r, OP(insights_switch), &call->op, switched);
}
