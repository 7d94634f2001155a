/* formats.c - THE TABLE of formats. */
#include "export/export.h"

#define S(text)                                                                \
    {                                                                          \
        "" text, sizeof(text) - 1                                              \
    }

// clang-format off
const struct export_kind export_kinds[EXPORT_FORMATS_N] = {
    [EXPORT_JSON] = {S("json"), S("application/json"), S("json")},
    [EXPORT_JSONL] = {S("jsonl"), S("application/jsonl"), S("jsonl")},
    [EXPORT_MARKDOWN] = {S("markdown"), S("text/markdown; charset=utf-8"),
                         S("md")},
    [EXPORT_HTML] = {S("html"), S("text/html; charset=utf-8"), S("html")},
    [EXPORT_DOCX] = {S("docx"),
                     S("application/vnd.openxmlformats-officedocument."
                       "wordprocessingml.document"),
                     S("docx")},
    [EXPORT_BIBTEX] = {S("bibtex"), S("application/x-bibtex"), S("bib")},
    [EXPORT_CSL] = {S("csl"), S("application/vnd.citationstyles.csl+json"),
                    S("json")},
    [EXPORT_RIS] = {S("ris"), S("application/x-research-info-systems"),
                    S("ris")},
};
// clang-format on

const char *export_words(void)
{
    return "json, jsonl, markdown, html, docx, bibtex, csl, ris";
}

bool export_parse(struct str word, enum export_format *out)
{
    for (size_t i = 0; i < EXPORT_FORMATS_N; i++)
        if (str_eq(word, export_kinds[i].name)) {
            *out = (enum export_format)i;
            return true;
        }
    return false;
}

enum footnote_rc export_shown(struct buf *b, struct arena *a,
                              enum export_format format,
                              const struct shown_session *s,
                              struct footnote_err *err)
{
    switch (format) {
    case EXPORT_MARKDOWN: return export_markdown(b, a, s, err);
    case EXPORT_HTML: return export_html(b, a, s, err);
    case EXPORT_DOCX: return export_docx(b, a, s, err);
    case EXPORT_BIBTEX:
    case EXPORT_CSL:
    case EXPORT_RIS: return export_bibliography(b, a, format, s, err);
    case EXPORT_JSON:
    case EXPORT_JSONL:
    case EXPORT_FORMATS_N: break;
    }
    return err_set(err, FOOTNOTE_INVALID, "that is not for readers");
}
