/* kind.h - the words for kinds of documents.  Any thread. */
#ifndef STORE_DOCUMENT_KIND_H
#define STORE_DOCUMENT_KIND_H
#include "store/document/document.h"

struct str document_kind_name(enum document_kind kind);
/* False when the word is none of them; *out is untouched then. */
bool document_kind_parse(struct str word, enum document_kind *out);

#endif
