/* ask.c - `footnote ask QUESTION`: a cited answer, in the terminal.
 *
 * The server of --server answers, or the one that has the data folder.  Without
 * a server the turn runs in this process.  Both give the events of
 * `?as=events`, so the output is the same. */
#include "cli/ask.h"

#include <assert.h>
#include <unistd.h>

#include "base/log.h"
#include "base/uuid.h"
#include "cli/remote.h"
#include "config/table.h"

enum { BODY_BYTES_MAX = 256 * 1024 };

/* ---- A server answers --------------------------------------------------- */

static void add_text(struct json_out *w, struct str key, struct str value)
{
    if (!value.p)
        return;
    json_key(w, key);
    json_str(w, value);
}

static void add_list(struct json_out *w, struct str key, struct str list)
{
    if (!list.n)
        return;
    json_key(w, key);
    json_array(w);
    while (list.n)
        json_str(w, limits_next(&list));
    json_end(w, ']');
}

static void add_scope(struct json_out *w, const struct limits *l)
{
    if (!filter_limits(&l->filter))
        return;
    json_key(w, STR("scope"));
    json_object(w);
    add_list(w, STR("documentIds"), l->documents);
    add_list(w, STR("kinds"), l->kinds);
    add_text(w, STR("dateFrom"), l->from);
    add_text(w, STR("dateTo"), l->to);
    add_text(w, STR("changedSince"), l->changed);
    json_end(w, '}');
}

static void write_body(struct buf *b, const struct asking *a, struct str course)
{
    struct json_out w = JSON_OUT(b);

    assert(a->question.n && a->session.n);
    json_object(&w);
    add_text(&w, STR("id"), a->session);
    add_text(&w, STR("courseId"), course);
    add_text(&w, STR("model"), a->model);
    add_scope(&w, &a->limits);
    json_key(&w, STR("message"));
    json_object(&w);
    add_text(&w, STR("role"), STR("user"));
    add_text(&w, STR("content"), a->question);
    json_end(&w, '}');
    json_end(&w, '}');
}

static enum footnote_rc ask_server(struct asking *a, struct remote *r,
                                   struct ask_show *s, struct footnote_err *err)
{
    AUTO(buf_free) struct buf body = BUF(BODY_BYTES_MAX);
    struct str course = STR_NONE;

    TRY(remote_open(r, a->server, a->key, err));
    if (a->course.p)
        TRY(remote_course(r, a->course, &course, err));
    write_body(&body, a, course);
    return remote_stream(r, "/api/chat?as=events", &body, ask_show_bytes, s,
                         err);
}

enum footnote_rc ask_remote(struct asking *a, struct ask_show *s,
                            struct footnote_err *err)
{
    AUTO(remote_free) struct remote r = {.curl = NULL};
    enum footnote_rc rc = ask_server(a, &r, s, err);

    a->exit_code = r.exit_code;
    if (rc == FOOTNOTE_OK && !s->ended) {
        a->exit_code = CLI_UNREACHABLE;
        return err_set(err, FOOTNOTE_BUSY,
                       "the connection ended before the answer did");
    }
    return rc;
}

/* ---- The verb ----------------------------------------------------------- */

static int run(struct asking *a)
{
    AUTO(ask_show_free) struct ask_show s;
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = FOOTNOTE_OK;
    int code;

    ask_show_init(&s, a);
    if (!a->server.p)
        rc = lock_read_address(&a->c->config, &a->c->arena, &a->server, &err);
    if (rc == FOOTNOTE_OK)
        rc = (a->server.p ? ask_remote : ask_local)(a, &s, &err);
    if (rc == FOOTNOTE_OK)
        return s.failed || s.broken ? CLI_FAILED : CLI_DONE;
    code = cli_fail(a->c, rc, &err);
    return a->exit_code ? a->exit_code : code;
}

/* All of standard input, without the line ends at its end. */
static enum footnote_rc read_question(struct cli *c, struct str *out,
                                      struct footnote_err *err)
{
    TRY(config_load(&c->arena, "/dev/stdin", STORE_QUESTION_BYTES_MAX + 1, out,
                    err));
    while (out->n && (out->p[out->n - 1] == '\n' || out->p[out->n - 1] == '\r'))
        out->n--;
    return FOOTNOTE_OK;
}

static int check(struct cli *c, struct asking *a, struct str key_file)
{
    struct footnote_err err;
    struct str text;

    if (str_eq(c->operands[0], STR("-")) &&
        read_question(c, &c->operands[0], &err) != FOOTNOTE_OK)
        return cli_usage(c, "%s", err.text);
    text = c->operands[0];

    a->question = text;
    while (text.n && (unsigned char)text.p[0] <= ' ')
        text = str_skip(text, 1);
    if (text.n == 0)
        return cli_usage(c, "the question is empty");
    if (a->question.n > STORE_QUESTION_BYTES_MAX)
        return cli_usage(c, "the question is over 64 KB");
    if (a->session.p &&
        (a->session.n == 0 || a->session.n > STORE_ID_BYTES_MAX))
        return cli_usage(c, "--session: has 1 to %d bytes", STORE_ID_BYTES_MAX);
    if (cli_server_key(c, key_file, &a->key, &err) != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    return CLI_GO_ON;
}

/* The setting --model configures a model; here --model picks one.  So it is
 * taken out before the settings are read. */
static void cut_model_option(struct cli *c, struct str *model)
{
    struct config_input *in = &c->in;
    int kept = 0;

    for (int i = 0; i < in->argc; i++) {
        struct str word = str_c(in->argv[i]);

        if (str_starts(word, STR("--model=")))
            *model = str_skip(word, STR("--model=").n);
        else if (str_eq(word, STR("--model")) && i + 1 < in->argc)
            *model = str_c(in->argv[++i]);
        else
            in->argv[kept++] = in->argv[i];
    }
    in->argc = kept;
}

int verb_ask(struct cli *c)
{
    struct asking a = {.c = c, .who = {STR("default"), STR("local")}};
    struct str key_file = STR_NONE;
    char fresh[UUID_BYTES + 1];
    const struct cli_option options[] = {
        {.name = "json", .on = &c->json},
        {.name = "course", .text = &a.course},
        {.name = "session", .text = &a.session},
        {.name = "server", .text = &a.server},
        {.name = "key-file", .text = &key_file},
        {.name = "user", .text = &a.who.user},
        {.name = "tenant", .text = &a.who.tenant},
        LIMITS_OPTIONS(&a.limits)};
    int code;

    cut_model_option(c, &a.model);
    code = cli_read(c, options, sizeof(options) / sizeof(options[0]));
    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 1, "the question (put it in quotes)");
    if (code == CLI_GO_ON)
        code = limits_read(c, &a.limits);
    if (code == CLI_GO_ON)
        code = check(c, &a, key_file);
    if (code != CLI_GO_ON)
        return code;
    if (!a.session.p) {
        uuid_v7(fresh);
        a.session = str_c(fresh);
    }
    log_setup(STDERR_FILENO, c->verbose ? LOG_DEBUG : LOG_ERROR,
              LOG_AUTO); /* errors are printed anyway */
    return run(&a);
}
