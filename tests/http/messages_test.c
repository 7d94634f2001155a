/* messages_test.c - messages and sources over a socket: what a caller's own
 * agent saves, and every form in which it comes back. */
#include "contract.h"
#include "help/talk.h"

#define SLIDE                                                                  \
    "{'sourceType':'slide','documentId':'d1','slideNumber':14,"                \
    "'contentPreview':'Entropy measures disorder'}"
#define WEB                                                                    \
    "{'source_type':'web','url':'https://example.org/',"                       \
    "'content_preview':'On entropy'}"
#define ANSWER                                                                 \
    "{'id':'m2','role':'assistant','content':'It measures disorder [1].',"     \
    "'sources':[" SLIDE "," WEB "],'docRefs':['d1'],'imageSource':{'s3key':"   \
    "'k.png','slideId':'sl','pageNumber':4},'ragSourceIds':['r1']}"

static void save_two(struct site *s)
{
    talk(s, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'m1','role':'user','content':'What is entropy?',"
         "'createdAt':'2026-02-26T20:15:00.123Z'}");
    talk(s, 201, "POST", "/api/sessions/s1/messages", ANSWER);
}

CONTRACT(message_comes_back_with_its_sources)
{
    SITE(s);
    struct json *v;

    save_two(&s);
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_EACH(&s, v, "messages", "id", "'m1' 'm2'");
    CHECK_AT(&s, v, "nextCursor", "null");
    CHECK_AT(&s, v, "messages.0.createdAt", "'2026-02-26T20:15:00.123Z'");
    CHECK_AT(&s, v, "messages.0.sources", "absent");
    CHECK_EACH(&s, v, "messages.1.sources", "chunkNumber", "1 2");
    CHECK_EACH(&s, v, "messages.1.sources", "cited", "true false");
    CHECK_AT(&s, v, "messages.1.sources.0.sourceId", "'doc_d1_slide_14'");
    CHECK_AT(&s, v, "messages.1.sources.0.spans", "[[21,24]]");
    CHECK_AT(&s, v, "messages.1.sources.0.state", "'external'");
    CHECK_AT(&s, v, "messages.1.docRefs", "['d1']");
    CHECK_AT(&s, v, "messages.1.ragSourceIds", "['r1']");
    CHECK_AT(&s, v, "messages.1.imageSource.pageNumber", "4");
    CHECK_AT(&s, v, "messages.1.imageSource.url", "null");
    CHECK_INT(strncmp(json_at(&s, v, "messages.1.digest"), "'sha256:", 8), 0);
}

CONTRACT(message_again_is_the_first_and_other_content_is_taken)
{
    SITE(s);
    struct json *v;

    save_two(&s);
    v = talk(&s, 200, "POST", "/api/sessions/s1/messages", ANSWER);
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    CHECK_AT(&s, v, "id", "'m2'");
    CHECK_EACH(&s, v, "sources", "chunkNumber", "1 2");
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/sessions/s1/messages",
                 "{'id':'m2','role':'assistant','content':'Other'}");
    talk_refused(&s, 409, "number_taken", NULL, "POST",
                 "/api/sessions/s1/messages",
                 "{'role':'assistant','content':'','sources':[{'sourceType':"
                 "'text','sourceId':'a','chunkNumber':1},{'sourceType':'text',"
                 "'sourceId':'b','chunkNumber':1}]}");
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_EACH(&s, v, "messages", "id", "'m1' 'm2'");
}

CONTRACT(message_forms_are_the_same_messages)
{
    SITE(s);
    struct json *v;

    save_two(&s);
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages?as=ui", NULL);
    CHECK_AT(&s, v, "id", "'s1'");
    CHECK_EACH(&s, v, "messages.0.parts", "type", "'text'");
    CHECK_EACH(&s, v, "messages.1.parts", "type",
               "'data-rag-source' 'source-document' 'data-rag-source' "
               "'source-url' 'text' 'data-citations'");
    CHECK_AT(&s, v, "messages.1.metadata.status", "'complete'");
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages?as=rows", NULL);
    CHECK_EACH(&s, v, "", "role", "'user' 'assistant'");
    CHECK_AT(&s, v, "0.sources", "null");
    CHECK_AT(&s, v, "1.sources.1.chunk_number", "2");
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages?as=state", NULL);
    CHECK_EACH(&s, v, "messages", "type", "'human' 'ai'");
    CHECK_AT(&s, v, "messages.1.image_source",
             "{'s3key':'k.png','slide_id':'sl','page_number':4,'url':null}");
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages?fields=light", NULL);
    CHECK_EACH(&s, v, "messages.1.sources", "contentPreview", "null null");
    v = talk(&s, 200, "GET", "/api/sessions/s1", NULL);
    CHECK_EACH(&s, v, "history", "lowConfidence", "null null");
    CHECK_EACH(&s, v, "history.1.citations", "chunkNumber", "1 2");
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/sessions/s1/messages?as=xml", NULL);
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/sessions/s1/messages?fields=all", NULL);
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/sessions/s1/messages?versions=1", NULL);
}

static struct str page(struct site *s, struct str cursor)
{
    return cursor.p ? arena_printf(&s->arena,
                                   "/api/sessions/s1/messages?limit=2"
                                   "&cursor=%.*s",
                                   STR_ARG(cursor))
                    : STR("/api/sessions/s1/messages?limit=2");
}

CONTRACT(message_pages_go_back_from_the_newest)
{
    SITE(s);
    struct json *v;

    for (int i = 1; i <= 5; i++)
        talk(
            &s, 201, "POST", "/api/sessions/s1/messages",
            arena_printf(&s.arena, "{'id':'m%d','role':'user','content':''}", i)
                .p);
    v = talk(&s, 200, "GET", page(&s, STR_NONE).p, NULL);
    CHECK_EACH(&s, v, "messages", "id", "'m4' 'm5'");
    v = talk(&s, 200, "GET", page(&s, json_get(v, STR("nextCursor"))->s).p,
             NULL);
    CHECK_EACH(&s, v, "messages", "id", "'m2' 'm3'");
    v = talk(&s, 200, "GET", page(&s, json_get(v, STR("nextCursor"))->s).p,
             NULL);
    CHECK_EACH(&s, v, "messages", "id", "'m1'");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_refused(&s, 400, "bad_cursor", NULL, "GET", page(&s, STR("!")).p,
                 NULL);
    talk_refused(&s, 400, "bad_cursor", NULL, "GET", page(&s, STR("bXg")).p,
                 NULL);
}

static struct str tag_of(struct site *s, const char *path)
{
    talk(s, 200, "GET", path, NULL);
    return arena_printf(&s->arena, "If-None-Match: %.*s",
                        STR_ARG(talk_header("ETag")));
}

CONTRACT(message_history_is_not_sent_twice_and_never_stale)
{
    static const char path[] = "/api/sessions/s1/messages";
    SITE(s);
    struct str tag;

    save_two(&s);
    tag = tag_of(&s, path);
    CHECK_TEXT(talk_header("Cache-Control"), STR("private, no-cache"));
    CHECK_TEXT(tag_of(&s, path), tag); /* the second is from the cache */
    CHECK(!talk_with(&s, tag.p, 304, "GET", path, NULL));
    talk(&s, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'m3','role':'user','content':'And?'}");
    CHECK_EACH(&s, talk_with(&s, tag.p, 200, "GET", path, NULL), "messages",
               "id", "'m1' 'm2' 'm3'");
    tag = tag_of(&s, path);
    talk(&s, 200, "POST", "/api/messages/m2/sources",
         "{'sources':[{'sourceType':'text','sourceId':'t'}]}");
    CHECK_EACH(&s, talk_with(&s, tag.p, 200, "GET", path, NULL),
               "messages.1.sources", "chunkNumber", "1 2 3");
    talk(&s, 204, "DELETE", "/api/sessions/s1/sources", NULL);
    CHECK_AT(&s, talk(&s, 200, "GET", path, NULL), "messages.1.sources", "[]");
    talk(&s, 204, "DELETE", "/api/sessions/s1", NULL);
    talk_refused(&s, 404, "session_not_found", NULL, "GET", path, NULL);
}

/* Kept apart: who takes gzip gets it from the cache too, others never. */
CONTRACT(message_history_is_squeezed_for_those_who_take_it)
{
    static const char path[] = "/api/sessions/s1/messages";
    static const char gzip[] = "Accept-Encoding: gzip";
    SITE(s);
    struct str tag, plain;

    save_two(&s);
    for (int i = 0; i < 2; i++) {
        struct answer_to a;

        talk(&s, 200, "GET", path, NULL);
        tag = talk_header("ETag");
        plain = talk_header("Content-Encoding");
        CHECK(!plain.p);
        a = site_ask(
            &s, &(struct ask){.method = "GET", .path = path, .header = gzip});
        CHECK_INT(a.status, 200);
        CHECK(strcasestr(a.headers.p, "\r\nContent-Encoding: gzip\r\n") !=
              NULL);
        CHECK(memmem(a.headers.p, a.headers.n, tag.p, tag.n) != NULL);
        CHECK_INT((unsigned char)a.body.p[0], 0x1f);
        CHECK_INT((unsigned char)a.body.p[1], 0x8b);
    }
}

/* With a limit no body is kept: each is made anew, the first one of columns,
 * the others of what was made of them. */
CONTRACT(message_of_every_kind_of_source_is_the_same_to_each_reader)
{
    SITE(s);
    struct ask ask = {.method = "GET",
                      .path = "/api/sessions/s1/messages?as=ui&limit=9"};
    struct str first;

    talk(&s, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'m2','role':'assistant','content':'So [1][3].','sources':["
         "{'sourceType':'slide','sourceId':'\\\"x\\\\','documentId':'d1',"
         "'slideNumber':14,'ownerId':'o','part':3,'score':0.25,"
         "'s3key':'k/1.png','meta':{'a':[1,{'b':'\\u00e9'}]},'title':'A\\tB',"
         "'contentPreview':'Entropy \\u0001 \\\"measures\\\" disorder'},"
         "{'sourceType':'lecture','lectureId':'l','startSeconds':1.5,"
         "'endSeconds':2,'title':'T'}," WEB ",{'sourceType':'web','url':"
         "'https://example.org/2','title':'W'},{'sourceType':'journal',"
         "'sourceId':'j','date':'2024-01-15'},{'sourceType':'text',"
         "'sourceId':'t'},{'sourceType':'image','sourceId':'i'},"
         "{'sourceType':'text','sourceId':'u','chunkNumber':112}]}");
    first = talk_ask(&s, 200, &ask).body;
    CHECK(memmem(first.p, first.n, STR("\"chunk_number\":7").p, 16) != NULL);
    CHECK(memmem(first.p, first.n, STR("\"src-112\"").p, 9) != NULL);
    for (int i = 0; i < 3; i++)
        CHECK_TEXT(talk_ask(&s, 200, &ask).body, first);
}

/* A new title makes what was kept out of date, and is not in the body: of a
 * file the second one is read on the loop. */
CONTRACT(message_history_is_the_same_wherever_it_is_read)
{
    SITE(s);
    struct ask ask = {.method = "GET",
                      .path = "/api/sessions/s1/messages?as=ui"};
    struct str first;

    save_two(&s);
    first = talk_ask(&s, 200, &ask).body;
    for (int i = 0; i < 3; i++) {
        talk(&s, 200, "PATCH", "/api/sessions/s1", "{'title':'Another'}");
        CHECK_TEXT(talk_ask(&s, 200, &ask).body, first);
    }
    talk(&s, 204, "DELETE", "/api/sessions/s1", NULL);
    (void)talk_ask(&s, 404, &ask);
}

CONTRACT(message_takes_sources_later_and_before_its_text)
{
    SITE(s);
    struct json *v;

    save_two(&s);
    v = talk(&s, 200, "POST", "/api/messages/m2/sources",
             "{'sources':[" WEB ",{'sourceType':'text','sourceId':'t'}]}");
    CHECK_EACH(&s, v, "sources", "chunkNumber", "2 3");
    talk(&s, 200, "POST", "/api/messages/b1/sources",
         "{'sources':[" SLIDE "],'session_id':'s2'}");
    v = talk(&s, 200, "GET", "/api/sessions/s2/messages", NULL);
    CHECK_INT(json_get(v, STR("messages"))->n, 0); /* not before its text */
    v = talk(&s, 200, "GET", "/api/sessions/s2", NULL);
    CHECK_INT(json_get(v, STR("history"))->n, 0);
    v = talk(&s, 200, "GET", "/api/sessions/s2/messages?as=ui", NULL);
    CHECK_INT(json_get(v, STR("messages"))->n, 0);
    v = talk(&s, 201, "POST", "/api/sessions/s2/messages",
             "{'id':'b1','role':'assistant','content':'So [1]'}");
    CHECK_AT(&s, v, "sources.0.cited", "true");
    talk_refused(&s, 404, "message_not_found", NULL, "POST",
                 "/api/messages/none/sources", "{'sources':[" SLIDE "]}");
    talk_refused(&s, 422, "impossible", NULL, "POST",
                 "/api/messages/m1/sources", "{'sources':[" SLIDE "]}");
    talk_refused(&s, 400, "invalid_field", "/sources", "POST",
                 "/api/messages/m2/sources", "{}");
    talk_refused(&s, 400, "invalid_field", "/sources/0/url", "POST",
                 "/api/messages/m2/sources",
                 "{'sources':[{'sourceType':'web','url':7}]}");
}

CONTRACT(message_that_streams_grows_until_it_ends)
{
    SITE(s);
    struct json *v;

    v = talk(&s, 201, "POST", "/api/sessions/s1/messages",
             "{'id':'a','role':'assistant','status':'streaming',"
             "'content':'He'}");
    CHECK_AT(&s, v, "status", "'streaming'");
    v = talk(&s, 200, "PATCH", "/api/messages/a", "{'append':'llo'}");
    CHECK_AT(&s, v, "content", "'Hello'");
    v = talk(&s, 200, "GET", "/api/sessions/s1", NULL);
    CHECK_AT(&s, v, "status", "'running'");
    talk(&s, 200, "PATCH", "/api/messages/a", "{'append':' you'}");
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&s, v, "messages.0.content", "'Hello you'");
    v = talk(&s, 200, "GET", "/api/sessions/s1/messages?as=ui", NULL);
    CHECK_AT(&s, v, "messages", "[]");
    talk_refused(&s, 409, "turn_running", NULL, "POST",
                 "/api/sessions/s1/messages",
                 "{'role':'assistant','status':'streaming'}");
    CHECK_TEXT(talk_header("x-should-retry"), STR("false"));
    talk(&s, 200, "POST", "/api/messages/a/sources", "{'sources':[" SLIDE "]}");
    v = talk(&s, 200, "PATCH", "/api/messages/a",
             "{'append':' [1]','status':'stopped','lowConfidence':true}");
    CHECK_AT(&s, v, "status", "'stopped'");
    CHECK_AT(&s, v, "content", "'Hello you [1]'");
    CHECK_AT(&s, v, "lowConfidence", "true");
    CHECK_AT(&s, v, "sources.0.cited", "true");
    talk_refused(&s, 409, "ended", NULL, "PATCH", "/api/messages/a",
                 "{'append':'x'}");
    talk_refused(&s, 404, "message_not_found", NULL, "PATCH",
                 "/api/messages/none", "{'append':'x'}");
    talk_refused(&s, 400, "invalid_field", "/status", "PATCH",
                 "/api/messages/a", "{'status':'over'}");
    v = talk_with(&s, talk_as_ada(&s), 404, "PATCH", "/api/messages/a",
                  "{'append':'x'}");
    CHECK_AT(&s, v, "code", "'message_not_found'");
}

CONTRACT(message_sources_of_many_at_once)
{
    SITE(s);
    struct json *v;

    save_two(&s);
    v = talk(&s, 200, "POST", "/api/sources/by-message",
             "{'messageIds':['m2','none','m1','m2']}");
    CHECK_EACH(&s, v, "m2", "chunkNumber", "1 2");
    CHECK_AT(&s, v, "none", "[]");
    CHECK_AT(&s, v, "m1", "[]");
    CHECK_INT(v->n, 3);
    v = talk_with(&s, talk_as_ada(&s), 200, "POST", "/api/sources/by-message",
                  "{'message_ids':['m2']}");
    CHECK_AT(&s, v, "m2", "[]");
    talk_refused(&s, 400, "invalid_field", "/messageIds", "POST",
                 "/api/sources/by-message", "{}");
    talk_refused(&s, 400, "invalid_field", "/messageIds/1", "POST",
                 "/api/sources/by-message", "{'messageIds':['a',1]}");
}

CONTRACT(message_references_and_images_of_a_session)
{
    SITE(s);
    struct json *v;

    save_two(&s);
    v = talk(&s, 200, "GET", "/api/sessions/s1/references?limit=1", NULL);
    CHECK_AT(&s, v, "references",
             "[{'documentId':'d1','docRef':'d1','title':null,'count':1,"
             "'cited':1}]");
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena,
                          "/api/sessions/s1/references?limit=1&cursor=%.*s",
                          STR_ARG(json_get(v, STR("nextCursor"))->s))
                 .p,
             NULL);
    CHECK_EACH(&s, v, "references", "docRef", "'https://example.org/'");
    CHECK_AT(&s, v, "nextCursor", "null");
    v = talk(&s, 200, "GET", "/api/sessions/s1/images", NULL);
    CHECK_AT(&s, v, "images",
             "[{'messageId':'m2','s3key':'k.png','slideId':'sl',"
             "'pageNumber':4,'url':null,'expiresAt':null}]");
}

CONTRACT(message_retrievals_are_lent_to_the_answer)
{
    SITE(s);
    const char *key = "Idempotency-Key: r";
    struct json *v =
        talk_with(&s, key, 201, "POST", "/api/sessions/s1/retrievals",
                  "{'userMessageId':'u','query':'entropy',"
                  "'citations':[" SLIDE "],'lowConfidence':true}");
    const char *id = json_at(&s, v, "id");

    CHECK_AT(&s, v, "userMessageId", "'u'");
    CHECK_EACH(&s, v, "sources", "chunkNumber", "1");
    v = talk_with(&s, key, 200, "POST", "/api/sessions/s1/retrievals",
                  "{'userMessageId':'u','query':'entropy',"
                  "'citations':[" SLIDE "],'lowConfidence':true}");
    CHECK_AT(&s, v, "id", id);
    talk(&s, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'u','role':'user','content':'What?'}");
    v = talk(&s, 201, "POST", "/api/sessions/s1/messages",
             "{'id':'a','role':'assistant','content':'Disorder [1]'}");
    CHECK_EACH(&s, v, "sources", "cited", "true");
    CHECK_AT(&s, v, "lowConfidence", "true");
    v = talk(&s, 200, "GET", "/api/sessions/s1/retrievals", NULL);
    CHECK_EACH(&s, v, "retrievals", "query", "'entropy'");
    v = talk(&s, 201, "POST", "/api/sessions/s1/retrievals",
             "{'userMessageId':'u','query':'more','sources':[" WEB "]}");
    CHECK_AT(&s, v, "query", "'more'");
    CHECK_EACH(&s, v, "sources", "chunkNumber", "2");
    v = talk(&s, 200, "GET", "/api/sessions/s1/retrievals", NULL);
    CHECK_EACH(&s, v, "retrievals", "query", "'entropy' 'more'");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_refused(&s, 400, "invalid_field", "/userMessageId", "POST",
                 "/api/sessions/s1/retrievals", "{'query':'x'}");
    talk_refused(&s, 400, "invalid_field", "/query", "POST",
                 "/api/sessions/s1/retrievals", "{'userMessageId':'u'}");
    talk_refused(&s, 422, "impossible", "/userMessageId", "POST",
                 "/api/sessions/s1/retrievals",
                 "{'userMessageId':'a','query':'x','sources':[]}");
}
