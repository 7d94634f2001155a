/* transcript_test.c - WebVTT and SubRip as people and machines write them. */
#include "ingest/format/transcript.h"
#include "read_passages.h"

#include "store/document/document.h"

struct cues {
    struct arena a;
    struct cue *p;
    size_t n;
    struct extract_facts facts;
};

static void cues_of(struct cues *c, struct str bytes)
{
    struct footnote_err err;

    CHECK_OK(
        transcript_cues(&c->a, bytes, STR_NONE, &c->p, &c->n, &c->facts, &err),
        &err);
}

static struct cues cues_file(const char *name)
{
    struct cues c = {.a = ARENA(EXTRACT_ARENA_MAX)};

    cues_of(&c, read_bytes(&c.a, name));
    return c;
}

static struct cues cues_text(const char *text)
{
    struct cues c = {.a = ARENA(EXTRACT_ARENA_MAX)};

    cues_of(&c, str_c(text));
    return c;
}

static void check_cue(const struct cues *c, size_t i, double start, double end,
                      const char *text)
{
    if (i >= c->n)
        FAIL("there are only %zu cues", c->n);
    CHECK_F64(c->p[i].start, start);
    CHECK_F64(c->p[i].end, end);
    CHECK_TEXT(c->p[i].text, str_c(text));
}

TEST(webvtt_cues_lose_tags_settings_notes_and_ids)
{
    struct cues c = cues_file("lecture.vtt");

    CHECK_INT(c.n, 6);
    check_cue(&c, 0, 0.5, 4, "Welcome back. Last week we met temperature,");
    check_cue(&c, 1, 4, 7.25, "and today we meet heat & work.");
    check_cue(&c, 2, 7.25, 11,
              "Heat is energy that moves because of a difference in "
              "temperature.");
    check_cue(&c, 3, 11.5, 13, "Is cold a thing, then?");
    check_cue(&c, 4, 13.2, 18, "No. Cold is <less heat>, nothing more.");
    check_cue(&c, 5, 3598, 3602.125, "After an hour we are done.");
    CHECK_TEXT(c.p[0].speaker, STR("Ada Marsh"));
    CHECK(!c.p[1].speaker.p);
    CHECK_TEXT(c.p[2].speaker, STR("Ada Marsh"));
    CHECK_TEXT(c.p[3].speaker, STR("Ben"));
    CHECK_TEXT(c.facts.title, STR("Heat and work"));
    CHECK_TEXT(c.facts.language, STR("en"));
    CHECK_F64(c.facts.seconds, 3602.125);
    arena_free(&c.a);
}

TEST(subrip_may_have_a_mark_crlf_commas_and_no_blank_lines)
{
    struct cues c = cues_file("lecture.srt");

    CHECK_INT(c.n, 6);
    check_cue(&c, 0, 1, 3.5, "The first law is about");
    check_cue(&c, 1, 3.5, 6, "energy that is kept.");
    check_cue(&c, 2, 6.2, 8, "- Always? - Always.");
    check_cue(&c, 3, 8, 10.5,
              "A line, then an empty one. This one still belongs to it.");
    arena_free(&c.a);
}

TEST(cues_are_put_in_order_of_time)
{
    struct cues c = cues_file("lecture.srt");

    check_cue(&c, 4, 11, 13, "This cue stands in the wrong place.");
    check_cue(&c, 5, 14, 16, "In 1843 Joule measured 1200 turns of a paddle.");
    CHECK_INT(c.p[4].number, 6);
    arena_free(&c.a);
}

TEST(rolling_captions_say_everything_once)
{
    struct cues c = cues_file("rolling.vtt");
    struct read *r = read_file("rolling.vtt");

    CHECK_INT(c.n, 15);
    check_cue(&c, 0, 0.16, 2.56, "so today we are going to look at");
    check_cue(&c, 1, 2.56, 4.96, "what happens when a gas expands");
    CHECK_INT(r->n, 1);
    CHECK(str_starts(r->passages[0].text,
                     STR("so today we are going to look at what happens when a "
                         "gas expands against a piston and")));
    CHECK_F64(r->passages[0].start, 0.16);
    CHECK_F64(r->passages[0].end, 36.16);
    read_free(r);
    arena_free(&c.a);
}

TEST(captions_that_grow_word_by_word_roll_as_well)
{
    struct cues c = cues_text("WEBVTT\n\n00:01.000 --> 00:02.000\nheat\n\n"
                              "00:02.000 --> 00:03.000\nheat flows\n\n"
                              "00:03.000 --> 00:04.000\nheat flows down\n\n"
                              "00:04.000 --> 00:05.000\nheat flows down the\n\n"
                              "00:05.000 --> 00:06.000\ndown the hill\n");

    CHECK_INT(c.n, 5);
    check_cue(&c, 1, 2, 3, "flows");
    check_cue(&c, 2, 3, 4, "down");
    check_cue(&c, 3, 4, 5, "the");
    check_cue(&c, 4, 5, 6, "hill");
    arena_free(&c.a);
}

TEST(people_who_repeat_themselves_are_left_alone)
{
    struct cues c = cues_text(
        "1\n00:00:01,000 --> 00:00:02,000\nRow, row, row your boat\n\n"
        "2\n00:00:02,000 --> 00:00:03,000\ngently down the stream.\n\n"
        "3\n00:00:03,000 --> 00:00:04,000\nmerrily, merrily,\n\n"
        "4\n00:00:04,000 --> 00:00:05,000\nmerrily, merrily,\n\n"
        "5\n00:00:05,000 --> 00:00:06,000\nlife is but a dream.\n");

    CHECK_INT(c.n, 5);
    check_cue(&c, 3, 4, 5, "merrily, merrily,");
    arena_free(&c.a);
}

TEST(a_passage_has_the_seconds_of_its_sentences)
{
    struct read *r = read_file("lecture.vtt");

    CHECK_INT(r->n, 2); /* a silence of an hour ends the first */
    CHECK(r->passages[0].has_seconds);
    CHECK_F64(r->passages[0].start, 0.5);
    CHECK_F64(r->passages[0].end, 18);
    CHECK(str_starts(r->passages[0].text,
                     STR("Ada Marsh: Welcome back. Last week we met "
                         "temperature, and today we meet heat & work.")));
    CHECK(read_has(r, "\nBen: Is cold a thing, then?\nAda Marsh: No. Cold"));
    CHECK_F64(r->passages[1].start, 3598);
    read_free(r);
}

TEST(long_talk_is_cut_and_each_passage_knows_when)
{
    enum { CUES = 400 };
    static char text[CUES * 100];
    size_t n = (size_t)snprintf(text, sizeof(text), "WEBVTT\n\n");

    for (int i = 0; i < CUES; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n,
                              "%02d:%02d.000 --> %02d:%02d.900\nand then we "
                              "say %d things without a stop\n\n",
                              i / 60, i % 60, i / 60, i % 60, i);
    struct read *r = read_as_text(FORMAT_VTT, text);

    CHECK(r->n > 30);
    CHECK_F64(r->passages[0].start, 0);
    for (size_t i = 0; i < r->n; i++) {
        const struct passage *p = &r->passages[i];
        CHECK(p->end - p->start < 20);
        CHECK(i == 0 || (p->start > r->passages[i - 1].start &&
                         p->start <= r->passages[i - 1].end + 1));
    }
    CHECK_F64(r->passages[r->n - 1].end, 399.9);
    read_free(r);
}

TEST(a_transcript_without_cues_is_refused_in_words)
{
    read_refused(FORMAT_VTT, STR("WEBVTT\n\nNOTE nothing here\n"),
                 FOOTNOTE_INVALID, "no cues");
    read_refused(FORMAT_SRT, STR("Just a text."), FOOTNOTE_INVALID, "no cues");
    read_refused(FORMAT_SRT, STR("1\n00:00:01,000 --> 00:00:02,000\n\n"),
                 FOOTNOTE_INVALID, "no cues");
    read_refused(FORMAT_SRT, STR(""), FOOTNOTE_INVALID, "empty");
}

TEST(more_cues_than_the_limit_are_refused)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_SRT,
                 read_repeated(&a, "", "-->\n", TRANSCRIPT_CUES_MAX + 1),
                 FOOTNOTE_TOOBIG, "more than 200000 cues");
    arena_free(&a);
}

TEST(odd_times_are_read_or_left_out)
{
    struct cues c = cues_text(
        "00:05 --> 00:06\nno fraction\n\n"
        "1:00:07.12345 --> 1:00:08.1 align:left\nlong and short fraction\n\n"
        "00:00:09,000 --> 00:00:08,000\nbackwards\n\n"
        "9 --> 10\nno time at all\n\n"
        "00:00:0x,000 --> 00:00:08,000\nnot a number\n");

    CHECK_INT(c.n, 3);
    check_cue(&c, 0, 5, 6, "no fraction");
    CHECK_F64(c.p[1].start, 9);
    CHECK_F64(c.p[1].end, 9);
    CHECK_F64(c.p[2].start, 3607.123);
    CHECK_F64(c.p[2].end, 3608.1);
    arena_free(&c.a);
}
