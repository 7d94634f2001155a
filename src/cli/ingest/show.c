/* show.c - the progress of `footnote ingest`. */
#include "cli/ingest/show.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"

enum {
    LINE_BYTES_MAX = 64 * 1024,
    BAR_MS = 100,
    LINE_MS = 5000,
    BAR_CELLS = 20,
    NAME_CHARS = 32
};

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

/* Clears the bar to make room for a line. */
static void clear_bar(struct show *s)
{
    if (s->drawn)
        fprintf(stderr, "\r\033[K");
    s->drawn = false;
}

static void print_note(struct show *s, const struct plan_item *item,
                       const char *what, struct str why)
{
    if (s->form == SHOW_JSON || s->quiet)
        return;
    clear_bar(s);
    fprintf(stderr, "%.*s: %s%s%.*s\n", STR_ARG(item->name), what,
            why.n ? ": " : "", STR_ARG(why));
}

static void add_time_left(char *out, size_t bytes, const struct show *s,
                          int64_t ms)
{
    size_t done = finished(s);
    int64_t seconds;

    out[0] = '\0';
    if (done == 0 || ms < 2000)
        return;
    seconds = ms * (int64_t)(s->files - done) / (int64_t)done / 1000;
    snprintf(out, bytes, "  %lld:%02lld left", (long long)(seconds / 60),
             (long long)(seconds % 60));
}

static void draw_progress(struct show *s, const struct plan_item *item)
{
    int64_t now_ms = clock_mono_ms(), ms = now_ms - s->began_ms;
    int64_t pages = s->pages + s->pages_now;
    struct str name = item ? item->name : STR("");
    char bar[BAR_CELLS + 1], time[48];
    size_t cells = s->files ? finished(s) * BAR_CELLS / s->files : 0;

    if (s->form == SHOW_JSON || s->quiet ||
        now_ms - s->drawn_ms < (s->form == SHOW_BAR ? BAR_MS : LINE_MS))
        return;
    s->drawn_ms = now_ms;
    assert(finished(s) <= s->files && cells <= BAR_CELLS);
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', cells);
    bar[BAR_CELLS] = '\0';
    add_time_left(time, sizeof(time), s, ms);
    if (name.n > NAME_CHARS) /* keep the end, which says more */
        name = str_skip(name, name.n - NAME_CHARS);
    while (name.n && ((unsigned char)*name.p & 0xC0) == 0x80)
        name = str_skip(name, 1);
    clear_bar(s);
    fprintf(
        stderr, "%s%s%s%zu of %zu files  %lld pages  %.0f pages/s%s  %.*s%s",
        s->form == SHOW_BAR ? "[" : "", s->form == SHOW_BAR ? bar : "",
        s->form == SHOW_BAR ? "] " : "", finished(s), s->files,
        (long long)pages, ms > 0 ? (double)pages * 1000.0 / (double)ms : 0.0,
        time, STR_ARG(name), s->form == SHOW_BAR ? "" : "\n");
    s->drawn = s->form == SHOW_BAR;
}

/* ---- Events ------------------------------------------------------------- */

void show_begin(struct show *s, size_t files)
{
    s->files = files;
    s->added = s->unchanged = s->failed = s->passed_over = 0;
    s->pages = s->pages_now = 0;
    s->began_ms = clock_mono_ms();
    s->drawn_ms = s->form == SHOW_LINES ? s->began_ms : 0;
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
    int64_t ms = clock_mono_ms() - s->began_ms;
    struct json_out w;

    clear_bar(s);
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
