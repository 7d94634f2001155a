/* book_test.c - books, OpenDocument texts and slides, rich text. */
#include "made_zip.h"
#include "read_passages.h"

#include <string.h>

#define CONTAINER                                                              \
    "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/>"           \
    "</rootfiles></container>"
#define PACKAGE(toc)                                                           \
    "<?xml version=\"1.0\"?><package><metadata xmlns:dc=\"x\"><dc:title>Heat"  \
    "</dc:title><dc:language>en</dc:language><dc:date>2024-05-01</dc:date>"    \
    "</metadata><manifest>" toc                                                \
    "<item id=\"a\" href=\"one%20a.xhtml\"/><item id=\"b\" href=\"b.xhtml\"/>" \
    "<item id=\"c\" href=\"c.xhtml\"/></manifest><spine toc=\"ncx\">"          \
    "<itemref idref=\"nav\"/><itemref idref=\"b\"/><itemref idref=\"a\"/>"     \
    "<itemref idref=\"c\"/></spine></package>"
#define NAV "<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\"/>"
#define NCX "<item id=\"ncx\" href=\"toc.ncx\"/>"
#define PAGES                                                                  \
    "OEBPS/b.xhtml",                                                           \
        "<html><head><title>No</title></head><body><h1>1. Engines</h1><p>An "  \
        "engine turns heat &eacute; into work.</p></body></html>",             \
        "OEBPS/one a.xhtml",                                                   \
        "<html><body><p>Ice floats<a id=\"x\"/> on water.</p></body></html>",  \
        "OEBPS/c.xhtml", "<html><body><p>It goes on.</p></body></html>"

static struct str a_book(struct arena *a, const char *encryption)
{
    const char *const parts[] = {
        "mimetype",
        "application/epub+zip",
        "META-INF/container.xml",
        CONTAINER,
        "OEBPS/book.opf",
        PACKAGE(NAV),
        "OEBPS/nav.xhtml",
        "<!DOCTYPE html><html><body><nav epub:type=\"toc\" "
        "xmlns:epub=\"x\"><ol><li><a href=\"b.xhtml\">Engines</a><ol><li><a "
        "href=\"b.xhtml#two\">Second</a></li></ol></li><li><a "
        "href=\"one%20a.xhtml\">Ice</a></li></ol></nav></body></html>",
        PAGES,
        encryption ? "META-INF/encryption.xml" : NULL,
        encryption,
        NULL};

    return made_zip(a, parts);
}

static void is_the_book(const struct read *r)
{
    CHECK_INT(r->n, 3);
    CHECK_TEXT(r->facts.title, STR("Heat"));
    CHECK_TEXT(r->facts.language, STR("en"));
    CHECK_TEXT(r->facts.date, STR("2024-05-01"));
    CHECK_TEXT(r->passages[0].text, STR("An engine turns heat é into work."));
    CHECK_TEXT(r->passages[0].heading, STR("1. Engines"));
    CHECK_TEXT(r->passages[0].locator, STR("Engines"));
    CHECK_TEXT(r->passages[1].text, STR("Ice floats on water."));
    CHECK_TEXT(r->passages[1].heading, STR("Ice"));
    CHECK_TEXT(r->passages[1].locator, STR("Ice"));
    /* A file that the contents do not name is of the chapter before it. */
    CHECK_TEXT(r->passages[2].text, STR("It goes on."));
    CHECK_TEXT(r->passages[2].locator, STR("Ice"));
}

TEST(a_book_is_read_by_chapters_in_its_own_order)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes = a_book(&a, NULL);

    CHECK_INT(format_detect(bytes, STR("x")), FORMAT_EPUB);
    struct read *r = read_as_bytes(FORMAT_EPUB, bytes);
    is_the_book(r);
    read_free(r);
    arena_free(&a);
}

TEST(a_book_of_the_old_kind_has_its_chapters_from_its_ncx)
{
    static const char *const parts[] = {
        "mimetype",
        "application/epub+zip",
        "META-INF/container.xml",
        CONTAINER,
        "OEBPS/book.opf",
        PACKAGE(NCX),
        "OEBPS/toc.ncx",
        "<!DOCTYPE ncx PUBLIC \"-//NISO//DTD ncx 2005-1//EN\" \"http://x\">"
        "<ncx><navMap><navPoint><navLabel><text>Engines</text></navLabel>"
        "<content src=\"b.xhtml\"/></navPoint><navPoint><navLabel><text>Ice"
        "</text></navLabel><content src=\"one%20a.xhtml\"/></navPoint>"
        "</navMap></ncx>",
        PAGES,
        NULL};
    struct arena a = ARENA(SCRATCH);
    struct read *r = read_as_bytes(FORMAT_EPUB, made_zip(&a, parts));

    is_the_book(r);
    read_free(r);
    arena_free(&a);
}

TEST(bad_books_are_refused_in_words)
{
    static const char *const lost[] = {"mimetype", "application/epub+zip",
                                       "META-INF/container.xml", CONTAINER,
                                       NULL};
    static const char *const laughs[] = {
        "mimetype",
        "application/epub+zip",
        "META-INF/container.xml",
        CONTAINER,
        "OEBPS/book.opf",
        "<!DOCTYPE p [<!ENTITY a \"aaaa\">]><package>&a;</package>",
        NULL};
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_EPUB,
                 a_book(&a, "<encryption><CipherReference "
                            "URI=\"OEBPS/b.xhtml\"/></encryption>"),
                 FOOTNOTE_INVALID, "is protected");
    read_refused(FORMAT_EPUB, made_zip(&a, lost), FOOTNOTE_INVALID,
                 "which parts it has");
    read_refused(FORMAT_EPUB, made_zip(&a, laughs), FOOTNOTE_INVALID,
                 "document type");
    read_refused_when_cut(FORMAT_EPUB, a_book(&a, NULL));
    arena_free(&a);
}

/* ---- OpenDocument ------------------------------------------------------- */

#define OPEN_TYPE "application/vnd.oasis.opendocument."
#define HIDDEN_STYLES                                                          \
    "<office:automatic-styles><style:style style:name=\"T1\">"                 \
    "<style:text-properties text:display=\"none\"/></style:style>"             \
    "<style:style style:name=\"dp2\"><style:drawing-page-properties "          \
    "presentation:visibility=\"hidden\"/></style:style>"                       \
    "</office:automatic-styles>"
#define SPACES                                                                 \
    "xmlns:office=\"o\" xmlns:style=\"s\" xmlns:text=\"t\" xmlns:draw=\"d\" "  \
    "xmlns:table=\"b\" xmlns:presentation=\"p\" xmlns:manifest=\"m\""

static struct str open_document(struct arena *a, const char *type,
                                const char *body, const char *manifest)
{
    size_t n = strlen(body) + 2000;
    char *content = read_need(arena_alloc(a, n));
    const char *const parts[] = {
        "mimetype",
        type,
        "META-INF/manifest.xml",
        manifest,
        "meta.xml",
        "<m xmlns:dc=\"x\" xmlns:meta=\"y\"><meta:creation-date>2023-01-02T10:"
        "00:00</meta:creation-date><dc:language>de</dc:language></m>",
        "content.xml",
        content,
        NULL};

    snprintf(content, n,
             "<office:document-content " SPACES ">" HIDDEN_STYLES
             "<office:body>%s</office:body></office:document-content>",
             body);
    return made_zip(a, parts);
}

static const char a_text[] =
    "<text:tracked-changes><text:p>Deleted words.</text:p>"
    "</text:tracked-changes>"
    "<text:p text:style-name=\"Title\">Report</text:p>"
    "<text:table-of-content><text:p>Method 3</text:p></text:table-of-content>"
    "<text:h text:outline-level=\"1\">Method</text:h>"
    "<text:p>We took two<text:s text:c=\"2\"/>buckets<text:note>"
    "<text:note-citation>1</text:note-citation><text:note-body><text:p>Lent."
    "</text:p></text:note-body></text:note>.<text:span "
    "text:style-name=\"T1\">Full marks!</text:span><office:annotation>"
    "<text:p>Really?</text:p></office:annotation></text:p>"
    "<text:list><text:list-item><text:p>one pump</text:p></text:list-item>"
    "<text:list-item><text:p>a meter</text:p></text:list-item></text:list>"
    "<text:h text:outline-level=\"2\">Runs</text:h>"
    "<table:table><table:table-row><table:table-cell><text:p>run</text:p>"
    "</table:table-cell><table:table-cell><text:p>heat</text:p><text:p>in kJ"
    "</text:p></table:table-cell></table:table-row><table:table-row>"
    "<table:table-cell><text:p>1</text:p></table:table-cell>"
    "<table:table-cell><text:p>1080</text:p></table:table-cell>"
    "</table:table-row></table:table><text:p>Done.</text:p>";

TEST(an_open_document_text_has_headings_lists_tables_and_notes)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes = open_document(&a, OPEN_TYPE "text", a_text, "<m/>");

    CHECK_INT(format_detect(bytes, STR("x.zip")), FORMAT_ODT);
    struct read *r = read_as_bytes(FORMAT_ODT, bytes);
    CHECK_INT(r->n, 3);
    CHECK_TEXT(r->facts.title, STR("Report"));
    CHECK_TEXT(r->facts.date, STR("2023-01-02"));
    CHECK_TEXT(r->facts.language, STR("de"));
    CHECK_TEXT(r->passages[0].text, STR("Report"));
    CHECK_TEXT(r->passages[1].heading, STR("Method"));
    CHECK_TEXT(r->passages[1].text, STR("We took two buckets.\nNote: Lent.\n\n"
                                        "- one pump\n- a meter"));
    CHECK_TEXT(r->passages[2].heading, STR("Method > Runs"));
    CHECK_TEXT(r->passages[2].text, STR("run | heat in kJ\n1 | 1080\n\nDone."));
    CHECK(r->facts.hidden_text);
    read_free(r);
    arena_free(&a);
}

#define SLIDE(style, title, text, notes)                                       \
    "<draw:page draw:style-name=\"" style "\"><draw:frame "                    \
    "presentation:class=\"title\"><draw:text-box><text:p>" title "</text:p>"   \
    "</draw:text-box></draw:frame><draw:frame presentation:class=\"footer\">"  \
    "<draw:text-box><text:p>Every foot</text:p></draw:text-box></draw:frame>"  \
    "<draw:frame><draw:text-box><text:list><text:list-item><text:p>" text      \
    "</text:p></text:list-item></text:list></draw:text-box></draw:frame>"      \
    "<presentation:notes><draw:page-thumbnail presentation:class=\"page\"/>"   \
    "<draw:frame presentation:class=\"notes\"><draw:text-box><text:p>" notes   \
    "</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"

TEST(an_open_document_presentation_has_slides_with_notes)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes =
        open_document(&a, OPEN_TYPE "presentation",
                      SLIDE("dp1", "Heat", "It flows.", "") SLIDE("dp2", "Exam",
                                                                  "Secret.", "")
                          SLIDE("dp1", "Work", "It is done.", "Say it slowly."),
                      "<m/>");

    CHECK_INT(format_detect(bytes, STR("x.odp")), FORMAT_ODP);
    struct read *r = read_as_bytes(FORMAT_ODP, bytes);
    CHECK_INT(r->n, 3);
    CHECK_INT(r->facts.pages, 3);
    CHECK_INT(r->done, 3);
    CHECK_TEXT(r->passages[0].text, STR("Heat\nIt flows."));
    CHECK_TEXT(r->passages[0].heading, STR("Heat"));
    CHECK_INT(r->passages[1].page, 3);
    CHECK_TEXT(r->passages[1].text, STR("Work\nIt is done."));
    CHECK_TEXT(r->passages[2].text, STR("Say it slowly."));
    CHECK_TEXT(r->passages[2].extra, STR("{\"notes\":true}"));
    CHECK_STR(r->facts.warning, "1 hidden slide was left out");
    read_free(r);
    read_refused(FORMAT_ODP,
                 open_document(&a, OPEN_TYPE "presentation", "", "<m/>"),
                 FOOTNOTE_INVALID, "no slides");
    arena_free(&a);
}

TEST(bad_open_documents_are_refused_in_words)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_ODT,
                 open_document(&a, OPEN_TYPE "text", a_text,
                               "<m " SPACES "><manifest:encryption-data/></m>"),
                 FOOTNOTE_INVALID, "password");
    read_refused(FORMAT_ODT, a_book(&a, NULL), FOOTNOTE_INVALID,
                 "no text part");
    read_refused(FORMAT_ODT, open_document(&a, OPEN_TYPE "text", "<p>", "<m/>"),
                 FOOTNOTE_INVALID, "broken");
    read_refused_when_cut(FORMAT_ODT,
                          open_document(&a, OPEN_TYPE "text", a_text, "<m/>"));
    arena_free(&a);
}

/* ---- Rich text ---------------------------------------------------------- */

static const char rich[] =
    "{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0\\fcharset0 Arial;}"
    "{\\f1\\fcharset238 Arial CE;}{\\f2 Any;}}{\\stylesheet{\\s1 heading 1;}"
    "{\\s2\\outlinelevel1 Kapitel;}}{\\*\\generator Riched;}"
    "{\\info{\\title A \\'e9t\\'e9}{\\author Nobody}}{\\header Every page}\n"
    "\\pard\\s1\\f0 Heat\\par\\pard\\plain\\f0 It fl\\'f6ws \\u8212?\\emdash "
    "from {\\b hot} to\\line cold{\\footnote Said {\\i Clausius}.}."
    "{\\v hidden}{\\deleted gone}\\par\n"
    "\\pard{\\listtext\\'b7\\tab}one pump\\par{\\listtext\\'b7\\tab}a "
    "meter\\par\n\\pard\\s2 Runs\\par\\trowd\\pard\\intbl run\\cell "
    "heat\\cell\\row\\trowd\\intbl 1\\cell 1080\\cell\\row\\pard "
    "{\\f2\\'c4\\'e0}, {\\f1\\'b3}: \\u-10179?\\u-8704?.\\par"
    "{\\pict\\bin4 }}}}}{\\field{\\*\\fldinst HYPERLINK "
    "\"http://x\"}{\\fldrslt "
    "a link}}\\par}";

TEST(rich_text_is_read_in_all_its_encodings)
{
    CHECK_INT(format_detect(str_c(rich), STR("x.doc")), FORMAT_RTF);
    struct read *r = read_as_text(FORMAT_RTF, rich);

    CHECK_INT(r->n, 2);
    CHECK_TEXT(r->facts.title, STR("A йtй"));
    CHECK_TEXT(r->passages[0].heading, STR("Heat"));
    CHECK_TEXT(r->passages[0].text,
               STR("It flöws ——from hot to cold.\nNote: Said Clausius.\n\n"
                   "- one pump\n- a meter"));
    CHECK_TEXT(r->passages[1].heading, STR("Heat > Runs"));
    CHECK_TEXT(r->passages[1].text,
               STR("run | heat\n1 | 1080\n\nДа, ł: 😀.\n\na link"));
    CHECK(r->facts.hidden_text);
    read_free(r);
}

TEST(bad_rich_text_is_refused_in_words)
{
    struct arena a = ARENA(SCRATCH);

    read_refused_when_cut(FORMAT_RTF, str_c(rich));
    read_refused(FORMAT_RTF, read_repeated(&a, "{\\rtf1 ", "{", 100 * 1000),
                 FOOTNOTE_INVALID, "inside of each other");
    read_refused(FORMAT_RTF, STR("{\\rtf1\\pard\\par}"), FOOTNOTE_INVALID,
                 "no text");
    arena_free(&a);
}
