/* values.c - the numbers of sql/values.sql are those of C. */
#include "footnote.h"
#include "sql.h"
#include "store/document/document.h"
#include "store/session/path.h"

#define SAME(sql, c) _Static_assert((int)(sql) == (int)(c), #sql " is " #c)

SAME(SQL_ROLE_USER, FOOTNOTE_USER);
SAME(SQL_ROLE_ASSISTANT, FOOTNOTE_ASSISTANT);
SAME(SQL_STATUS_STREAMING, FOOTNOTE_STREAMING);
SAME(SQL_SHOWN_OFF, SHOWN_OFF);
SAME(SQL_SHOWN_ON, SHOWN_ON);
SAME(SQL_SHOWN_LEFT, SHOWN_LEFT);
SAME(SQL_DOCUMENT_QUEUED, DOCUMENT_QUEUED);
SAME(SQL_KIND_JOURNAL, DOCUMENT_JOURNAL);
