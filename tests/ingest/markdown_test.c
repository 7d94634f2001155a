/* markdown_test.c - Markdown and plain text. */
#include "ingest/format/markdown_inline.h"
#include "read_passages.h"

#include <string.h>

static void check_inline(const char *raw, const char *want)
{
    struct buf out = BUF(4096);
    struct clean clean = {0};

    markdown_inline(&clean, &out, str_c(raw));
    if (!str_eq(buf_str(&out), str_c(want)))
        FAIL("\"%s\" became \"%.*s\", not \"%s\"", raw, STR_ARG(buf_str(&out)),
             want);
    buf_free(&out);
}

TEST(links_and_pictures_are_their_text)
{
    check_inline("See [the *drawing*](a.png \"t\").", "See the drawing.");
    check_inline("![a piston](p.png)", "a piston");
    check_inline("[![alt](i.png)](https://x)", "alt");
    check_inline("[a][ref] and [b][]", "a and b");
    check_inline("[a](b(c)d) e", "a e");
    check_inline("<https://example.org/x_y_z>", "https://example.org/x_y_z");
    check_inline("[1] and [1,2] stay", "[1] and [1,2] stay");
    check_inline("as said[^note].", "as said.");
    check_inline("open [ bracket", "open [ bracket");
    check_inline("wow!", "wow!");
}

TEST(emphasis_goes_and_arithmetic_stays)
{
    check_inline("**bold** *it* __b__ _i_ ***all***", "bold it b i all");
    check_inline("2*3 snake_case_name a * b", "2*3 snake_case_name a * b");
    check_inline("~~gone~~ ~5", "gone ~5");
    check_inline("\\*no\\* C:\\dir", "*no* C:\\dir");
}

TEST(code_and_formulas_stay_as_they_are)
{
    check_inline("`a_b *c*` x", "a_b *c* x");
    check_inline("``a ` b``", "a ` b");
    check_inline("$T_c * T_h$ it", "$T_c * T_h$ it");
    check_inline("costs $5 and *not* $6", "costs $5 and not $6");
    check_inline("`open *it*", "`open it");
}

TEST(tags_comments_and_entities_are_read_as_a_browser_does)
{
    check_inline("<kbd>Ctrl</kbd> a<br>b", "Ctrl a b");
    check_inline("a<!-- unseen -->b", "ab");
    check_inline("&eacute; &#233; &amp; &unknown; & x", "é é & &unknown; & x");
    check_inline("3 < 4 and 5 > 4", "3 < 4 and 5 > 4");
}

TEST(a_file_of_notes_becomes_passages_by_heading)
{
    struct read *r = read_file("notes.md");

    CHECK_INT(r->n, 3);
    CHECK_TEXT(r->facts.title, STR("Engines, and what they waste"));
    CHECK_TEXT(r->facts.date, STR("2026-02-26"));
    CHECK_TEXT(r->facts.language, STR("en"));
    CHECK_TEXT(r->passages[0].heading, STR("Engines"));
    CHECK_TEXT(r->passages[1].heading, STR("Engines > Efficiency"));
    CHECK_TEXT(r->passages[2].heading, STR("Engines > Setext too"));
    CHECK(!read_has(r, "remember: this line"));
    CHECK(!read_has(r, "example.org"));
    CHECK(!read_has(r, "tags:"));
    read_free(r);
}

TEST(tables_lists_and_quotations_keep_their_lines)
{
    struct read *r = read_file("notes.md");

    CHECK(read_has(r, "engine | hot, K | efficiency\nsteam | 800 | 0.40\n"
                      "diesel | 2000 | 0.45\n"));
    CHECK(read_has(r, "- heat goes in\n- work comes out, slowly at first\n"
                      "- what is left is waste\n- and it warms the river\n"));
    CHECK(read_has(r, "1. first\n2. second"));
    CHECK(read_has(r, "A quotation stands on two lines."));
    CHECK(read_has(r, "Carnot found it in 1824."));
    CHECK(read_has(r, "# A comment, not a heading\ndef carnot"));
    read_free(r);
}

TEST(the_first_heading_is_the_title_when_nothing_else_says_one)
{
    struct read *r = read_as_text(FORMAT_MARKDOWN, "Intro.\n\n## *Heat* & co\n"
                                                   "\nText.\n");
    CHECK_TEXT(r->facts.title, STR("Heat & co"));
    read_free(r);
}

TEST(text_from_right_to_left_stays_intact)
{
    struct read *r = read_file("hebrew.md");

    CHECK_INT(r->n, 2);
    CHECK_TEXT(r->passages[0].heading, STR("אנטרופיה"));
    CHECK_TEXT(r->passages[0].text,
               STR("החוק השני אומר שהאנטרופיה של מערכת סגורה אינה קטנה. חום "
                   "עובר מגוף חם (T₁) לגוף קר, ולא להפך."));
    /* The joiner inside of a Persian word is part of its spelling. */
    CHECK(read_has(r, "می\xe2\x80\x8cخواهم"));
    CHECK(!r->facts.hidden_text);
    read_free(r);
}

/* ---- Plain text --------------------------------------------------------- */

TEST(wrapped_lines_are_one_paragraph_and_short_ones_are_not)
{
    struct read *r = read_as_text(
        FORMAT_TEXT,
        "This line was ended by the margin of a narrow window and\n"
        "goes on here.\n\nRoses\nare red.\n");

    CHECK_TEXT(r->passages[0].text,
               STR("This line was ended by the margin of a narrow window and "
                   "goes on here.\n\nRoses\nare red."));
    read_free(r);
}

TEST(form_feeds_end_pages)
{
    struct read *r = read_file("pages.txt");

    CHECK_INT(r->facts.pages, 3);
    CHECK_INT(r->passages[0].page, 1);
    CHECK_INT(r->done, r->total);
    read_free(r);
}

TEST(latin_1_and_utf_16_are_recognised)
{
    struct read *r = read_file("latin1.txt");
    CHECK(read_has(r, "läuft zwischen zwei Wärmebädern"));
    CHECK(read_has(r, "größer"));
    CHECK(read_has(r, "„Zweite“ Seite"));
    read_free(r);
    r = read_file("utf16.txt");
    CHECK_TEXT(r->passages[0].text, STR("Entropy is a count.\nIt counts the "
                                        "ways: Ω, and 𝑥 too."));
    read_free(r);
    r = read_as_text(FORMAT_TEXT, "Mostly good: é è ü ö ä, one \xff is not.");
    CHECK(read_has(r, "é è ü ö ä, one \xef\xbf\xbd is"));
    read_free(r);
}

TEST(binary_empty_and_blank_files_are_refused_in_words)
{
    static const char zeros[64] = "text\0\0\0\1\2\3";

    read_refused(FORMAT_TEXT, (struct str){zeros, sizeof(zeros)},
                 FOOTNOTE_INVALID, "not a text file");
    read_refused(FORMAT_MARKDOWN, STR(""), FOOTNOTE_INVALID, "empty");
    read_refused(FORMAT_TEXT, STR(" \n\n "), FOOTNOTE_INVALID, "no text");
    read_refused(FORMAT_MARKDOWN, STR("# Only a heading\n"), FOOTNOTE_INVALID,
                 "no text");
}

TEST(a_file_over_the_limit_is_refused)
{
    static const char one;
    struct str huge = {&one, (size_t)EXTRACT_BYTES_MAX + 1}; /* never read */

    read_refused(FORMAT_TEXT, huge, FOOTNOTE_TOOBIG, "larger than 64 MB");
}

TEST(text_that_grows_over_the_limit_when_decoded_is_refused)
{
    struct arena a = ARENA(SCRATCH);
    size_t n = (size_t)EXTRACT_BYTES_MAX / 2 + 1;

    read_refused(FORMAT_TEXT, read_repeated(&a, "", "\xe9", n), FOOTNOTE_TOOBIG,
                 "larger than 64 MB");
    arena_free(&a);
}

/* ---- What is not seen --------------------------------------------------- */

static void check_clean(const char *raw, const char *want, bool hidden)
{
    struct read *r = read_as_text(FORMAT_TEXT, raw);

    CHECK_TEXT(r->passages[0].text, str_c(want));
    CHECK_INT(r->facts.hidden_text, hidden);
    read_free(r);
}

TEST(characters_that_nobody_sees_are_taken_out_and_said)
{
    check_clean("he\xe2\x80\x8b"
                "at",
                "heat", true); /* U+200B */
    check_clean("a\xe2\x80\xae"
                "b\xe2\x80\xac c",
                "ab c", true); /* override */
    check_clean("x\xf3\xa0\x81\xa9\xf3\xa0\x81\xa7y", "xy", true); /* tags */
    check_clean("a\xe2\x80\x8d"
                "b",
                "ab", true); /* joiner in Latin */
    check_clean("a\xe2\x81\xa6"
                "b",
                "ab", true); /* isolate */
}

TEST(characters_of_no_harm_are_dropped_or_kept_without_a_word)
{
    check_clean("heat\xc2\xad"
                "ing",
                "heating", false); /* soft hyphen */
    check_clean("4\xc2\xa0kg", "4 kg", false);
    check_clean("a\xe2\x80\xa8"
                "b",
                "a\nb", false); /* U+2028 */
    check_clean("שלום\xe2\x80\x8f!", "שלום\xe2\x80\x8f!", false);
    check_clean("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac",
                "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac", false);
    check_clean("bell\x07!", "bell!", false);
}
