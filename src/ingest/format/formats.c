/* formats.c - the table of formats. */
#include "ingest/format/formats.h"

#include <assert.h>
#include <strings.h>

#define OFFICE "application/vnd.openxmlformats-officedocument."
#define OPEN   "application/vnd.oasis.opendocument."
#define BYTES(s)                                                               \
    {                                                                          \
        s, sizeof(s) - 1                                                       \
    }

// clang-format off
static const struct file_format formats[FORMATS_N] = {
    [FORMAT_UNKNOWN] = {"unknown", BYTES("application/octet-stream"),
        DOCUMENT_TEXT, .read = NULL},
    [FORMAT_TEXT] = {"text", BYTES("text/plain; charset=utf-8"),
        DOCUMENT_TEXT, .read = read_text},
    [FORMAT_MARKDOWN] = {"markdown", BYTES("text/markdown; charset=utf-8"),
        DOCUMENT_TEXT, read_markdown,
        .extensions = {"md", "markdown", "mdown", "mkd"}},
    [FORMAT_HTML] = {"html", BYTES("text/html"),
        DOCUMENT_TEXT, read_html, .jailed = true,
        .is = is_html, .extensions = {"html", "htm", "xhtml"}},
    [FORMAT_VTT] = {"vtt", BYTES("text/vtt"),
        DOCUMENT_LECTURE, read_transcript,
        .magic = BYTES("WEBVTT"), .extensions = {"vtt"}},
    [FORMAT_SRT] = {"srt", BYTES("application/x-subrip"),
        DOCUMENT_LECTURE, read_transcript,
        .is = is_srt, .extensions = {"srt"}},
    [FORMAT_DOCX] = {"docx", BYTES(OFFICE "wordprocessingml.document"),
        DOCUMENT_TEXT, read_docx, .jailed = true,
        .zip_mark = "word/", .extensions = {"docx"}},
    [FORMAT_PPTX] = {"pptx", BYTES(OFFICE "presentationml.presentation"),
        DOCUMENT_SLIDES, read_pptx, .jailed = true,
        .zip_mark = "ppt/", .extensions = {"pptx"}},
    [FORMAT_EPUB] = {"epub", BYTES("application/epub+zip"),
        DOCUMENT_TEXT, read_epub, .jailed = true,
        .zip_mark = "application/epub+zip", .extensions = {"epub"}},
    [FORMAT_ODT] = {"odt", BYTES(OPEN "text"),
        DOCUMENT_TEXT, read_odt, .jailed = true,
        .zip_mark = OPEN "text", .extensions = {"odt", "ott"}},
    [FORMAT_ODP] = {"odp", BYTES(OPEN "presentation"),
        DOCUMENT_SLIDES, read_odp, .jailed = true,
        .zip_mark = OPEN "presentation",
        .extensions = {"odp", "otp"}},
    [FORMAT_RTF] = {"rtf", BYTES("application/rtf"),
        DOCUMENT_TEXT, read_rtf, .jailed = true, .magic = BYTES("{\\rtf")},
    [FORMAT_MAIL] = {"mail", BYTES("message/rfc822"),
        DOCUMENT_TEXT, read_mail, .jailed = true,
        .is = is_mail, .extensions = {"eml", "mbox", "mht", "mhtml"}},
    [FORMAT_XLSX] = {"xlsx", BYTES(OFFICE "spreadsheetml.sheet"),
        DOCUMENT_TEXT, read_xlsx, .jailed = true,
        .zip_mark = "xl/", .extensions = {"xlsx", "xlsm"}},
    [FORMAT_ODS] = {"ods", BYTES(OPEN "spreadsheet"),
        DOCUMENT_TEXT, read_ods, .jailed = true,
        .zip_mark = OPEN "spreadsheet", .extensions = {"ods", "ots"}},
    [FORMAT_CSV] = {"csv", BYTES("text/csv; charset=utf-8"),
        DOCUMENT_TEXT, read_csv,
        .extensions = {"csv", "tsv", "tab"}},
    [FORMAT_NOTEBOOK] = {"notebook", BYTES("application/x-ipynb+json"),
        DOCUMENT_TEXT, read_notebook, .jailed = true,
        .is = is_notebook, .extensions = {"ipynb"}},
    [FORMAT_LATEX] = {"latex", BYTES("text/x-tex; charset=utf-8"),
        DOCUMENT_TEXT, read_latex, .jailed = true,
        .is = is_latex, .extensions = {"tex", "latex", "ltx"}},
    [FORMAT_CODE] = {"code", BYTES("text/plain; charset=utf-8"),
        DOCUMENT_TEXT, read_code, .is = is_code,
        .extensions = {"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm",
            "py", "pyw", "js", "mjs", "cjs", "ts", "tsx", "jsx", "java", "kt",
            "kts", "scala", "go", "rs", "rb", "pl", "pm", "php", "swift", "cs",
            "fs", "vb", "r", "jl", "lua", "sh", "bash", "zsh", "ps1", "bat",
            "sql", "hs", "ml", "mli", "erl", "ex", "exs", "clj", "lisp", "el",
            "scm", "f", "f90", "asm", "s", "v", "vhd", "css", "json", "yaml",
            "yml", "toml", "ini", "bib"}},
    [FORMAT_PDF] = {"pdf", BYTES("application/pdf"),
        DOCUMENT_SLIDES, .magic = BYTES("%PDF-")},
    [FORMAT_MEDIA] = {"media", BYTES("application/octet-stream"),
        DOCUMENT_TEXT, .read = NULL},
    [FORMAT_PNG] = {"png", BYTES("image/png"), DOCUMENT_TEXT, .read = NULL},
    [FORMAT_JPEG] = {"jpeg", BYTES("image/jpeg"), DOCUMENT_TEXT, .read = NULL},
    [FORMAT_TIFF] = {"tiff", BYTES("image/tiff"), DOCUMENT_TEXT, .read = NULL},
    [FORMAT_WEBP] = {"webp", BYTES("image/webp"), DOCUMENT_TEXT, .read = NULL},
};
// clang-format on

const struct file_format *format_of(enum extract_format f)
{
    assert(f < FORMATS_N && formats[f].name);
    return &formats[f];
}

enum document_kind format_kind(enum extract_format f, bool dated)
{
    enum document_kind kind = format_of(f)->kind;

    return kind == DOCUMENT_TEXT && dated ? DOCUMENT_JOURNAL : kind;
}

struct str recording_media_type(struct str filename)
{
    static const char *const types[][2] = {
        {".mp4", "video/mp4"},   {".m4v", "video/mp4"},
        {".webm", "video/webm"}, {".mov", "video/quicktime"},
        {".ogv", "video/ogg"},   {".mp3", "audio/mpeg"},
        {".m4a", "audio/mp4"},   {".ogg", "audio/ogg"},
        {".oga", "audio/ogg"},   {".opus", "audio/ogg"},
        {".wav", "audio/wav"},   {".flac", "audio/flac"}};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        size_t n = strlen(types[i][0]);

        if (filename.n > n &&
            strncasecmp(filename.p + filename.n - n, types[i][0], n) == 0)
            return str_c(types[i][1]);
    }
    return STR_NONE;
}
