/* log_test.c - what a record looks like, read back through a pipe. */
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "test.h"

#include <unistd.h>

static int64_t fixed(void)
{
    return 1772136900123;
}

static int pipe_fds[2];
static char line[8192];

static void capture(enum log_form form)
{
    static const struct clock_source source = {fixed, fixed};
    clock_replace(&source);
    CHECK_INT(pipe(pipe_fds), 0);
    log_setup(pipe_fds[1], LOG_INFO, form);
}

/* What was written so far; the pipe holds more than any test writes. */
static struct str captured(void)
{
    close(pipe_fds[1]);
    ssize_t n = read(pipe_fds[0], line, sizeof(line));
    close(pipe_fds[0]);
    CHECK(n >= 0);
    return (struct str){line, (size_t)n};
}

TEST(log_for_machines_is_a_line_of_json)
{
    capture(LOG_AUTO);
    log_write(LOG_WARN, "slow \"disk\"", LOG_TEXT("path", STR("a\\b")),
              LOG_NUM("ms", -12));
    CHECK_TEXT(captured(),
               STR("{\"ts\":\"2026-02-26T20:15:00.123Z\",\"level\":\"warn\","
                   "\"msg\":\"slow \\\"disk\\\"\",\"path\":\"a\\\\b\","
                   "\"ms\":-12}\n"));
}

TEST(log_for_people_is_plain)
{
    capture(LOG_HUMAN);
    log_write(LOG_INFO, "listening", LOG_NUM("port", 8080),
              LOG_TEXT("host", STR("::1")));
    CHECK_TEXT(captured(), STR("2026-02-26T20:15:00.123Z info listening "
                               "port=8080 host=\"::1\"\n"));
}

TEST(log_works_without_fields_and_leaves_lower_levels_out)
{
    capture(LOG_JSON);
    log_write(LOG_DEBUG, "not this");
    log_write(LOG_ERROR, "this");
    CHECK_TEXT(captured(), STR("{\"ts\":\"2026-02-26T20:15:00.123Z\",\"level\":"
                               "\"error\",\"msg\":\"this\"}\n"));
}

TEST(log_values_cannot_forge_lines_or_turn_text_around)
{
    capture(LOG_HUMAN);
    log_write(LOG_INFO, "x",
              LOG_TEXT("v", STR("a\nb\x1B[31m\x7F\xC2\x9B"
                                "\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\xA8"
                                "\xFF\xC3\xA9")));
    CHECK_TEXT(captured(),
               STR("2026-02-26T20:15:00.123Z info x "
                   "v=\"a\\u000ab\\u001b[31m\\u007f\\u009b\\u202e\\u2066"
                   "\\u2028\xEF\xBF\xBD\xC3\xA9\"\n"));
}

static void check_record(struct str record, bool cut)
{
    AUTO(arena_free) struct arena a = ARENA(100000);
    struct footnote_err err;
    struct json *top;
    CHECK(record.n <= 4096);
    CHECK_INT(str_find(record, '\n'), record.n - 1);
    CHECK_OK(json_read(&a, record, &top, &err), &err);
    CHECK_INT(json_get(top, STR("cut")) != NULL, cut);
}

TEST(log_long_values_are_cut_and_long_records_stay_json)
{
    char text[2000];
    memset(text, 'x', sizeof(text));
    const struct str s = {text, sizeof(text)};
    capture(LOG_JSON);
    log_write(LOG_INFO, "m", LOG_TEXT("v", s));
    struct str record = captured();
    check_record(record, false);
    CHECK(record.n > 512 && record.n < 700);
    capture(LOG_JSON);
    log_write(LOG_INFO, "m", LOG_TEXT("a", s), LOG_TEXT("b", s),
              LOG_TEXT("c", s), LOG_TEXT("d", s), LOG_TEXT("e", s),
              LOG_TEXT("f", s), LOG_TEXT("g", s), LOG_TEXT("h", s));
    check_record(captured(), true);
    memset(text, 1, sizeof(text));
    capture(LOG_JSON);
    log_write(LOG_INFO, "m", LOG_TEXT("a", s), LOG_TEXT("b", s));
    check_record(captured(), true);
}
