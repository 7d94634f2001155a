/* show.c - the progress of `footnote ingest`. */
#include "cli/ingest/show.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"

enum { LINE_BYTES_MAX = 64 * 1024, NAME_CHARS = 32 };

/* ---- JSON --------------------------------------------------------------- */

static void open_event(struct buf *b, struct json_out *w, const char *event,
                       const struct plan_item *item)
{
    *w = JSON_OUT(b);
    json_object(w);
    json_key(w, STR("event"));
    json_str(w, str_c(event));
    if (!item)
        return;
    json_key(w, STR("file"));
    json_str(w, item->name);
}

static void add_text(struct json_out *w, const char *key, struct str text)
{
    json_key(w, str_c(key));
    json_str(w, text);
}

static void add_number(struct json_out *w, const char *key, int64_t n)
{
    json_key(w, str_c(key));
    json_i64(w, n);
}

static void close_event(struct buf *b, struct json_out *w)
{
    json_end(w, '}');
    buf_add_c(b, '\n');
    if (buf_rc(b, NULL) != FOOTNOTE_OK)
        return;
    fwrite(b->p, 1, b->n, stdout);
    fflush(stdout);
}

/* ---- Lines -------------------------------------------------------------- */

static size_t finished(const struct show *s)
{
    return s->added + s->unchanged + s->failed + s->passed_over;
}

static void print_note(struct show *s, const struct plan_item *item,
                       const char *what, struct str why)
{
    if (s->form == SHOW_JSON || s->quiet)
        return;
    progress_clear(&s->progress);
    fprintf(stderr, "%.*s: %s%s%.*s\n", STR_ARG(item->name), what,
            why.n ? ": " : "", STR_ARG(why));
}

/* The end of a name says more than its beginning. */
static struct str end_of(struct str name)
{
    if (name.n > NAME_CHARS)
        name = str_skip(name, name.n - NAME_CHARS);
    while (name.n && ((unsigned char)*name.p & 0xC0) == 0x80)
        name = str_skip(name, 1);
    return name;
}

/* A file that fails takes the pages with it that were counted for it: what was
 * said stays said. */
static void draw_progress(struct show *s, const struct plan_item *item)
{
    int64_t ms = clock_mono_ms() - s->progress.began_ms;
    int64_t pages = s->pages + s->pages_now;
    char text[PROGRESS_TEXT_BYTES];

    if (s->form == SHOW_JSON || !progress_is_due(&s->progress))
        return;
    assert(finished(s) <= s->files && s->bytes_done <= s->bytes);
    if (pages > s->pages_said)
        s->pages_said = pages;
    snprintf(text, sizeof(text),
             "%zu of %zu files  %lld pages  %.0f pages/s  %.*s", finished(s),
             s->files, (long long)s->pages_said,
             ms > 0 ? (double)s->pages_said * 1000.0 / (double)ms : 0.0,
             STR_ARG(item ? end_of(item->name) : STR("")));
    progress_draw(&s->progress,
                  s->bytes > 0 ? (double)s->bytes_done / (double)s->bytes : -1,
                  text);
}

/* ---- Events ------------------------------------------------------------- */

/* A file takes about as long as it is large; how many pages it has is known
 * when it is read. */
void show_begin(struct show *s, const struct plan *plan)
{
    s->files = plan->n - plan->unchanged_n;
    s->bytes = s->bytes_done = s->pages_said = 0;
    for (const struct plan_item *i = plan->first; i; i = i->next)
        s->bytes += i->unchanged ? 0 : i->stamp.bytes;
    s->added = s->unchanged = s->failed = s->passed_over = 0;
    s->pages = s->pages_now = 0;
    progress_begin(&s->progress, s->quiet || s->form == SHOW_JSON);
}

void show_start(struct show *s, const struct plan_item *item, const char *id)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w;

    if (s->form != SHOW_JSON) {
        if (s->dry)
            printf("%.*s\n", STR_ARG(item->name));
        draw_progress(s, item);
        return;
    }
    open_event(&b, &w, "file_start", item);
    add_text(&w, "id", id[0] ? str_c(id) : STR_NONE);
    close_event(&b, &w);
}

void show_progress(struct show *s, const struct plan_item *item,
                   const struct target_state *state)
{
    static const char *const units[] = {"", "pages", "seconds", "bytes"};
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w;

    if (s->form != SHOW_JSON) {
        draw_progress(s, item);
        return;
    }
    assert(state->progress.unit <= UNIT_BYTES);
    open_event(&b, &w, "page", item);
    add_number(&w, "done", state->progress.done);
    add_number(&w, "total", state->progress.total);
    add_text(&w, "unit", str_c(units[state->progress.unit]));
    close_event(&b, &w);
}

void show_done(struct show *s, const struct plan_item *item, const char *id,
               const struct target_state *state)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w;

    s->added++;
    s->bytes_done += item->stamp.bytes;
    s->pages += state->pages;
    if (state->warning[0])
        print_note(s, item, "note", str_c(state->warning));
    if (s->form != SHOW_JSON) {
        draw_progress(s, item);
        return;
    }
    open_event(&b, &w, "file_done", item);
    add_text(&w, "id", str_c(id));
    add_number(&w, "pages", state->pages);
    json_key(&w, STR("unchanged"));
    json_bool(&w, false);
    add_text(&w, "warning",
             state->warning[0] ? str_c(state->warning) : STR_NONE);
    close_event(&b, &w);
}

void show_same(struct show *s, const struct plan_item *item, const char *id)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w;

    s->unchanged++;
    s->bytes_done += item->stamp.bytes;
    if (s->form != SHOW_JSON) {
        draw_progress(s, item);
        return;
    }
    open_event(&b, &w, "file_done", item);
    add_text(&w, "id", str_c(id));
    json_key(&w, STR("unchanged"));
    json_bool(&w, true);
    close_event(&b, &w);
}

void show_error(struct show *s, const struct plan_item *item, struct str why)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w;

    if (item->passed_over)
        s->passed_over++;
    else
        s->failed++;
    s->bytes_done += item->stamp.bytes;
    print_note(s, item, item->passed_over ? "passed over" : "failed", why);
    if (s->form != SHOW_JSON)
        return;
    open_event(&b, &w, "file_error", item);
    add_text(&w, "error", why);
    json_key(&w, STR("skipped"));
    json_bool(&w, item->passed_over);
    close_event(&b, &w);
}

void show_tick(struct show *s, const struct plan_item *item)
{
    draw_progress(s, item);
}

void show_end(struct show *s)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    int64_t ms = clock_mono_ms() - s->progress.began_ms;
    struct json_out w;

    progress_clear(&s->progress);
    if (s->form == SHOW_JSON) {
        open_event(&b, &w, "summary", NULL);
        add_number(&w, "files", (int64_t)s->files);
        add_number(&w, "added", (int64_t)s->added);
        add_number(&w, "unchanged", (int64_t)s->unchanged);
        add_number(&w, "failed", (int64_t)s->failed);
        add_number(&w, "skipped", (int64_t)s->passed_over);
        add_number(&w, "pages", s->pages);
        json_key(&w, STR("seconds"));
        json_f64(&w, (double)ms / 1000.0);
        close_event(&b, &w);
        return;
    }
    if (s->quiet)
        return;
    printf("%s %zu, unchanged %zu, failed %zu, passed over %zu",
           s->dry ? "new or changed" : "added", s->added, s->unchanged,
           s->failed, s->passed_over);
    if (!s->dry)
        printf("; %lld pages in %.1f s", (long long)s->pages,
               (double)ms / 1000.0);
    printf("\n");
    fflush(stdout);
}
