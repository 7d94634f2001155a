/* sheet_test.c - spreadsheets and tables as text. */
#include "made_zip.h"
#include "read_passages.h"

#include <stdio.h>
#include <string.h>

static const char table[] = "\xef\xbb\xbfName;Price;Sold on\r\n"
                            "\"Pump; small\";12,50;2024-01-02\r\n"
                            "\"A \"\"good\"\"\nbucket\";3;2024-02-01\r\n"
                            ";;\r\n"
                            "Meter;;2024-03-01\r\n";

TEST(a_table_of_text_has_its_cells_and_where_they_are)
{
    CHECK_INT(format_detect(str_c(table), STR("a.CSV")), FORMAT_CSV);
    struct read *r = read_as_text(FORMAT_CSV, table);

    CHECK_INT(r->n, 2);
    CHECK_TEXT(r->passages[0].text,
               STR("Name | Price | Sold on\nPump; small | 12,50 | 2024-01-02\n"
                   "A \"good\" bucket | 3 | 2024-02-01"));
    CHECK_TEXT(r->passages[0].locator, STR("A1:C3"));
    /* Below an empty row the names are still the names. */
    CHECK_TEXT(r->passages[1].text,
               STR("Name | Price | Sold on\nMeter | | 2024-03-01"));
    CHECK_TEXT(r->passages[1].locator, STR("A5:C5"));
    read_free(r);
    r = read_as_text(FORMAT_CSV, "a\tb, c\n1\t2\n");
    CHECK_TEXT(r->passages[0].text, STR("a | b, c\n1 | 2"));
    read_free(r);
}

TEST(a_long_table_repeats_its_names_in_every_passage)
{
    struct arena a = ARENA(SCRATCH);
    struct str text =
        read_repeated(&a, "Name,Price\n", "a pump of that size,12\n", 400);
    struct read *r = read_as_bytes(FORMAT_CSV, text);

    CHECK(r->n > 20);
    for (size_t i = 0; i < r->n; i++)
        CHECK(str_starts(r->passages[i].text, STR("Name | Price\na pump")));
    CHECK(str_starts(r->passages[1].locator, STR("A")));
    CHECK(memmem(r->passages[r->n - 1].locator.p,
                 r->passages[r->n - 1].locator.n, ":B401", 5));
    read_free(r);
    /* A row of a megabyte, and a cell of one. */
    r = read_as_bytes(FORMAT_CSV, read_repeated(&a, "x\n", "word,", 50000));
    read_free(r);
    r = read_as_bytes(FORMAT_CSV, read_repeated(&a, "x,y\n", "word ", 200000));
    CHECK(r->n > 200);
    read_free(r);
    arena_free(&a);
}

/* ---- Excel -------------------------------------------------------------- */

#define RELATION "http://schemas.openxmlformats.org/officeDocument/2006/"
#define LINK(id, type, target)                                                 \
    "<Relationship Id=\"" id "\" Type=\"" RELATION type "\" Target=\"" target  \
    "\"/>"

static const char *const workbook[] = {
    "[Content_Types].xml",
    "<Types/>",
    "_rels/.rels",
    "<R>" LINK("r1", "officeDocument", "xl/workbook.xml") "</R>",
    "xl/workbook.xml",
    "<w xmlns:r=\"x\"><sheets><sheet name=\"Prices\" r:id=\"s1\"/><sheet "
    "name=\"Notes\" state=\"hidden\" r:id=\"s2\"/></sheets></w>",
    "xl/_rels/workbook.xml.rels",
    "<R>" LINK("s1", "worksheet", "worksheets/sheet7.xml")
        LINK("s2", "worksheet", "worksheets/sheet2.xml")
            LINK("t", "sharedStrings", "sharedStrings.xml")
                LINK("y", "styles", "styles.xml") "</R>",
    "xl/sharedStrings.xml",
    "<sst><si><t>Article</t></si><si><r><t>Pu</t></r><r><t>mp</t></r><rPh><t>"
    "said</t></rPh></si><si><t>Share</t></si><si><t>Day</t></si></sst>",
    "xl/styles.xml",
    "<s><numFmts><numFmt numFmtId=\"170\" formatCode=\"dd/mm/yy &quot;h&quot;\""
    "/></numFmts><cellStyleXfs><xf numFmtId=\"9\"/></cellStyleXfs><cellXfs><xf "
    "numFmtId=\"0\"/><xf numFmtId=\"170\"/><xf numFmtId=\"10\"/><xf "
    "numFmtId=\"22\"/></cellXfs></s>",
    "xl/worksheets/sheet7.xml",
    "<w><sheetData><row r=\"2\"><c r=\"B2\" t=\"s\"><v>0</v></c><c r=\"C2\" "
    "t=\"s\"><v>2</v></c><c r=\"D2\" t=\"s\"><v>3</v></c></row><row r=\"3\"><c "
    "r=\"B3\" t=\"s\"><v>1</v></c><c r=\"C3\" s=\"2\"><v>0.125</v></c><c "
    "r=\"D3\" s=\"1\"><v>45351</v></c></row><row r=\"4\" hidden=\"1\"><c "
    "r=\"B4\"><v>666</v></c></row><row r=\"5\"><c r=\"B5\" t=\"inlineStr\"><is>"
    "<t>Sum</t></is></c><c "
    "r=\"C5\"><f>A1+1</f><v>0.30000000000000004</v></c><c "
    "r=\"D5\" s=\"3\"><v>45351.5</v></c></row><row r=\"6\"><c r=\"C6\" "
    "t=\"b\"><v>1</v></c></row></sheetData></w>",
    "xl/worksheets/sheet2.xml",
    "<w><sheetData><row><c><v>777</v></c></row></sheetData></w>",
    NULL};

TEST(a_workbook_shows_its_cells_as_excel_does)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes = made_zip(&a, workbook);

    CHECK_INT(format_detect(bytes, STR("x")), FORMAT_XLSX);
    struct read *r = read_as_bytes(FORMAT_XLSX, bytes);
    CHECK_INT(r->n, 2);
    CHECK_TEXT(r->passages[0].heading, STR("Prices"));
    CHECK_TEXT(r->passages[0].text,
               STR("Article | Share | Day\nPump | 12.5% | 2024-02-29"));
    CHECK_TEXT(r->passages[0].locator, STR("Prices!B2:D3"));
    CHECK_TEXT(r->passages[1].text, STR("Article | Share | Day\nSum | 0.3 | "
                                        "2024-02-29 12:00\nTRUE"));
    CHECK_TEXT(r->passages[1].locator, STR("Prices!B5:D6"));
    CHECK_STR(r->facts.warning, "1 hidden sheet was left out");
    CHECK(r->facts.hidden_text);
    read_free(r);
    read_refused_when_cut(FORMAT_XLSX, bytes);
    arena_free(&a);
}

TEST(bad_sheets_are_refused_in_words)
{
    struct arena a = ARENA(SCRATCH);
    const char *parts[32];
    size_t n = 0;

    for (; workbook[n]; n++)
        parts[n] = workbook[n];
    parts[n] = NULL;
    parts[13] = "<w><row r=\"3\"><c r=\"B3\"><v>1</v></c></row><row r=\"2\"><c "
                "r=\"B2\"><v>1</v></c></row></w>";
    read_refused(FORMAT_XLSX, made_zip(&a, parts), FOOTNOTE_INVALID,
                 "not in their order");
    parts[13] = "<w><row r=\"9\"><c r=\"ZZZZ9\"><v>1</v></c></row></w>";
    read_refused(FORMAT_XLSX, made_zip(&a, parts), FOOTNOTE_INVALID,
                 "not in their order");
    parts[13] = "<w><row><c><v>";
    read_refused(FORMAT_XLSX, made_zip(&a, parts), FOOTNOTE_INVALID, "broken");
    parts[13] = "<w/>";
    read_refused(FORMAT_XLSX, made_zip(&a, parts), FOOTNOTE_INVALID, "no text");
    arena_free(&a);
}

/* ---- OpenDocument ------------------------------------------------------- */

#define CELL(text) "<t:table-cell><x:p>" text "</x:p></t:table-cell>"

static struct str open_sheet(struct arena *a, const char *rows)
{
    enum { CONTENT_BYTES = 8000 };
    char *content = read_need(arena_alloc(a, CONTENT_BYTES));
    const char *const parts[] = {
        "mimetype", "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml", content, NULL};

    snprintf(content, CONTENT_BYTES,
             "<o:c xmlns:o=\"o\" xmlns:t=\"t\" xmlns:x=\"x\" xmlns:s=\"s\">"
             "<s:style s:name=\"ta2\"><s:table-properties t:display=\"false\"/>"
             "</s:style><t:table t:name=\"Runs\">%s</t:table><t:table "
             "t:name=\"No\" t:style-name=\"ta2\"><t:table-row>" CELL(
                 "777") "</t:table-row></t:table></o:c>",
             rows);
    return made_zip(a, parts);
}

TEST(an_open_document_sheet_has_ranges_and_repeats)
{
    struct arena a = ARENA(SCRATCH);
    struct str bytes = open_sheet(
        &a,
        "<t:table-row>" CELL("run") CELL(
            "heat") "</t:table-row>"
                    "<t:table-row t:number-rows-repeated=\"2\"><t:table-cell "
                    "t:number-columns-repeated=\"2\"><x:p>4</"
                    "x:p><o:annotation><x:p>Oh"
                    "</x:p></o:annotation></t:table-cell></"
                    "t:table-row><t:table-row "
                    "t:visibility=\"collapse\">" CELL(
                        "666") "</t:table-row>"
                               "<t:table-row "
                               "t:number-rows-repeated=\"1048000\"><t:table-"
                               "cell "
                               "t:number-columns-repeated=\"16384\"/></"
                               "t:table-row>");

    CHECK_INT(format_detect(bytes, STR("x")), FORMAT_ODS);
    struct read *r = read_as_bytes(FORMAT_ODS, bytes);
    CHECK_INT(r->n, 1);
    CHECK_TEXT(r->passages[0].text, STR("run | heat\n4 | 4\n4 | 4"));
    CHECK_TEXT(r->passages[0].locator, STR("Runs!A1:B3"));
    CHECK_STR(r->facts.warning, "1 hidden sheet was left out");
    read_free(r);
    /* A million rows of sixteen thousand cells, in a line of XML. */
    r = read_as_bytes(
        FORMAT_ODS,
        open_sheet(&a, "<t:table-row t:number-rows-repeated=\"1048576\">"
                       "<t:table-cell t:number-columns-repeated=\"16384\">"
                       "<x:p>bomb</x:p></t:table-cell></t:table-row>"));
    CHECK(r->n <= 200);
    read_free(r);
    arena_free(&a);
}
