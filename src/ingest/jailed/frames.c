/* frames.c - lines of a reader in the jail, written and read. */
#include "ingest/jailed/frames.h"
#include "base/json.h"
#include "ingest/format/journal.h"
#include "store/document/reason.h"
#include <assert.h>

/* ---- The child's side ---------------------------------------------------- */

static void add_text(struct json_out *w, struct str key, struct str text)
{
    json_key(w, key);
    json_str(w, text);
}

static void add_number(struct json_out *w, struct str key, int64_t v)
{
    json_key(w, key);
    json_i64(w, v);
}

static struct json_out begin(struct buf *b, struct str key)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, key);
    return w;
}

static void end(struct json_out *w)
{
    json_end(w, '}');
    buf_add_c(w->b, '\n');
}

void frames_passage(struct buf *b, const struct passage *p)
{
    struct json_out w = begin(b, STR("passage"));

    assert(!p->has_seconds && !p->boxes.p);
    json_object(&w);
    add_number(&w, STR("page"), p->page);
    add_text(&w, STR("heading"), p->heading);
    add_text(&w, STR("text"), p->text);
    add_text(&w, STR("locator"), p->locator);
    json_key(&w, STR("extra"));
    json_raw(&w, p->extra.p ? p->extra : STR("null"));
    json_end(&w, '}');
    end(&w);
}

void frames_progress(struct buf *b, int64_t done, int64_t total)
{
    struct json_out w = begin(b, STR("progress"));

    json_array(&w);
    json_i64(&w, done);
    json_i64(&w, total);
    json_end(&w, ']');
    end(&w);
}

void frames_facts(struct buf *b, const struct extract_facts *f)
{
    struct json_out w = begin(b, STR("facts"));

    assert(f->seconds <= 0);
    json_object(&w);
    add_text(&w, STR("title"), f->title);
    add_text(&w, STR("language"), f->language);
    add_text(&w, STR("date"), f->date);
    add_text(&w, STR("encoding"), str_c(f->encoding));
    add_text(&w, STR("warning"), str_c(f->warning));
    add_number(&w, STR("pages"), f->pages);
    json_key(&w, STR("hidden"));
    json_bool(&w, f->hidden_text);
    json_end(&w, '}');
    end(&w);
}

void frames_refusal(struct buf *b, const struct footnote_err *why)
{
    struct json_out w = begin(b, STR("refused"));

    json_array(&w);
    json_str(&w, str_c(reason_code(reason_of(why))));
    json_str(&w, str_c(why->text));
    json_end(&w, ']');
    end(&w);
}

/* ---- The server's side: values ------------------------------------------- */

static enum footnote_rc nonsense(struct footnote_err *err)
{
    return refuse(err, DAMAGED,
                  "the program that reads such files said something about "
                  "this one that makes no sense");
}

/* Absent, or a text that can be stored. */
static bool text_of(const struct json *o, struct str key, size_t most,
                    struct str *out)
{
    const struct json *v = json_get(o, key);

    *out = v && v->type == JSON_STR ? v->s : STR_NONE;
    return v && (v->type == JSON_STR || v->type == JSON_NULL) &&
           out->n <= most && (out->n == 0 || !memchr(out->p, 0, out->n));
}

/* A sentence that is shown as it is: on one line. */
static bool is_sentence(struct str s, size_t room)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
            return false;
    return s.n < room;
}

static bool number_of(const struct json *v, int64_t most, int64_t *out)
{
    if (!v || v->type != JSON_I64 || v->i < 0 || v->i > most)
        return false;
    *out = v->i;
    return true;
}

/* Absent, or an object, as it was written. */
static bool extra_of(const struct json *v, struct str *out)
{
    *out = v && v->type == JSON_OBJECT ? v->raw : STR_NONE;
    return v && (v->type == JSON_NULL || v->type == JSON_OBJECT) &&
           out->n <= FRAME_EXTRA_BYTES_MAX;
}

static bool is_date(struct str s)
{
    char day[11];
    size_t n;

    return journal_date(s, day, &n) && n == s.n && str_eq(s, str_c(day));
}

/* ---- The server's side: lines -------------------------------------------- */

static enum footnote_rc on_passage(struct frames *f, const struct json *o,
                                   struct footnote_err *err)
{
    struct passage p = {.position = f->position + 1};

    if (p.position > PASSAGES_MAX ||
        !number_of(json_get(o, STR("page")), PASSAGES_MAX, &p.page) ||
        !text_of(o, STR("heading"), SOURCE_LABEL_BYTES_MAX, &p.heading) ||
        !text_of(o, STR("text"), SOURCE_TEXT_BYTES_MAX, &p.text) ||
        !text_of(o, STR("locator"), SOURCE_ID_BYTES_MAX, &p.locator) ||
        !extra_of(json_get(o, STR("extra")), &p.extra) || p.text.n == 0)
        return nonsense(err);
    f->position++;
    return f->sink->passage(f->sink->arg, &p, err);
}

static enum footnote_rc on_progress(struct frames *f, const struct json *pair,
                                    struct footnote_err *err)
{
    const int64_t most = INT64_MAX / 2;
    int64_t done, total;

    if (pair->type != JSON_ARRAY || pair->n != 2 ||
        !number_of(pair->first->next, most, &total) ||
        !number_of(pair->first, total, &done) || done < f->done)
        return nonsense(err);
    f->done = done;
    f->total = total;
    return f->sink->progress ? f->sink->progress(f->sink->arg, done, total, err)
                             : FOOTNOTE_OK;
}

static enum footnote_rc on_facts(struct frames *f, const struct json *o,
                                 struct footnote_err *err)
{
    struct extract_facts *facts = f->facts;
    const struct json *hidden = json_get(o, STR("hidden"));
    struct str title, language, date, encoding, warning;

    if (f->position == 0 ||
        !text_of(o, STR("title"), STORE_TITLE_BYTES_MAX, &title) ||
        !text_of(o, STR("language"), STORE_ID_BYTES_MAX, &language) ||
        !text_of(o, STR("date"), sizeof("2026-02-26") - 1, &date) ||
        !text_of(o, STR("encoding"), STORE_ID_BYTES_MAX, &encoding) ||
        !text_of(o, STR("warning"), sizeof(facts->warning), &warning) ||
        !is_sentence(warning, sizeof(facts->warning)) ||
        (date.p && !is_date(date)) ||
        !number_of(json_get(o, STR("pages")), PASSAGES_MAX, &facts->pages) ||
        !hidden || (hidden->type != JSON_TRUE && hidden->type != JSON_FALSE))
        return nonsense(err);
    facts->title = arena_str(f->a, title);
    facts->language = arena_str(f->a, language);
    facts->date = arena_str(f->a, date);
    facts->encoding = charset_name(encoding);
    facts->hidden_text = hidden->type == JSON_TRUE;
    if (warning.n)
        memcpy(facts->warning, warning.p, warning.n);
    f->ended = true;
    return arena_rc(f->a, err);
}

/* A reader knows no other failures: the rest is ours. */
static bool may_refuse(enum read_reason r)
{
    return r != REASONS_N && (reason_rc(r) == FOOTNOTE_INVALID ||
                              reason_rc(r) == FOOTNOTE_TOOBIG);
}

static enum footnote_rc on_refusal(struct frames *f, const struct json *pair,
                                   struct footnote_err *err)
{
    char sentence[sizeof(f->why.text)];
    enum read_reason reason;
    struct str why;

    if (pair->type != JSON_ARRAY || pair->n != 2 ||
        pair->first->type != JSON_STR || pair->first->next->type != JSON_STR)
        return nonsense(err);
    reason = reason_by_code(pair->first->s);
    why = pair->first->next->s;
    if (!may_refuse(reason) || why.n == 0 ||
        !is_sentence(why, sizeof(sentence)))
        return nonsense(err);
    memcpy(sentence, why.p, why.n);
    sentence[why.n] = '\0';
    f->refused = refuse_as(&f->why, reason, sentence);
    f->ended = true;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_line(struct frames *f, struct footnote_err *err)
{
    struct json *o;
    enum footnote_rc rc;

    arena_reset(&f->tree);
    rc = json_read(&f->tree, buf_str(&f->line), &o, err);
    if (rc == FOOTNOTE_NOMEM)
        return rc;
    if (rc != FOOTNOTE_OK || f->ended || o->type != JSON_OBJECT || o->n != 1)
        return nonsense(err);
    if (str_eq(o->first->key, STR("passage")))
        return on_passage(f, o->first, err);
    if (str_eq(o->first->key, STR("progress")))
        return on_progress(f, o->first, err);
    if (str_eq(o->first->key, STR("facts")))
        return on_facts(f, o->first, err);
    if (str_eq(o->first->key, STR("refused")))
        return on_refusal(f, o->first, err);
    return nonsense(err);
}

void frames_init(struct frames *f, const struct passage_sink *sink,
                 struct arena *a, struct extract_facts *facts)
{
    *facts = (struct extract_facts){.warning = ""};
    *f = (struct frames){.sink = sink,
                         .a = a,
                         .facts = facts,
                         .line = BUF(FRAME_BYTES_MAX),
                         .tree = ARENA(FRAME_ARENA_BYTES_MAX)};
}

void frames_free(struct frames *f)
{
    buf_free(&f->line);
    arena_free(&f->tree);
}

enum footnote_rc frames_add(struct frames *f, struct str bytes,
                            struct footnote_err *err)
{
    while (bytes.n) {
        size_t n = str_find(bytes, '\n');

        buf_add(&f->line, (struct str){bytes.p, n});
        if (f->line.broken == FOOTNOTE_TOOBIG)
            return nonsense(err);
        TRY(buf_rc(&f->line, err));
        if (n == bytes.n)
            return FOOTNOTE_OK;
        bytes = str_skip(bytes, n + 1);
        TRY(read_line(f, err));
        buf_reset(&f->line);
    }
    return FOOTNOTE_OK;
}

enum footnote_rc frames_end(const struct frames *f, struct footnote_err *err)
{
    if (!f->ended || f->line.n)
        return nonsense(err);
    if (f->refused != FOOTNOTE_OK && err)
        *err = f->why;
    return f->refused;
}
