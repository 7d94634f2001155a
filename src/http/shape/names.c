/* names.c - words and enums, both ways, from one function each. */
#include "http/shape/names.h"
#include "store/document/document.h"
#include "store/session/course.h"

struct str role_name(enum footnote_role role)
{
    switch (role) {
    case FOOTNOTE_USER: return STR("user");
    case FOOTNOTE_ASSISTANT: return STR("assistant");
    case FOOTNOTE_SYSTEM: return STR("system");
    }
    return STR_NONE;
}

struct str role_type(enum footnote_role role)
{
    switch (role) {
    case FOOTNOTE_USER: return STR("human");
    case FOOTNOTE_ASSISTANT: return STR("ai");
    case FOOTNOTE_SYSTEM: return STR("system");
    }
    return STR_NONE;
}

struct str status_name(enum footnote_status status)
{
    switch (status) {
    case FOOTNOTE_COMPLETE: return STR("complete");
    case FOOTNOTE_STOPPED: return STR("stopped");
    case FOOTNOTE_FAILED: return STR("failed");
    case FOOTNOTE_INTERRUPTED: return STR("interrupted");
    case FOOTNOTE_STREAMING: return STR("streaming");
    }
    return STR_NONE;
}

struct str verdict_name(enum verdict_kind kind)
{
    switch (kind) {
    case VERDICT_NO_SOURCE: return STR("no_source");
    case VERDICT_CARRIED: return STR("carried");
    case VERDICT_PARTLY: return STR("partly");
    case VERDICT_NOT_FOUND: return STR("not_found");
    case VERDICT_CONTRADICTS: return STR("contradicts");
    }
    return STR_NONE;
}

struct str reason_name(enum verdict_reason reason)
{
    switch (reason) {
    case REASON_NONE: return STR_NONE;
    case REASON_WORDS: return STR("words");
    case REASON_NUMBER: return STR("number");
    case REASON_NAME: return STR("name");
    case REASON_APART: return STR("apart");
    case REASON_DENIES: return STR("denies");
    case REASON_DROPPED: return STR("dropped");
    case REASON_OPPOSITE: return STR("opposite");
    case REASON_CLASH: return STR("clash");
    case REASON_UNKNOWN: return STR("unknown_number");
    }
    return STR_NONE;
}

struct str feedback_name(enum feedback_rating rating)
{
    switch (rating) {
    case FEEDBACK_NONE: return STR_NONE;
    case FEEDBACK_GOOD: return STR("good");
    case FEEDBACK_BAD: return STR("bad");
    case FEEDBACK_NOT_TRUE: return STR("not_true");
    case FEEDBACK_WRONG_SOURCE: return STR("wrong_source");
    case FEEDBACK_NOT_ASKED: return STR("not_asked");
    case FEEDBACK_MISSING: return STR("missing");
    }
    return STR_NONE;
}

bool feedback_parse(struct str name, enum feedback_rating *out)
{
    for (int i = FEEDBACK_GOOD; i <= FEEDBACK_MISSING; i++)
        if (str_eq(name, feedback_name((enum feedback_rating)i))) {
            *out = (enum feedback_rating)i;
            return true;
        }
    return false;
}

struct str state_name(enum footnote_state state)
{
    switch (state) {
    case FOOTNOTE_LIVE: return STR("live");
    case FOOTNOTE_CHANGED: return STR("changed");
    case FOOTNOTE_DELETED: return STR("deleted");
    case FOOTNOTE_REDACTED: return STR("redacted");
    case FOOTNOTE_WITHDRAWN: return STR("withdrawn");
    case FOOTNOTE_EXTERNAL: return STR("external");
    }
    return STR_NONE;
}

struct str member_role_name(enum member_role role)
{
    switch (role) {
    case MEMBER_NONE: return STR_NONE;
    case MEMBER_READER: return STR("reader");
    case MEMBER_EDITOR: return STR("editor");
    case MEMBER_OWNER: return STR("owner");
    }
    return STR_NONE;
}

struct str page_layout_name(enum page_layout layout)
{
    switch (layout) {
    case LAYOUT_NONE: return STR_NONE;
    case LAYOUT_WIDE: return STR("wide");
    case LAYOUT_TALL: return STR("tall");
    }
    return STR_NONE;
}

struct str document_status_name(enum document_status status)
{
    switch (status) {
    case DOCUMENT_QUEUED: return STR("queued");
    case DOCUMENT_INDEXING: return STR("indexing");
    case DOCUMENT_READY: return STR("ready");
    case DOCUMENT_FAILED: return STR("failed");
    }
    return STR_NONE;
}

struct str progress_unit_name(enum progress_unit unit)
{
    switch (unit) {
    case UNIT_NONE: return STR_NONE;
    case UNIT_PAGES: return STR("pages");
    case UNIT_SECONDS: return STR("seconds");
    case UNIT_BYTES: return STR("bytes");
    }
    return STR_NONE;
}

bool role_parse(struct str word, enum footnote_role *out)
{
    for (int i = FOOTNOTE_USER; i <= FOOTNOTE_SYSTEM; i++) {
        enum footnote_role role = (enum footnote_role)i;

        if (str_eq(word, role_name(role)) || str_eq(word, role_type(role))) {
            *out = role;
            return true;
        }
    }
    return false;
}

bool status_parse(struct str word, enum footnote_status *out)
{
    for (int i = 0; status_name((enum footnote_status)i).p; i++)
        if (str_eq(word, status_name((enum footnote_status)i))) {
            *out = (enum footnote_status)i;
            return true;
        }
    return false;
}

bool member_role_parse(struct str word, enum member_role *out)
{
    for (int i = MEMBER_READER; i <= MEMBER_EDITOR; i++)
        if (str_eq(word, member_role_name((enum member_role)i))) {
            *out = (enum member_role)i;
            return true;
        }
    return false;
}

bool document_status_parse(struct str word, enum document_status *out)
{
    for (int i = DOCUMENT_QUEUED; i <= DOCUMENT_FAILED; i++)
        if (str_eq(word, document_status_name((enum document_status)i))) {
            *out = (enum document_status)i;
            return true;
        }
    return false;
}
