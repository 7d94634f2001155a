/* body.c - reads the body of an answer as it comes.
 *
 * It is a stream of events, one document although a stream was asked for, or
 * the page of an error.  The caller is told word by word and may pause or
 * cancel after each, so the loop asks goes_on(). */
#include <assert.h>

#include "model/call.h"

/* ---- Reading ---------------------------------------------------------------
 */

/* The caller may pause or cancel. */
static void tell_caller(struct model_call *c, struct str text)
{
    if (text.n == 0)
        return;
    if (c->request.text.p)
        transfer_free_request(c);
    assert(!c->in_event);
    c->in_event = true;
    c->events.text(c->events.arg, text);
    c->in_event = false;
}

/* JSON or HTML begins with { [ or <, a stream never does.  Blank lines before
 * it keep a connection alive. */
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

static void read_document(struct model_call *c, struct str *in)
{
    if (c->kind != BODY_ERROR || c->document.n < ERROR_BYTES_MAX)
        buf_add(&c->document, *in);
    if (c->document.broken)
        failure_set(&c->completion.failure,
                    c->document.broken == FOOTNOTE_NOMEM ? FAILURE_NO_MEMORY
                                                         : FAILURE_TOO_LARGE,
                    STR("a document instead of a stream"));
    *in = str_skip(*in, in->n);
}

static void read_event(struct model_call *c, const struct sse_event *e)
{
    bool finished = c->completion.finished;
    struct str text;

    arena_reset(&c->loop->scratch);
    completion_event(&c->completion, &c->loop->scratch, e, &text);
    if (c->completion.finished && !finished)
        call_watch_time(c);
    tell_caller(c, text);
}

static void read_stream(struct model_call *c, struct str *in)
{
    struct footnote_err err = {.text = ""};
    struct sse_event e;
    bool got;
    enum footnote_rc rc = sse_next(&c->sse, in, &got, &e, &err);

    if (rc != FOOTNOTE_OK)
        failure_set(&c->completion.failure,
                    rc == FOOTNOTE_NOMEM ? FAILURE_NO_MEMORY
                                         : FAILURE_TOO_LARGE,
                    str_c(err.text));
    else if (got)
        read_event(c, &e);
}

static bool goes_on(const struct model_call *c)
{
    return !c->cancelled && !c->paused && !c->completion.done &&
           c->completion.failure.kind == FAILURE_NONE;
}

void body_read(struct model_call *c)
{
    bool first = c->in.n && !c->any_bytes;

    c->any_bytes = c->any_bytes || first;
    while (c->in_used < c->in.n && goes_on(c)) {
        struct str in = {c->in.p + c->in_used, c->in.n - c->in_used};

        if (c->kind == BODY_UNKNOWN)
            find_kind(c, &in);
        if (c->kind == BODY_STREAM)
            read_stream(c, &in);
        else if (c->kind != BODY_UNKNOWN)
            read_document(c, &in);
        c->in_used = c->in.n - in.n;
    }
    assert(c->in_used <= c->in.n);
    if (c->in_used == c->in.n) { /* a call that waits holds no memory */
        c->in_used = 0;
        buf_free(&c->in);
        sse_free_unused(&c->sse);
    }
    if (first && !c->cancelled)
        call_watch_time(c);
}

/* ---- The end of a try ------------------------------------------------------
 */

static void set_transport_failure(struct model_call *c)
{
    bool refused = c->result == CURLE_URL_MALFORMAT ||
                   c->result == CURLE_UNSUPPORTED_PROTOCOL;
    enum failure_kind kind = c->completion.began ? FAILURE_CUT
                             : refused           ? FAILURE_REFUSED
                                                 : FAILURE_UNREACHABLE;

    if (c->result == CURLE_OUT_OF_MEMORY)
        kind = FAILURE_NO_MEMORY;
    failure_set(&c->completion.failure, kind,
                str_c(curl_easy_strerror(c->result)));
}

/* Reads a last event without its blank line; half an event is ignored. */
static void end_stream(struct model_call *c)
{
    struct sse_event e;
    struct failure before = c->completion.failure;
    bool got;

    if (sse_end(&c->sse, &got, &e, NULL) == FOOTNOTE_OK && got)
        read_event(c, &e);
    if (c->completion.failure.kind == FAILURE_GARBAGE)
        c->completion.failure = before;
}

static void end_document(struct model_call *c)
{
    struct str text;

    arena_reset(&c->loop->scratch);
    completion_document(&c->completion, &c->loop->scratch,
                        buf_str(&c->document), &text);
    tell_caller(c, text);
}

void body_close(struct model_call *c)
{
    int status = transfer_status(c);

    arena_reset(&c->loop->scratch);
    if (c->kind == BODY_STREAM && !c->completion.done)
        end_stream(c);
    if (c->cancelled)
        return;
    if (status && (status < 200 || status > 299))
        failure_read(&c->completion.failure, &c->loop->scratch, status,
                     buf_str(&c->document));
    else if (c->result != CURLE_OK && !c->completion.finished &&
             !c->completion.done)
        set_transport_failure(c);
    else if (c->kind == BODY_DOCUMENT)
        end_document(c);
    if (!c->cancelled)
        completion_close(&c->completion);
}
