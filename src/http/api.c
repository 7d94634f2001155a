/* api.c - THE TABLE: every call of the server, and who may make it.
 *
 * The handlers are in files of their own, in the order of the table.  404 and
 * 405, `footnote serve --routes` and /openapi.json come from these rows; the
 * first row that matches wins. */
#include "http/api/calls.h"
#include "http/auth/login.h"
#include "http/auth/oidc.h"
#include "http/ops/ops.h"
#include "http/ops/ui.h"
#include "http/stream/chat.h"

enum {
    NO_BODY = 0,
    SIGN_IN_BODY = 16 * 1024, /* anyone may send it */
    JSON_BODY = HTTP_JSON_BYTES_MAX,
    CHAT_BODY = HTTP_LARGE_BYTES_MAX,
    UPLOAD = HTTP_UPLOAD_BYTES_MAX
};

#define GET    METHOD_GET
#define POST   METHOD_POST
#define PUT    METHOD_PUT
#define PATCH  METHOD_PATCH
#define DELETE METHOD_DELETE
#define PUBLIC ACCESS_PUBLIC
#define USER   ACCESS_USER
#define ADMIN  ACCESS_ADMIN

// clang-format off
const struct route api_routes[] = {
    /* ui.c */
    {GET, "/", PUBLIC, NO_BODY, ui_page,
     "the app; with --no-ui: what is running, and where to go", "frontPage"},
    {GET, "/c/{session}", PUBLIC, NO_BODY, ui_page,
     "the app, at a session", "sessionPage"},
    {GET, "/c/{session}/m/{message}", PUBLIC, NO_BODY, ui_page,
     "the app, at an answer; #ref-n is one of its references", "messagePage"},
    {GET, "/d/{document}", PUBLIC, NO_BODY, ui_page,
     "the app, at a document", "documentPage"},
    {GET, "/library", PUBLIC, NO_BODY, ui_page,
     "the app, at all documents", "libraryPage"},
    {GET, "/library/{course}", PUBLIC, NO_BODY, ui_page,
     "the app, at the documents of a course", "coursePage"},
    {GET, "/assets/{name}", PUBLIC, NO_BODY, ui_asset,
     "a script, a style or a font of the app", "asset"},

    /* ops.c, page.c */
    {GET, "/docs", PUBLIC, NO_BODY, page_docs,
     "this API as a page", "docsPage"},
    {GET, "/healthz", PUBLIC, NO_BODY, ops_health,
     "the process is up", "health"},
    {GET, "/readyz", PUBLIC, NO_BODY, ops_ready,
     "the database can be reached", "ready"},
    {GET, "/metrics", PUBLIC, NO_BODY, ops_metrics,
     "counters for Prometheus", "metrics"},
    {GET, "/version", PUBLIC, NO_BODY, ops_version,
     "versions of program and API", "version"},
    {GET, "/openapi.json", PUBLIC, NO_BODY, ops_openapi,
     "this API in OpenAPI 3.1", "openapi"},

    /* login.c, oidc.c */
    {POST, "/api/login", PUBLIC, SIGN_IN_BODY, api_login,
     "sign a browser in with a key or a token", "login"},
    {GET, "/api/login", PUBLIC, NO_BODY, api_login_ways,
     "the ways in that there are", "loginWays"},
    {GET, "/api/oidc/start", PUBLIC, NO_BODY, api_oidc_start,
     "send a browser to the provider that people sign in at", "oidcStart"},
    {GET, "/api/oidc/callback", PUBLIC, NO_BODY, api_oidc_callback,
     "where it comes back to", "oidcCallback"},
    {POST, "/api/logout", PUBLIC, SIGN_IN_BODY, api_logout,
     "sign a browser out", "logout"},
    {GET, "/api/me", USER, NO_BODY, api_me,
     "who is asking", "me"},

    /* logins.c */
    {GET, "/api/logins", USER, NO_BODY, api_logins_list,
     "browsers that are signed in", "listLogins"},
    {DELETE, "/api/logins/{id}", USER, NO_BODY, api_login_revoke,
     "sign a browser out, wherever it is", "revokeLogin"},

    /* keys.c, users.c, audit.c */
    {GET, "/api/keys", ADMIN, NO_BODY, api_keys_list,
     "API keys of the tenant", "listKeys"},
    {POST, "/api/keys", ADMIN, SIGN_IN_BODY, api_key_make,
     "make an API key", "createKey"},
    {DELETE, "/api/keys/{prefix}", ADMIN, NO_BODY, api_key_revoke,
     "revoke an API key", "revokeKey"},
    {GET, "/api/users", ADMIN, NO_BODY, api_users_list,
     "who is in the tenant, and what they keep", "listUsers"},
    {GET, "/api/audit", ADMIN, NO_BODY, api_audit_list,
     "who did what in the tenant, newest first", "listAudit"},

    /* sessions.c */
    {GET, "/api/sessions", USER, NO_BODY, api_sessions_list,
     "sessions, newest activity first, or those with the words of q",
     "listSessions"},
    {POST, "/api/sessions", USER, JSON_BODY, api_session_make,
     "make a session", "createSession"},
    {GET, "/api/sessions/{id}", USER, NO_BODY, api_session_read,
     "a session with its history", "getSession"},
    {PATCH, "/api/sessions/{id}", USER, JSON_BODY, api_session_change,
     "rename a session, move it to a course, or show another branch of it",
     "updateSession"},
    {DELETE, "/api/sessions/{id}", USER, NO_BODY, api_session_delete,
     "delete a session with all it has", "deleteSession"},
    {GET, "/api/sessions/{id}/references", USER, NO_BODY, api_references_list,
     "documents that the answers were given, most first", "listReferences"},
    {GET, "/api/sessions/{id}/images", USER, NO_BODY, api_images_list,
     "page pictures that the answers rest on", "listImages"},

    /* export.c */
    {GET, "/api/sessions/{id}/export", USER, NO_BODY, api_session_export,
     "a session as a file", "exportSession"},
    {POST, "/api/sessions/import", USER, CHAT_BODY, api_session_import,
     "bring a session in that was exported", "importSession"},

    /* shares.c */
    {POST, "/api/sessions/{id}/share", USER, JSON_BODY, api_share_make,
     "make a link to a frozen copy of a session, or of an answer",
     "createShare"},
    {GET, "/api/shares", USER, NO_BODY, api_shares_list,
     "your links that hold", "listShares"},
    {DELETE, "/api/shares/{id}", USER, NO_BODY, api_share_end,
     "end a link", "endShare"},

    /* shared.c */
    {GET, "/s/{token}", PUBLIC, NO_BODY, shared_page,
     "what a link shows, as a page", "sharedPage"},
    {GET, "/s/{token}/{message}/{n}.png", PUBLIC, NO_BODY, shared_picture,
     "the page that one of its references cites", "sharedPicture"},
    {GET, "/s/{token}/{message}/{n}/file", PUBLIC, NO_BODY, shared_file,
     "the file that one of its references cites", "sharedFile"},

    /* pictures.c */
    {GET, "/api/objects/{key}", PUBLIC, NO_BODY, api_object_follow,
     "a page picture, by a signed link", "followLink"},

    /* history.c */
    {GET, "/api/sessions/{id}/messages", USER, NO_BODY, api_messages_list,
     "messages with their sources, oldest first", "listMessages"},

    /* messages.c */
    {POST, "/api/sessions/{id}/messages", USER, JSON_BODY, api_message_save,
     "save a message with its sources", "createMessage"},
    {DELETE, "/api/sessions/{id}/sources", USER, NO_BODY, api_sources_clear,
     "remove the sources and retrievals of a session", "deleteSources"},
    {PATCH, "/api/messages/{id}", USER, JSON_BODY, api_message_change,
     "append to a streaming answer, or end it", "updateMessage"},
    {POST, "/api/messages/{id}/sources", USER, JSON_BODY, api_message_cite,
     "add sources to an answer", "addSources"},
    {PUT, "/api/messages/{id}/feedback", USER, JSON_BODY, api_feedback_put,
     "say that an answer is good, or what is wrong with it", "putFeedback"},
    {DELETE, "/api/messages/{id}/feedback", USER, NO_BODY, api_feedback_delete,
     "take back what was said of an answer", "deleteFeedback"},
    {POST, "/api/sources/by-message", USER, JSON_BODY, api_sources_by_message,
     "the sources of many messages at once", "sourcesByMessage"},

    /* retrievals.c */
    {GET, "/api/sessions/{id}/retrievals", USER, NO_BODY, api_retrievals_list,
     "what was searched for, and found", "listRetrievals"},
    {POST, "/api/sessions/{id}/retrievals", USER, JSON_BODY, api_retrieval_add,
     "keep what a search found for a question", "createRetrieval"},

    /* chat.c, query.c */
    {POST, "/api/chat", USER, CHAT_BODY, api_chat,
     "ask; the answer streams back with its sources", "chat"},
    {GET, "/api/chat/{id}/stream", USER, NO_BODY, api_chat_stream,
     "watch the answer that runs in a session", "watchChat"},
    {POST, "/api/chat/{id}/stop", USER, JSON_BODY, api_chat_stop,
     "end the answer that runs in a session", "stopChat"},
    {POST, "/api/query", USER, JSON_BODY, api_query,
     "ask; the answer is one JSON object", "query"},

    /* completions.c */
    {POST, "/v1/chat/completions", USER, CHAT_BODY, api_completions,
     "ask as one asks OpenAI", "createChatCompletion"},
    {GET, "/v1/models", USER, NO_BODY, api_models,
     "courses and models as OpenAI lists models", "listModels"},
    {GET, "/v1/models/{model}", USER, NO_BODY, api_model,
     "one of them", "getModel"},

    /* courses.c */
    {GET, "/api/courses", USER, NO_BODY, api_courses_list,
     "courses that the asker may read", "listCourses"},
    {POST, "/api/courses", USER, JSON_BODY, api_course_make,
     "make a course", "createCourse"},
    {GET, "/api/courses/{id}", USER, NO_BODY, api_course_read,
     "a course", "getCourse"},
    {PATCH, "/api/courses/{id}", USER, JSON_BODY, api_course_change,
     "rename or describe a course, keep it aside", "updateCourse"},
    {DELETE, "/api/courses/{id}", USER, NO_BODY, api_course_delete,
     "delete a course with its documents", "deleteCourse"},

    /* members.c */
    {GET, "/api/courses/{id}/members", USER, NO_BODY, api_members_list,
     "who may read a course", "listMembers"},
    {PUT, "/api/courses/{id}/members/{userId}", USER, JSON_BODY,
     api_member_put, "share a course with a user, or with all: *",
     "putMember"},
    {DELETE, "/api/courses/{id}/members/{userId}", USER, NO_BODY,
     api_member_delete, "take a course back from a user", "deleteMember"},

    /* snapshots.c */
    {POST, "/api/courses/{id}/snapshots", USER, UPLOAD, api_snapshot_add,
     "keep a picture of a page, for a question about it", "createSnapshot"},

    /* library.c */
    {GET, "/api/documents", USER, NO_BODY, api_library,
     "documents of all courses that the asker may read", "library"},
    {GET, "/api/documents/{id}/outline", USER, NO_BODY, api_document_outline,
     "the headings of a document, and where they are", "getOutline"},
    {PATCH, "/api/documents/{id}", USER, JSON_BODY, api_document_change,
     "rename a document, or move it to another course", "updateDocument"},
    {POST, "/api/documents/{id}/retry", USER, NO_BODY, api_document_retry,
     "read a document again that could not be read", "retryDocument"},

    /* documents.c */
    {GET, "/api/courses/{id}/documents", USER, NO_BODY, api_documents_list,
     "the documents of a course", "listDocuments"},
    {GET, "/api/documents/{id}", USER, NO_BODY, api_document_read,
     "a document, and how far reading it in is", "getDocument"},
    {DELETE, "/api/documents/{id}", USER, NO_BODY, api_document_delete,
     "delete a document; it is gone from search at once", "deleteDocument"},
    {DELETE, "/api/documents/{id}/versions", USER, NO_BODY,
     api_document_prune, "remove old versions that nothing cites",
     "deleteVersions"},
    {GET, "/api/documents/{id}/citations", USER, NO_BODY,
     api_document_citations, "answers that were given a document",
     "listCitations"},
    {GET, "/api/documents/{id}/impact", USER, NO_BODY, api_document_impact,
     "which answers change when a document goes", "documentImpact"},
    {GET, "/api/courses/{id}/insights", USER, NO_BODY, api_insights,
     "what is asked in a course, without names", "courseInsights"},
    {PUT, "/api/courses/{id}/insights", USER, JSON_BODY, api_insights_switch,
     "switch a course's insights on or off", "switchInsights"},
    {GET, "/api/courses/{id}/stats", USER, NO_BODY, api_course_stats,
     "what is cited, and what never is", "courseStats"},

    /* document_add.c */
    {POST, "/api/courses/{id}/documents", USER, UPLOAD, api_document_add,
     "add a document: a file, an entry, a text or an address",
     "createDocument"},
    {PUT, "/api/documents/{id}", USER, UPLOAD, api_document_replace,
     "a new version of a document", "replaceDocument"},

    /* files.c */
    {GET, "/api/documents/{id}/download", USER, NO_BODY,
     api_document_download, "the file", "downloadDocument"},
    {GET, "/api/documents/{id}/media", USER, NO_BODY, api_document_media,
     "the recording of a lecture", "getMedia"},
    {GET, "/api/documents/{id}/transcript", USER, NO_BODY,
     api_document_transcript, "what was said when", "getTranscript"},

    /* pages.c */
    {GET, "/api/documents/{id}/pages/{n}.png", USER, NO_BODY,
     api_page_picture, "the picture of a page", "getPagePicture"},
    {GET, "/api/documents/{id}/pages/{n}", USER, NO_BODY, api_page_words,
     "the words of a page, and where they stand", "getPage"},

    /* marks.c */
    {POST, "/api/marks", USER, JSON_BODY, api_marks,
     "which words of a passage carry a claim, and where they stand",
     "findMarks"},

    /* verify.c */
    {POST, "/api/verify", USER, JSON_BODY, api_verify,
     "whether sources carry the sentences of a text", "verifyText"},

    /* search.c */
    {GET, "/api/search", USER, NO_BODY, api_search,
     "passages that can be cited, best first", "search"},
};
// clang-format on

const size_t api_routes_n = sizeof(api_routes) / sizeof(api_routes[0]);
