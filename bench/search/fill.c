/* fill.c - a store full of passages, by the store's own operations. */
#include <stdio.h>

#include "bench.h"
#include "cloud.h"
#include "store/document/document.h"
#include "store/document/vector.h"
#include "store/session/course.h"

static const struct who local = {{"default", 7}, {"local", 5}};

static void write_one(struct store *st, const struct store_op *kind, void *op)
{
    struct footnote_err err = {.text = ""};

    must(store_write(st, local, kind, op, &err) == FOOTNOTE_OK, err.text);
}

/* The passages from..to are one document, ready to be searched. */
static void add_document(struct store *st, struct text *t, uint32_t from,
                         uint32_t to)
{
    char id[24];
    struct buf texts[DOCUMENT];
    struct passage passages[DOCUMENT] = {{.position = 0}};
    struct document_put put = {
        .document = {.course = STR("c"), .kind = DOCUMENT_TEXT}};
    struct passages_add add = {.course = STR("c"),
                               .version = 1,
                               .passages = passages,
                               .passages_n = to - from};
    struct document_status_set ready = {.course = STR("c"),
                                        .status = DOCUMENT_READY};

    (void)snprintf(id, sizeof(id), "d%u", from / DOCUMENT + 1);
    put.document.id = put.document.title = str_c(id);
    put.document.language = STR("en");
    add.document = ready.document = str_c(id);
    must(sha256(str_c(id), &put.document.digest, NULL) == FOOTNOTE_OK,
         "no digest");
    for (uint32_t i = from; i < to; i++) {
        struct buf *b = &texts[i - from];

        *b = BUF(1 << 20);
        text_passage(t, i, b);
        passages[i - from].position = i - from + 1;
        passages[i - from].text = buf_str(b);
    }
    write_one(st, OP(document_put), &put);
    write_one(st, OP(passages_add), &add);
    write_one(st, OP(document_status_set), &ready);
    for (uint32_t i = from; i < to; i++)
        buf_free(&texts[i - from]);
}

static struct store *open_store(const char *folder)
{
    struct footnote_err err = {.text = ""};
    struct store *st = NULL;
    char url[600];

    (void)snprintf(url, sizeof(url), "sqlite:%s/footnote.db?durability=relaxed",
                   folder);
    must(store_open(url, &st, &err) == FOOTNOTE_OK, err.text);
    return st;
}

void fill_store(const char *folder, struct text *t, uint32_t passages)
{
    struct course_put course = {.id = STR("c"), .title = STR("c")};
    struct store *st = open_store(folder);

    write_one(st, OP(course_put), &course);
    for (uint32_t i = 0; i < passages; i += DOCUMENT)
        add_document(st, t, i,
                     i + DOCUMENT < passages ? i + DOCUMENT : passages);
    store_close(st);
}

/* ---- Vectors ------------------------------------------------------------- */

void fill_vectors(const char *folder, uint32_t passages)
{
    static float floats[DOCUMENT][CLOUD_SIZE];
    struct arena a = ARENA((size_t)64 << 20);
    struct index_documents list = {.course = STR("c")};
    struct store *st = open_store(folder);
    struct cloud *c = cloud_open();
    uint32_t i = 0;

    must(c && store_read(st, local, &a, OP(index_documents), &list, NULL) ==
                  FOOTNOTE_OK,
         "the documents cannot be read");
    for (size_t d = 0; d < list.documents_n; d++) {
        struct vector vectors[DOCUMENT];
        struct vectors_put put = {list.tenant, STR(MODEL), vectors, 0};

        for (; put.vectors_n < DOCUMENT && i < passages; i++) {
            size_t k = put.vectors_n++;

            cloud_passage(c, i, floats[k]);
            vectors[k] =
                (struct vector){list.documents[d].key,
                                list.documents[d].version,
                                (int64_t)k + 1,
                                {(const char *)floats[k], sizeof(floats[k])}};
        }
        must(store_own(st, OP(vectors_put), &put, NULL) == FOOTNOTE_OK,
             "vectors cannot be stored");
    }
    must(i == passages, "documents are missing");
    cloud_close(c);
    store_close(st);
    arena_free(&a);
}
