/* body.c - the body of an answer, as far as it has come.
 *
 * It is a stream of events, or one document although a stream was asked for,
 * or the page of an error.  The caller is told word by word and may pause or
 * cancel at each, so all loops ask goes_on(). */
#include "model/call.h"

/* ---- Reading ---------------------------------------------------------------
 */

/* Tells the caller, who may pause or cancel. */
static void tell(struct model_call *c, struct str text)
{
    if (text.n == 0)
        return;
    if (c->question.text.p)
        transfer_forget_question(c);
    c->busy = true;
    c->events.text(c->events.arg, text);
    c->busy = false;
}

/* JSON, or a page of HTML, where a stream was asked for begins like this.
 * Blank lines before it keep a connection alive. */
static void find_kind(struct model_call *c, struct str *in)
{
    int status = transfer_status(c);

    while (in->n && strchr(" \t\r\n", in->p[0]))
        *in = str_skip(*in, 1);
    if (status < 200 || status > 299)
        c->kind = BODY_ERROR;
    else if (in->n)
        c->kind = strchr("{[<", in->p[0]) ? BODY_DOCUMENT : BODY_STREAM;
}

static void take_document(struct model_call *c, struct str *in)
{
    if (c->kind != BODY_ERROR || c->document.n < ERROR_BYTES_MAX)
        buf_add(&c->document, *in);
    if (c->document.broken)
        failure_set(&c->reply.failure,
                    c->document.broken == FOOTNOTE_NOMEM ? FAILURE_NO_MEMORY
                                                         : FAILURE_TOO_LARGE,
                    STR("a document instead of a stream"));
    *in = str_skip(*in, in->n);
}

static void take_event(struct model_call *c, const struct sse_event *e)
{
    bool finished = c->reply.finished;
    struct str text;

    arena_reset(&c->loop->scratch);
    reply_event(&c->reply, &c->loop->scratch, e, &text);
    if (c->reply.finished && !finished)
        call_watch_time(c);
    tell(c, text);
}

static void take_stream(struct model_call *c, struct str *in)
{
    struct footnote_err err = {.text = ""};
    struct sse_event e;
    bool got;
    enum footnote_rc rc = sse_next(&c->sse, in, &got, &e, &err);

    if (rc != FOOTNOTE_OK)
        failure_set(&c->reply.failure,
                    rc == FOOTNOTE_NOMEM ? FAILURE_NO_MEMORY
                                         : FAILURE_TOO_LARGE,
                    str_c(err.text));
    else if (got)
        take_event(c, &e);
}

/* What is not used stays; a call that waits for the next word holds nothing. */
static void drop_used(struct model_call *c)
{
    if (c->at < c->in.n)
        return;
    c->at = 0;
    buf_free(&c->in);
    sse_rest(&c->sse);
}

static bool goes_on(const struct model_call *c)
{
    return !c->dead && !c->paused && !c->reply.done &&
           c->reply.failure.kind == FAILURE_NONE;
}

void body_read(struct model_call *c)
{
    bool first = c->in.n && !c->any_bytes;

    c->any_bytes = c->any_bytes || first;
    while (c->at < c->in.n && goes_on(c)) {
        struct str in = {c->in.p + c->at, c->in.n - c->at};

        if (c->kind == BODY_UNKNOWN)
            find_kind(c, &in);
        if (c->kind == BODY_STREAM)
            take_stream(c, &in);
        else if (c->kind != BODY_UNKNOWN)
            take_document(c, &in);
        c->at = c->in.n - in.n;
    }
    drop_used(c);
    if (first && !c->dead)
        call_watch_time(c);
}

/* ---- The end of a try ------------------------------------------------------
 */

static void transport_failed(struct model_call *c)
{
    bool refused = c->result == CURLE_URL_MALFORMAT ||
                   c->result == CURLE_UNSUPPORTED_PROTOCOL;
    enum failure_kind kind = c->reply.began ? FAILURE_CUT
                             : refused      ? FAILURE_REFUSED
                                            : FAILURE_UNREACHABLE;

    if (c->result == CURLE_OUT_OF_MEMORY)
        kind = FAILURE_NO_MEMORY;
    failure_set(&c->reply.failure, kind, str_c(curl_easy_strerror(c->result)));
}

/* A last event without its blank line; half of one is no event. */
static void flush_stream(struct model_call *c)
{
    struct sse_event e;
    struct failure before = c->reply.failure;
    bool got;

    if (sse_end(&c->sse, &got, &e, NULL) == FOOTNOTE_OK && got)
        take_event(c, &e);
    if (c->reply.failure.kind == FAILURE_GARBAGE)
        c->reply.failure = before;
}

static void flush_document(struct model_call *c)
{
    struct str text;

    arena_reset(&c->loop->scratch);
    reply_document(&c->reply, &c->loop->scratch, buf_str(&c->document), &text);
    tell(c, text);
}

void body_close(struct model_call *c)
{
    int status = transfer_status(c);

    arena_reset(&c->loop->scratch);
    if (c->kind == BODY_STREAM && !c->reply.done)
        flush_stream(c);
    if (c->dead)
        return;
    if (status && (status < 200 || status > 299))
        failure_read(&c->reply.failure, &c->loop->scratch, status,
                     buf_str(&c->document));
    else if (c->result != CURLE_OK && !c->reply.finished && !c->reply.done)
        transport_failed(c);
    else if (c->kind == BODY_DOCUMENT)
        flush_document(c);
    if (!c->dead)
        reply_close(&c->reply);
}
