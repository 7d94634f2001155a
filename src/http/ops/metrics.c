/* metrics.c - counters in a fixed table, one row per route and method.
 *
 * Every request adds to a few of them, so they are relaxed atomics: each number
 * is exact, and two that are read together may be a request apart. */
#include "http/ops/metrics.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/log.h"
#include "http/call/services.h"

/* The statuses of reply.c; all others share the last place. */
static const int codes[] = {200, 201, 202, 204, 206, 304, 400, 401, 403,
                            404, 405, 408, 409, 413, 415, 416, 417, 421,
                            422, 429, 431, 500, 501, 503, 505, 507, 0};
/* Upper ends of the times, in milliseconds. */
static const int64_t limits_ms[] = {1,   2,   5,    10,   25,   50,   100,
                                    250, 500, 1000, 2500, 5000, 10000};

enum {
    CODES = sizeof(codes) / sizeof(codes[0]),
    LIMITS = sizeof(limits_ms) / sizeof(limits_ms[0])
};

struct route_counts {
    _Atomic uint64_t codes[CODES];
    _Atomic uint64_t times[LIMITS + 1]; /* the last: longer than any */
    _Atomic uint64_t total_ms;
};

/* Two rows per route, the second for HEAD; then, without a route, one per
 * method, and one for what could not be read. */
struct metrics {
    size_t rows_n;
    struct route_counts rows[];
};

static size_t unread_row(void)
{
    return 2 * api_routes_n + METHODS;
}

/* Tests may serve tables of their own, which are not counted by row. */
static size_t row_of(const struct request *r)
{
    uintptr_t at = (uintptr_t)r->route, from = (uintptr_t)api_routes;

    if (at >= from && at < from + api_routes_n * sizeof(*r->route))
        return 2 * (size_t)(r->route - api_routes) +
               (r->method == METHOD_HEAD ? 1 : 0);
    return r->path.p ? 2 * api_routes_n + (size_t)r->method : unread_row();
}

static const char *method_of(size_t row)
{
    if (row == unread_row())
        return "none";
    if (row >= 2 * api_routes_n)
        return method_name((enum method)(row - 2 * api_routes_n));
    return method_name(row % 2 ? METHOD_HEAD : api_routes[row / 2].method);
}

static const char *route_of(size_t row)
{
    return row < 2 * api_routes_n ? api_routes[row / 2].pattern : "none";
}

enum footnote_rc metrics_open(struct metrics **out, struct footnote_err *err)
{
    size_t n = unread_row() + 1;
    struct metrics *m = calloc(1, sizeof(*m) + n * sizeof(m->rows[0]));

    *out = m;
    if (!m)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    m->rows_n = n;
    return FOOTNOTE_OK;
}

void metrics_close(struct metrics *m)
{
    free(m);
}

/* ---- Counting ----------------------------------------------------------- */

static void count(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static uint64_t load(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* The route's pattern, never the path: its ids may be words of users. */
static void log_request(const struct request *r, size_t row, struct str id,
                        int64_t ms, int64_t first_ms)
{
    enum log_level level = r->reply.status >= 500 ? LOG_WARN : LOG_INFO;
    struct str method = str_c(method_of(row));
    struct str route = str_c(r->route ? r->route->pattern : route_of(row));

    if (first_ms < 0)
        log_write(level, "request", LOG_TEXT("method", method),
                  LOG_TEXT("route", route), LOG_NUM("status", r->reply.status),
                  LOG_NUM("ms", ms), LOG_TEXT("req_id", id));
    else
        log_write(level, "request", LOG_TEXT("method", method),
                  LOG_TEXT("route", route), LOG_NUM("status", r->reply.status),
                  LOG_NUM("ms", ms), LOG_NUM("first_ms", first_ms),
                  LOG_TEXT("req_id", id));
}

void metrics_answered(struct metrics *m, const struct request *r, int64_t ms)
{
    size_t n = row_of(r), i = 0, code = 0;
    struct route_counts *row = &m->rows[n];

    assert(n < m->rows_n);
    if (ms < 0)
        ms = 0;
    while (i < LIMITS && ms > limits_ms[i])
        i++;
    while (code < CODES - 1 && codes[code] != r->reply.status)
        code++;
    count(&row->codes[code], 1);
    count(&row->times[i], 1);
    count(&row->total_ms, (uint64_t)ms);
    if (!r->stream) /* its end is not known yet */
        log_request(r, n, r->id.p ? r->id : STR(""), ms, -1);
}

void metrics_streamed(const struct request *r, const struct streamed *s)
{
    log_request(r, row_of(r), s->id, s->ms, s->first_ms);
}

/* ---- Showing ------------------------------------------------------------ */

void metrics_comment(struct buf *b, const char *name, const char *kind,
                     const char *help)
{
    buf_printf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

void metrics_add(struct buf *b, const char *name, const char *kind,
                 const char *help, uint64_t value)
{
    metrics_comment(b, name, kind, help);
    buf_printf(b, "%s %llu\n", name, (unsigned long long)value);
}

static void add_labels(struct buf *b, size_t row)
{
    buf_printf(b, "{route=\"%s\",method=\"%s\"", route_of(row), method_of(row));
}

static void write_codes(const struct metrics *m, size_t n, struct buf *b)
{
    for (size_t i = 0; i < CODES; i++) {
        uint64_t v = load(&m->rows[n].codes[i]);

        if (v == 0)
            continue;
        buf_add(b, STR("footnote_http_requests_total"));
        add_labels(b, n);
        buf_printf(b, ",code=\"%d\"} %llu\n", codes[i], (unsigned long long)v);
    }
}

static void add_part(struct buf *b, size_t row, const char *part)
{
    buf_add(b, STR("footnote_http_request_duration_seconds"));
    buf_add(b, str_c(part));
    add_labels(b, row);
}

/* Buckets are cumulative: each holds all that were not slower. */
static void write_times(const struct metrics *m, size_t n, struct buf *b)
{
    uint64_t sum = 0, all = 0;

    for (size_t i = 0; i <= LIMITS; i++)
        all += load(&m->rows[n].times[i]);
    if (all == 0)
        return;
    for (size_t i = 0; i < LIMITS; i++) {
        sum += load(&m->rows[n].times[i]);
        add_part(b, n, "_bucket");
        buf_printf(b, ",le=\"%g\"} %llu\n", (double)limits_ms[i] / 1000,
                   (unsigned long long)(sum < all ? sum : all));
    }
    add_part(b, n, "_bucket");
    buf_printf(b, ",le=\"+Inf\"} %llu\n", (unsigned long long)all);
    add_part(b, n, "_sum");
    buf_printf(b, "} %g\n", (double)load(&m->rows[n].total_ms) / 1000);
    add_part(b, n, "_count");
    buf_printf(b, "} %llu\n", (unsigned long long)all);
}

void metrics_write(const struct metrics *m, struct buf *b)
{
    metrics_comment(b, "footnote_http_requests_total", "counter",
                    "Requests that were answered.");
    for (size_t i = 0; i < m->rows_n; i++)
        write_codes(m, i, b);
    metrics_comment(b, "footnote_http_request_duration_seconds", "histogram",
                    "From the last byte of a request's head to its answer.");
    for (size_t i = 0; i < m->rows_n; i++)
        write_times(m, i, b);
}
