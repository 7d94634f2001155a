/* office_test.c - Word and PowerPoint, and archives that are neither. */
#include "ingest/format/zip.h"
#include "read_passages.h"

#include <string.h>

TEST(word_headings_lists_tables_and_notes_are_read)
{
    struct read *r = read_file("report.docx");

    CHECK_INT(r->n, 4);
    CHECK_TEXT(r->facts.title, STR("Report on a heat pump"));
    CHECK_TEXT(r->facts.date, STR("2026-01-15"));
    CHECK_TEXT(r->passages[0].heading, STR("Aim"));
    CHECK_TEXT(r->passages[0].text,
               STR("We measured how much heat a small pump moves for each "
                   "joule of work.\nNote: The pump was lent by the workshop."));
    CHECK_TEXT(r->passages[1].heading, STR("Method > Setup"));
    CHECK_TEXT(r->passages[1].text,
               STR("- two buckets of water\n- one pump\n- a wattmeter"));
    CHECK_TEXT(r->passages[2].heading, STR("Method > Steps"));
    CHECK_TEXT(r->passages[3].text,
               STR("run | work, kJ | heat, kJ\n1 | 360 | 1080\n2 | 360 | 1044"
                   "\n\nThe coefficient is close to three in both runs. Added "
                   "later."));
    read_free(r);
}

TEST(what_word_deleted_moved_or_made_invisible_is_no_text)
{
    struct read *r = read_file("report.docx");

    CHECK(!read_has(r, "A wrong remark"));
    CHECK(!read_has(r, "Moved away"));
    CHECK(!read_has(r, "full marks"));
    CHECK(r->facts.hidden_text);
    read_free(r);
}

TEST(slides_are_pages_with_titles_and_notes)
{
    struct read *r = read_file("slides.pptx");

    CHECK_INT(r->n, 6);
    CHECK_INT(r->facts.pages, 8);
    CHECK_INT(r->done, 8);
    CHECK_TEXT(r->facts.title, STR("Heat engines"));
    CHECK_INT(r->passages[0].page, 1);
    CHECK_TEXT(r->passages[0].text, STR("Heat engines\nA. Marsh"));
    /* Three slides that build up. */
    CHECK_INT(r->passages[1].page, 4);
    CHECK_TEXT(r->passages[1].heading, STR("What is an engine?"));
    CHECK_TEXT(
        r->passages[1].text,
        STR("What is an engine?\nIt takes heat "
            "from a hot place.\nIt turns some of it into work.\nIt gives "
            "the rest to a cold place, which is why every power station "
            "stands beside a river or has towers."));
    CHECK_INT(r->passages[2].page, 4);
    CHECK_TEXT(r->passages[2].extra, STR("{\"notes\":true}"));
    CHECK(read_has(r, "engine | efficiency\nsteam | 0.40\ndiesel | 0.45"));
    CHECK_INT(r->passages[5].page, 8);
    CHECK(!r->passages[5].extra.p);
    read_free(r);
}

TEST(a_hidden_slide_is_left_out_and_said)
{
    struct read *r = read_file("slides.pptx");

    CHECK(!read_has(r, "examination question"));
    CHECK_STR(r->facts.warning, "1 hidden slide was left out");
    read_free(r);
}

static void refused(const char *name, enum extract_format f,
                    enum footnote_rc rc, const char *word)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes = read_bytes(&a, name);

    CHECK_INT(format_detect(bytes, str_c(name)), f);
    read_refused(f, bytes, rc, word);
    arena_free(&a);
}

TEST(bombs_are_refused_in_words)
{
    refused("bomb.docx", FORMAT_DOCX, FOOTNOTE_TOOBIG, "100 times its size");
    refused("laughs.docx", FORMAT_DOCX, FOOTNOTE_INVALID, "document type");
}

TEST(names_that_lead_outside_are_refused)
{
    refused("outside.docx", FORMAT_DOCX, FOOTNOTE_INVALID, "outside");
}

TEST(damaged_office_files_are_refused_in_words)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes = read_bytes(&a, "report.docx");

    refused("broken.docx", FORMAT_DOCX, FOOTNOTE_INVALID, "damaged");
    refused("no-slides.pptx", FORMAT_PPTX, FOOTNOTE_INVALID, "no slides");
    refused("sheet.xlsx", FORMAT_XLSX, FOOTNOTE_INVALID, "");
    bytes.n /= 2;
    read_refused(FORMAT_DOCX, bytes, FOOTNOTE_INVALID, "damaged");
    read_refused(FORMAT_DOCX, STR("PK\x03\x04 not really"), FOOTNOTE_INVALID,
                 "damaged");
    bytes = read_bytes(&a, "slides.pptx");
    read_refused(FORMAT_DOCX, bytes, FOOTNOTE_INVALID, "no text part");
    arena_free(&a);
}

/* ---- Archives ----------------------------------------------------------- */

static bool want_all(struct str name)
{
    (void)name;
    return true;
}

TEST(members_of_an_archive_are_found_by_name)
{
    struct arena a = ARENA(SCRATCH);
    struct footnote_err err;
    struct zip z;

    CHECK_OK(zip_read(&a, read_bytes(&a, "slides.pptx"), want_all, &z, &err),
             &err);
    CHECK(z.n > 20);
    CHECK(str_starts(zip_get(&z, STR("ppt/presentation.xml")), STR("<?xml")));
    CHECK(!zip_get(&z, STR("ppt/presentation")).p);
    CHECK(!zip_get(&z, STR_NONE).p);
    arena_free(&a);
}

/* An archive of n empty members, written by hand: their headers, then the
 * directory, then its end. */
struct writer {
    char *p;
    size_t n;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    memcpy(w->p + w->n, bytes, n);
    w->n += n;
}

static struct str many_members(struct arena *a, uint16_t n)
{
    enum { LOCAL = 31, ENTRY = 47 };
    char local[LOCAL] = "PK\3\4\n", entry[ENTRY] = "PK\1\2\n\0\n";
    char end[22] = "PK\5\6";
    struct writer w = {
        .p = read_need(arena_alloc(a, (size_t)n * (LOCAL + ENTRY) + 22))};
    uint32_t directory = (uint32_t)n * LOCAL, bytes = (uint32_t)n * ENTRY;

    local[26] = entry[28] = 1; /* length of the name */
    local[30] = entry[46] = 'a';
    for (uint32_t i = 0; i < n; i++)
        put(&w, local, LOCAL);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i * LOCAL;
        memcpy(entry + 42, &at, 4);
        put(&w, entry, ENTRY);
    }
    memcpy(end + 8, &n, 2);
    memcpy(end + 10, &n, 2);
    memcpy(end + 12, &bytes, 4);
    memcpy(end + 16, &directory, 4);
    put(&w, end, sizeof(end));
    return (struct str){w.p, w.n};
}

TEST(an_archive_of_too_many_members_is_refused)
{
    struct arena a = ARENA(SCRATCH);
    struct footnote_err err;
    struct zip z;
    struct str bytes = many_members(&a, ZIP_MEMBERS_MAX + 1);

    CHECK_INT(zip_read(&a, bytes, want_all, &z, &err), FOOTNOTE_TOOBIG);
    CHECK_STR(err.text, "it has more than 10000 parts");
    arena_free(&a);
}
