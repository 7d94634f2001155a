/* kind.c - the words for kinds of documents. */
#include "store/document/kind.h"

struct str document_kind_name(enum document_kind kind)
{
    switch (kind) {
    case DOCUMENT_SLIDES: return STR("slides");
    case DOCUMENT_LECTURE: return STR("lecture");
    case DOCUMENT_JOURNAL: return STR("journal");
    case DOCUMENT_PAGE: return STR("page");
    case DOCUMENT_TEXT: return STR("text");
    }
    return STR_NONE;
}

bool document_kind_parse(struct str word, enum document_kind *out)
{
    for (int i = DOCUMENT_SLIDES; i <= DOCUMENT_TEXT; i++)
        if (str_eq(word, document_kind_name((enum document_kind)i))) {
            *out = (enum document_kind)i;
            return true;
        }
    return false;
}
