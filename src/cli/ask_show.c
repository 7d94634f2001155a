/* ask_show.c - an answer's events in the terminal: its text as it comes, then
 * its citations.  With --json only the last event, which holds everything. */
#include <stdio.h>
#include <unistd.h>

#include "cli/ask.h"
#include "cli/remote.h"

enum {
    LINE_BYTES_MAX = 16 * 1024 * 1024,
    PARSED_BYTES_MAX = 64 * 1024 * 1024,
    SHOWN_BYTES_MAX = 1024 * 1024
};

void ask_show_init(struct ask_show *s, const struct asking *a)
{
    *s = (struct ask_show){
        .c = a->c, .session = a->session, .line = BUF(LINE_BYTES_MAX)};
}

void ask_show_free(struct ask_show *s)
{
    buf_free(&s->line);
}

/* ---- Text --------------------------------------------------------------- */

/* Without control characters: a terminal would obey a model's. */
static void add_safe(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
        bool c1 =
            c == 0xc2 && i + 1 < text.n && (unsigned char)text.p[i + 1] < 0xa0;

        if (c1)
            i++;
        else if (!control)
            buf_add_c(b, text.p[i]);
    }
}

static void print(struct ask_show *s, struct buf *b)
{
    if (b->n && cli_print(s->c, b) != CLI_DONE)
        s->broken = true;
    s->has_text = s->has_text || b->n;
}

/* ---- References --------------------------------------------------------- */

static void add_place(struct buf *b, const struct json *source)
{
    const struct json *start = json_get(source, STR("startSeconds"));
    int64_t page = remote_number(source, STR("slideNumber"));
    struct str date = json_text(source, STR("date"));
    struct str locator = json_text(source, STR("locator"));
    int64_t seconds = 0;

    if (start && (start->type == JSON_I64 || start->type == JSON_F64))
        seconds = start->type == JSON_I64 ? start->i : (int64_t)start->f;
    if (locator.n) {
        buf_add(b, STR(", "));
        add_safe(b, locator);
    } else if (page > 0)
        buf_printf(b, ", page %lld", (long long)page);
    else if (start && start->type != JSON_NULL)
        buf_printf(b, ", %lld:%02lld", (long long)seconds / 60,
                   (long long)seconds % 60);
    else if (date.p)
        buf_printf(b, ", %.*s", STR_ARG(date));
}

static void add_reference(struct buf *b, const struct json *source)
{
    struct str title = json_text(source, STR("title"));
    struct str url = json_text(source, STR("url"));

    if (!title.n)
        title = url.n ? url : json_text(source, STR("sourceId"));
    buf_printf(b, "[%lld] ",
               (long long)remote_number(source, STR("chunkNumber")));
    add_safe(b, title);
    add_place(b, source);
    buf_add_c(b, '\n');
}

/* Prints the cited sources; --json has the others too. */
static void show_end(struct ask_show *s, const struct json *end)
{
    AUTO(buf_free) struct buf b = BUF(SHOWN_BYTES_MAX);
    const struct json *all = json_get(end, STR("citations"));
    const struct json *low = json_get(end, STR("lowConfidence"));
    bool first = true;

    buf_add(&b, s->has_text ? STR("\n") : STR(""));
    for (all = all && all->type == JSON_ARRAY ? all->first : NULL; all;
         all = all->next) {
        const struct json *cited = json_get(all, STR("cited"));

        if (!cited || cited->type != JSON_TRUE)
            continue;
        buf_add(&b, first ? STR("\n") : STR(""));
        add_reference(&b, all);
        first = false;
    }
    print(s, &b);
    if (low && low->type == JSON_TRUE && !s->broken)
        fprintf(stderr, "None of the sources is likely to answer it.\n");
}

/* ---- Events ------------------------------------------------------------- */

/* Prints the event's object with the session's id added. */
static void show_json(struct ask_show *s, struct str data)
{
    AUTO(buf_free) struct buf b = BUF((size_t)2 * LINE_BYTES_MAX);

    buf_add(&b, STR("{\"sessionId\":"));
    buf_add_json(&b, s->session);
    buf_add_c(&b, ',');
    buf_add(&b, str_skip(data, 1));
    buf_add_c(&b, '\n');
    s->broken = s->broken || cli_print(s->c, &b) != CLI_DONE;
}

static void show_event(struct ask_show *s, struct str data)
{
    AUTO(arena_free) struct arena a = ARENA(PARSED_BYTES_MAX);
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct str event = str_c(s->event);
    bool end = str_eq(event, STR("end")), error = str_eq(event, STR("error"));
    struct json *o = NULL;

    s->ended = s->ended || end || error;
    s->failed = s->failed || error;
    if (s->c->json) {
        if (end || error)
            show_json(s, data);
    } else if (json_read(&a, data, &o, NULL) != FOOTNOTE_OK) {
        s->broken = true;
    } else if (str_eq(event, STR("token"))) {
        add_safe(&b, json_text(o, STR("text")));
        print(s, &b);
    } else if (end) {
        show_end(s, o);
    } else if (error) {
        buf_add(&b, s->has_text ? STR("\n") : STR(""));
        print(s, &b);
        fprintf(stderr, "footnote ask: %.*s\n",
                STR_ARG(json_text(o, STR("error"))));
    }
}

void ask_show_bytes(void *show, struct str bytes)
{
    struct ask_show *s = show;

    while (bytes.n) {
        size_t n = str_find(bytes, '\n');
        struct str line;

        buf_add(&s->line, (struct str){bytes.p, n});
        s->broken = s->broken || s->line.broken != FOOTNOTE_OK;
        if (n == bytes.n)
            return;
        line = s->broken ? STR_NONE : buf_str(&s->line);
        if (str_starts(line, STR("event: ")))
            snprintf(s->event, sizeof(s->event), "%.*s",
                     (int)(line.n < 40 ? line.n : 40) - 7, line.p + 7);
        else if (str_starts(line, STR("data: ")))
            show_event(s, str_skip(line, 6));
        buf_reset(&s->line);
        bytes = str_skip(bytes, n + 1);
    }
}
