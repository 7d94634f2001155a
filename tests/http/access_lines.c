/* access_lines.c - one line per route and thing.  Lines are asked in order, so
 * that those who may do nothing come before those who change things. */
#include "access_lines.h"

/* What the owner, the editor, the reader, the stranger, elsewhere and nobody
 * are told. */
#define TOLD(...) .status = {__VA_ARGS__}
#define EVERYBODY TOLD(200, 200, 200, 200, 200, 200)
#define USERS     TOLD(200, 200, 200, 200, 200, 401)
#define MEMBERS   TOLD(200, 200, 200, 404, 404, 401)
#define HERS_ONLY TOLD(200, 404, 404, 404, 404, 401)
#define UI                                                                     \
    "'messages':[{'id':'q-$','role':'user','parts':[{'type':'text',"           \
    "'text':'What is a " TOPIC "?'}]}]"
#define OPENAI                                                                 \
    "'messages':[{'role':'user',"                                              \
    "'content':'What is a " TOPIC "?'}]"
#define FILE_OF(id, more)                                                      \
    "{'footnote':'session','version':1,'id':" id "," more                      \
    "'createdAt':'2026-02-26T20:15:00Z','updatedAt':'2026-02-26T20:15:00Z',"   \
    "'messages':[]}"
#define EXTRACTIVE "'model':'extractive'"

// clang-format off
const struct line access_lines[] = {
    /* route, thing, whose, told; query, body */
    {"frontPage", NULL, ALL, EVERYBODY},
    {"docsPage", NULL, ALL, EVERYBODY},
    {"sessionPage", SESSION, ALL, EVERYBODY},
    {"messagePage", SESSION, ALL, EVERYBODY},
    {"documentPage", SESSION, ALL, EVERYBODY},
    {"libraryPage", NULL, ALL, EVERYBODY},
    {"coursePage", PRIVATE, ALL, EVERYBODY},
    {"asset", ASSET, ALL, EVERYBODY},
    {"asset", NULL, ALL, TOLD(404, 404, 404, 404, 404, 404)},
    {"followLink", LINK, ALL, EVERYBODY}, /* who has the link may */
    {"followLink", NULL, ALL, TOLD(403, 403, 403, 403, 403, 403)},
    {"health", NULL, ALL, EVERYBODY},
    {"ready", NULL, ALL, EVERYBODY},
    {"metrics", NULL, ALL, EVERYBODY},
    {"version", NULL, ALL, EVERYBODY},
    {"openapi", NULL, ALL, EVERYBODY},
    {"login", OWNER_KEY, ALL, EVERYBODY, .body = "{'key':'$'}"},
    {"login", REVOKED_KEY, ALL, TOLD(401, 401, 401, 401, 401, 401),
     .body = "{'key':'$'}"},
    {"login", NULL, ALL, TOLD(401, 401, 401, 401, 401, 401),
     .body = "{'key':'fn_wrong'}"},
    {"loginWays", NULL, ALL, EVERYBODY},
    {"oidcStart", NULL, ALL, TOLD(404, 404, 404, 404, 404, 404),
     .elsewhere = true},
    {"oidcCallback", NULL, ALL, TOLD(404, 404, 404, 404, 404, 404),
     .query = "?code=a&state=b", .elsewhere = true},
    {"logout", NULL, ALL, TOLD(204, 204, 204, 204, 204, 204), .body = "{}"},
    {"me", NULL, ALL, USERS},
    /* Of the account, and so not for a key that is for a course. */
    {"listLogins", NULL, ALL, USERS, .confined = 403},
    {"listLogins", NULL, ALL, TOLD(200, 403, 403, 403, 200, 401),
     .query = "?userId=ada", .admin = 200, .confined = 403},
    {"revokeLogin", OWNER_LOGIN, HERS, TOLD(204, 204, 204, 204, 204, 401),
     .read = "/api/logins", .admin = -1, .confined = 403},

    /* For admins, who see no contents by them. */
    {"listKeys", NULL, ALL, TOLD(403, 403, 403, 403, 403, 401), .admin = 200},
    {"createKey", NULL, ALL, TOLD(403, 403, 403, 403, 403, 401),
     .body = "{'userId':'new','courses':['x'],'readOnly':true}",
     .admin = 201},
    {"revokeKey", NULL, ALL, TOLD(403, 403, 403, 403, 403, 401),
     .admin = 204},
    {"listUsers", NULL, ALL, TOLD(403, 403, 403, 403, 403, 401),
     .admin = 200},
    {"listAudit", NULL, ALL, TOLD(403, 403, 403, 403, 403, 401),
     .admin = 200},
    {"listAudit", NULL, ALL, TOLD(403, 403, 403, 403, 403, 401),
     .query = "?format=jsonl", .admin = 200},

    {"createSnapshot", SHARED, OURS, TOLD(201, 201, 201, 404, 404, 401),
     .body = "{'slideId':'" PDF "','pageNumber':1}"},
    {"createSnapshot", PRIVATE, HERS, TOLD(404, 404, 404, 404, 404, 401),
     .body = "{'slideId':'none','pageNumber':1}"},

    /* Lists and searches: nothing of others. */
    {"listSessions", NULL, ALL, USERS},
    {"listSessions", NULL, ALL, USERS, .query = "?q=" TOPIC},
    {"listSessions", SHARED, OURS, USERS, .query = "?courseId=$"},
    {"listSessions", PRIVATE, HERS, USERS, .query = "?q=" TOPIC "&courseId=$"},
    {"listCourses", NULL, ALL, USERS},
    {"listModels", NULL, ALL, USERS},
    {"getModel", SHARED, OURS, MEMBERS},
    {"getModel", PRIVATE, HERS, HERS_ONLY},
    {"search", NULL, ALL, USERS, .query = "?q=" TOPIC},
    {"search", SHARED, OURS, MEMBERS, .query = "?q=" TOPIC "&courseId=$"},
    {"search", PRIVATE, HERS, HERS_ONLY, .query = "?q=" TOPIC "&courseId=$"},
    {"search", TEXT, OURS, MEMBERS, .query = "?q=" TOPIC "&documentId=$"},
    {"search", PRIVATE_DOC, HERS, HERS_ONLY,
     .query = "?q=" TOPIC "&documentId=$"},
    /* What another cited counts for nothing. */
    {"search", SESSION, HERS, USERS, .query = "?q=" TOPIC "&sessionId=$"},

    /* Sessions. */
    {"getSession", SESSION, HERS, HERS_ONLY},
    {"listMessages", SESSION, HERS, HERS_ONLY},
    {"listMessages", SESSION, HERS, HERS_ONLY, .query = "?as=ui"},
    {"listMessages", SESSION, HERS, HERS_ONLY, .query = "?as=rows"},
    {"listMessages", SESSION, HERS, HERS_ONLY, .query = "?as=state"},
    {"listMessages", RUNNING, HERS, HERS_ONLY, .query = "?versions=all"},
    {"listReferences", SESSION, HERS, HERS_ONLY},
    {"listImages", SESSION, HERS, HERS_ONLY},
    {"listRetrievals", SESSION, HERS, HERS_ONLY},
    {"createShare", SESSION, HERS, TOLD(201, 404, 404, 404, 404, 401),
     .body = "{}"},
    {"listShares", NULL, ALL, USERS, .confined = 403},
    {"endShare", OWNER_SHARE, HERS, TOLD(204, 204, 204, 204, 204, 401),
     .read = "/api/shares", .confined = 403},
    /* Who has a link may: links_test.c. */
    {"sharedPage", NULL, ALL, TOLD(404, 404, 404, 404, 404, 404),
     .elsewhere = true},
    {"sharedPicture", NULL, ALL, TOLD(404, 404, 404, 404, 404, 404),
     .elsewhere = true},
    {"sharedFile", NULL, ALL, TOLD(404, 404, 404, 404, 404, 404),
     .elsewhere = true},
    {"exportSession", SESSION, HERS, HERS_ONLY},
    {"exportSession", SESSION, HERS, HERS_ONLY, .query = "?format=jsonl"},
    {"exportSession", SESSION, HERS, HERS_ONLY, .query = "?format=html"},
    {"exportSession", SESSION, HERS, HERS_ONLY, .query = "?format=csl"},
    {"sourcesByMessage", ANSWER, HERS, USERS, .body = "{'messageIds':['$']}"},
    {"watchChat", SESSION, HERS, TOLD(204, 204, 204, 204, 204, 401)},
    {"watchChat", RUNNING, HERS, TOLD(0, 204, 204, 204, 204, 401)},

    /* Courses and documents. */
    {"getCourse", SHARED, OURS, MEMBERS},
    {"getCourse", PRIVATE, HERS, HERS_ONLY},
    {"listMembers", SHARED, OURS, MEMBERS},
    {"listMembers", PRIVATE, HERS, HERS_ONLY},
    {"listDocuments", SHARED, OURS, MEMBERS},
    {"listDocuments", PRIVATE, HERS, HERS_ONLY},
    {"library", NULL, ALL, USERS},
    {"library", NULL, ALL, USERS, .query = "?q=" TOPIC "&sort=cited"},
    {"library", SHARED, OURS, MEMBERS, .query = "?courseId=$&cited=no"},
    {"library", PRIVATE, HERS, HERS_ONLY, .query = "?courseId=$"},
    {"getOutline", PDF, OURS, MEMBERS},
    {"getOutline", PRIVATE_DOC, HERS, HERS_ONLY},
    {"getOutline", PDF, ALL, TOLD(404, 404, 404, 404, 404, 401),
     .query = "?courseId=" PRIVATE},
    {"courseInsights", SHARED, OURS, TOLD(200, 200, 403, 404, 404, 401)},
    {"switchInsights", SHARED, OURS, TOLD(200, 200, 403, 404, 404, 401),
     .body = "{'on':true}"},
    {"courseInsights", SHARED, OURS, TOLD(200, 200, 403, 404, 404, 401)},
    {"courseInsights", PRIVATE, HERS, HERS_ONLY},
    {"courseStats", SHARED, OURS, MEMBERS},
    {"courseStats", PRIVATE, HERS, HERS_ONLY},
    {"getDocument", TEXT, OURS, MEMBERS},
    {"getDocument", ENTRY, OURS, MEMBERS},
    {"getDocument", PRIVATE_DOC, HERS, HERS_ONLY},
    {"getDocument", PRIVATE_DOC, HERS, HERS_ONLY,
     .query = "?courseId=" PRIVATE},
    {"getDocument", TEXT, ALL, TOLD(404, 404, 404, 404, 404, 401),
     .query = "?courseId=" PRIVATE},
    {"getDocument", PRIVATE_DOC, HERS, TOLD(0, 404, 404, 404, 404, 401),
     .query = "?wait=1"},
    {"deleteVersions", TEXT, OURS, TOLD(200, 200, 403, 404, 404, 401)},
    {"deleteVersions", PRIVATE_DOC, HERS, HERS_ONLY},
    {"listCitations", TEXT, OURS, MEMBERS},
    {"listCitations", PRIVATE_DOC, HERS, HERS_ONLY},
    {"documentImpact", TEXT, OURS, MEMBERS},
    {"documentImpact", PRIVATE_DOC, HERS, HERS_ONLY},
    {"documentImpact", TEXT, ALL, TOLD(404, 404, 404, 404, 404, 401),
     .query = "?courseId=" PRIVATE},
    {"downloadDocument", PDF, OURS, MEMBERS},
    {"downloadDocument", PRIVATE_DOC, HERS, HERS_ONLY, .query = "?version=1"},
    {"getMedia", TALK, OURS, MEMBERS},
    {"getMedia", PRIVATE_DOC, HERS, TOLD(404, 404, 404, 404, 404, 401)},
    {"getTranscript", TALK, OURS, MEMBERS},
    {"getTranscript", PRIVATE_DOC, HERS, TOLD(404, 404, 404, 404, 404, 401)},
    {"getPagePicture", PDF, OURS, MEMBERS},
    {"findMarks", NULL, ALL, USERS,
     .body = "{'passage':'One. Two.','claims':['Two.']}"},
    {"findMarks", PDF, OURS, MEMBERS,
     .body = "{'passage':'One. Two.','claims':['Two.'],'documentId':'$',"
             "'page':1}"},
    {"findMarks", TALK, OURS, MEMBERS,
     .body = "{'passage':'One. Two.','claims':['Two.'],'documentId':'$',"
             "'startSeconds':0}"},
    {"findMarks", PRIVATE_DOC, HERS, HERS_ONLY,
     .body = "{'passage':'One. Two.','claims':['Two.'],'documentId':'$',"
             "'page':1}"},
    {"verifyText", NULL, ALL, USERS,
     .body = "{'text':'It is one [1].','sources':[{'sourceType':'web',"
             "'url':'https://example.org/','contentPreview':'It is one.'}]}"},
    {"getPage", PDF, OURS, MEMBERS},
    {"getPage", PRIVATE_DOC, HERS, TOLD(404, 404, 404, 404, 404, 401)},

    /* Changes by those who may not, then by the owner. */
    {"updateMessage", OPEN_ANSWER, HERS, HERS_ONLY,
     .body = "{'append':' more'}"},
    {"putFeedback", ANSWER, HERS, HERS_ONLY,
     .body = "{'rating':'not_true','number':1,'note':'" MINE "'}"},
    {"deleteFeedback", ANSWER, HERS, TOLD(204, 204, 204, 204, 204, 401),
     .read = "/api/sessions/" SESSION "/messages"},
    {"addSources", OPEN_ANSWER, HERS, HERS_ONLY,
     .body = "{'sources':[{'sourceType':'web','url':'https://example.com/'}]}",
     .read = "/api/sessions/" OPEN "/messages"},
    {"updateSession", OPEN, HERS, HERS_ONLY, .body = "{'title':'taken'}"},
    {"createSession", SESSION, HERS, TOLD(200, 201, 201, 201, 201, 401),
     .body = "{'id':'$'}", .confined = 400},
    {"createMessage", SESSION, HERS, TOLD(201, 201, 201, 201, 201, 401),
     .body = "{'id':'m-$','role':'user','content':'x'}", .confined = 400},
    {"createRetrieval", SESSION, HERS, TOLD(201, 201, 201, 201, 201, 401),
     .body = "{'userMessageId':'m-$','query':'x','lowConfidence':false,"
             "'sources':[]}", .confined = 400},

    /* An equal id of another's is another thing. */
    {"importSession", SESSION, HERS, TOLD(409, 409, 409, 409, 409, 401),
     .body = FILE_OF("'$'", ""), .confined = 400},
    {"importSession", NULL, ALL, TOLD(201, 201, 201, 201, 201, 401),
     .body = FILE_OF("'came'", ""), .confined = 400},
    {"importSession", PRIVATE, ALL, TOLD(201, 404, 404, 404, 0, 401),
     .body = FILE_OF("'came-2'", "'courseId':'$',"), .confined = 404},

    /* Questions.  Another's session is one that is not there yet. */
    {"chat", SESSION, HERS, USERS, .body = "{'id':'$'," EXTRACTIVE "," UI "}", .confined = 400},
    {"chat", SHARED, OURS, MEMBERS,
     .body = "{'id':'chat-1','courseId':'$'," EXTRACTIVE "," UI "}"},
    {"chat", PRIVATE, HERS, HERS_ONLY,
     .body = "{'id':'chat-2','courseId':'$'," EXTRACTIVE "," UI "}"},
    {"chat", PRIVATE_DOC, HERS, HERS_ONLY,
     .body = "{'id':'chat-3','documentId':'$'," EXTRACTIVE "," UI "}"},
    {"query", NULL, ALL, USERS, .body = "{'query':'" TOPIC "'," EXTRACTIVE "}"},
    {"query", SESSION, HERS, USERS,
     .body = "{'query':'" TOPIC "','thread_id':'$'," EXTRACTIVE "}", .confined = 400},
    {"query", PRIVATE, HERS, HERS_ONLY,
     .body = "{'query':'" TOPIC "','course_id':'$'," EXTRACTIVE "}"},
    {"createChatCompletion", SHARED, OURS, MEMBERS,
     .body = "{'model':'footnote:$@extractive'," OPENAI "}"},
    {"createChatCompletion", PRIVATE, HERS, HERS_ONLY,
     .body = "{'model':'footnote:$@extractive'," OPENAI "}"},
    {"createChatCompletion", SESSION, HERS, USERS,
     .body = "{'model':'footnote@extractive','metadata':{'session_id':'$'},"
             OPENAI "}", .confined = 400},
    {"createChatCompletion", NULL, ALL, USERS,
     .body = "{'model':'footnote@extractive','stream':true," OPENAI "}"},

    /* Courses change.  An id is taken in its tenant, and in no other. */
    {"createCourse", NULL, ALL, TOLD(201, 201, 201, 201, 201, 401),
     .body = "{'title':'x'}", .confined = 404},
    {"createSession", SHARED, ALL, TOLD(201, 201, 201, 404, 0, 401),
     .body = "{'courseId':'$'}", .confined = 404},
    {"createCourse", PRIVATE, ALL, TOLD(409, 409, 409, 409, 0, 401),
     .body = "{'id':'$','title':'x'}"},
    {"updateCourse", PRIVATE, HERS, HERS_ONLY, .body = "{'title':'" MINE "'}"},
    {"updateDocument", TEXT, OURS, TOLD(200, 200, 403, 404, 404, 401),
     .body = "{'title':'" COURSE "'}"},
    {"updateDocument", TEXT, OURS, TOLD(0, 404, 403, 404, 404, 401),
     .body = "{'courseId':'" PRIVATE "'}"},
    {"updateDocument", PRIVATE_DOC, HERS, HERS_ONLY,
     .body = "{'title':'" MINE "'}"},
    {"updateDocument", PRIVATE_DOC, HERS, TOLD(0, 404, 404, 404, 404, 401),
     .body = "{'courseId':'" SHARED "'}"},
    {"retryDocument", TEXT, OURS, TOLD(200, 200, 403, 404, 404, 401)},
    {"retryDocument", PRIVATE_DOC, HERS, TOLD(200, 404, 404, 404, 404, 401)},
    {"updateCourse", SHARED, OURS, TOLD(200, 403, 403, 404, 404, 401),
     .body = "{'title':'" COURSE "'}"},
    {"putMember", SHARED, OURS, TOLD(200, 403, 403, 404, 404, 401),
     .body = "{'role':'reader'}", .read = "/api/courses/$/members"},
    {"deleteMember", SHARED, OURS, TOLD(204, 403, 403, 404, 404, 401),
     .read = "/api/courses/$/members"},
    {"createDocument", SHARED, OURS, TOLD(200, 202, 403, 404, 404, 401),
     .body = "{'kind':'text','title':'t','text':'" COURSE "'}"},
    {"createDocument", PRIVATE, HERS, TOLD(202, 404, 404, 404, 404, 401),
     .body = "{'kind':'text','title':'t','text':'x'}"},
    {"replaceDocument", TEXT, OURS, TOLD(200, 202, 403, 404, 404, 401),
     .body = "{'text':'" COURSE " 2'}"},
    {"replaceDocument", PRIVATE_DOC, HERS, TOLD(202, 404, 404, 404, 404, 401),
     .body = "{'text':'x'}"},

    /* Ends: whoever may not is told that it is gone, and it is not. */
    {"stopChat", RUNNING, HERS, USERS, .body = "{}"},
    {"deleteDocument", TEXT, OURS, TOLD(204, 204, 403, 204, 204, 401)},
    {"deleteDocument", PRIVATE_DOC, HERS, TOLD(204, 204, 204, 204, 204, 401)},
    {"deleteSources", SESSION, HERS, TOLD(204, 204, 204, 204, 204, 401),
     .read = "/api/sessions/$/messages"},
    {"deleteSession", SESSION, HERS, TOLD(204, 204, 204, 204, 204, 401)},
    {"deleteCourse", SHARED, OURS, TOLD(204, 403, 403, 204, 204, 401)},
    {"deleteCourse", PRIVATE, HERS, TOLD(204, 204, 204, 204, 204, 401)},

    /* The same names, in another tenant. */
    {"createSession", SHARED, ALL, TOLD(0, 0, 0, 0, 201, 401),
     .body = "{'courseId':'$'}"},
    {"createCourse", PRIVATE, ALL, TOLD(0, 0, 0, 0, 201, 401),
     .body = "{'id':'$','title':'x'}"},
};
// clang-format on
const size_t access_lines_n = sizeof(access_lines) / sizeof(access_lines[0]);
