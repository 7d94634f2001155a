/* type.c - what a format is called, and what kind of document it makes. */
#include "ingest/format/type.h"
#include "store/document/document.h"

#include <strings.h>

struct str type_of_format(enum extract_format f)
{
    switch (f) {
    case FORMAT_TEXT: return STR("text/plain; charset=utf-8");
    case FORMAT_MARKDOWN: return STR("text/markdown; charset=utf-8");
    case FORMAT_HTML: return STR("text/html");
    case FORMAT_VTT: return STR("text/vtt");
    case FORMAT_SRT: return STR("application/x-subrip");
    case FORMAT_DOCX:
        return STR("application/vnd.openxmlformats-officedocument."
                   "wordprocessingml.document");
    case FORMAT_PPTX:
        return STR("application/vnd.openxmlformats-officedocument."
                   "presentationml.presentation");
    case FORMAT_PDF: return STR("application/pdf");
    case FORMAT_MEDIA:
    case FORMAT_UNKNOWN: break;
    }
    return STR("application/octet-stream");
}

struct str type_of_recording(struct str filename)
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

enum document_kind kind_of_format(enum extract_format f, bool dated)
{
    if (f == FORMAT_PDF || f == FORMAT_PPTX)
        return DOCUMENT_SLIDES;
    if (f == FORMAT_VTT || f == FORMAT_SRT)
        return DOCUMENT_LECTURE;
    return dated ? DOCUMENT_JOURNAL : DOCUMENT_TEXT;
}
