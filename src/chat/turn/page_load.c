/* page_load.c - what a model sees of the page that came with the question.
 *
 * A model that takes pictures gets the bytes as a data URL: no model ever gets
 * a link to a bucket.  Other models get the page's words, when it is one of our
 * documents.  When a picture cannot be read, the words must do: the question is
 * answered all the same. */
#include "base/base64.h"
#include "base/log.h"
#include "chat/turn/page.h"
#include "chat/turn/turn.h"
#include "object/object.h"
#include "object/picture.h"
#include "store/document/snapshot.h"

enum {
    WORDS_BYTES_MAX = 64 * 1024,
    URL_BYTES_MAX = PICTURE_BYTES_MAX / 3 * 4 + 1024
};

void page_take_stored(struct turn *t, const struct message *q)
{
    if (!q->has_image)
        return;
    t->ask.question.image_s3key = arena_str(&t->arena, q->image_s3key);
    t->ask.question.image_slide = arena_str(&t->arena, q->image_slide);
    t->ask.question.has_image_page = q->has_image_page;
    t->ask.question.image_page = q->image_page;
    t->page = PAGE_GIVEN;
}

/* ---- The picture -------------------------------------------------------- */

/* data:image/png;base64,... in the turn's arena. */
static enum footnote_rc set_data_url(struct turn *t, struct str type,
                                     struct str bytes, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(URL_BYTES_MAX);

    buf_printf(&b, "data:%.*s;base64,", STR_ARG(type));
    buf_add_base64(&b, bytes);
    TRY(buf_rc(&b, err));
    t->page_url = arena_str(&t->arena, buf_str(&b));
    return arena_rc(&t->arena, err);
}

static enum footnote_rc read_snapshot(struct turn *t, const struct snapshot *s,
                                      struct footnote_err *err)
{
    AUTO(buf_free) struct buf bytes = BUF(PICTURE_BYTES_MAX);
    struct object want;

    TRY(object_of(s->object_key, s->bytes, &s->digest, &want, err));
    TRY(object_read(t->loop->chat->options.objects, &want, &bytes, err));
    return set_data_url(t, s->media_type, buf_str(&bytes), err);
}

/* Another program put it there, so it may be anything. */
static enum footnote_rc read_external(struct turn *t, struct footnote_err *err)
{
    AUTO(buf_free) struct buf bytes = BUF(PICTURE_BYTES_MAX);
    struct picture picture;

    TRY(object_external_read(t->loop->chat->options.objects,
                             t->ask.question.image_s3key, &bytes, err));
    TRY(picture_read(buf_str(&bytes), &picture, err));
    return set_data_url(t, picture.type, buf_str(&bytes), err);
}

static enum footnote_rc read_any_picture(struct turn *t,
                                         struct footnote_err *err)
{
    struct snapshot_find find = {.labels = &t->ask.question.image_s3key,
                                 .n = 1};
    struct footnote_err why = {.text = ""};
    enum footnote_rc rc;

    TRY(store_read(t->loop->chat->options.store, t->ask.who, &t->search_arena,
                   OP(snapshot_find), &find, err));
    rc = find.snapshots[0].found ? read_snapshot(t, &find.snapshots[0], &why)
                                 : read_external(t, &why);
    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_NOTFOUND)
        log_write(LOG_WARN, "a page picture cannot be read",
                  LOG_TEXT("error", str_c(why.text)));
    return arena_rc(&t->arena, err);
}

/* ---- The words ---------------------------------------------------------- */

static enum footnote_rc read_words(struct turn *t, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(WORDS_BYTES_MAX);
    const struct message *q = &t->ask.question;
    struct store *st = t->loop->chat->options.store;
    struct page_text op = {.document = q->image_slide,
                           .course = t->ask.course,
                           .page = q->image_page};

    if (!q->image_slide.p || !q->has_image_page)
        return FOOTNOTE_OK;
    TRY(store_read(st, t->ask.who, &t->search_arena, OP(page_text), &op, err));
    if (op.passages_n == 0 && op.course.p) { /* a page of another course */
        op.course = STR_NONE;
        TRY(store_read(st, t->ask.who, &t->search_arena, OP(page_text), &op,
                       err));
    }
    for (size_t i = 0; i < op.passages_n; i++) {
        if (b.n + op.passages[i].n + 1 > WORDS_BYTES_MAX)
            break;
        if (i)
            buf_add_c(&b, '\n');
        buf_add(&b, op.passages[i]);
    }
    TRY(buf_rc(&b, err));
    if (b.n)
        t->page_words = arena_str(&t->search_arena, buf_str(&b));
    return arena_rc(&t->search_arena, err);
}

enum footnote_rc page_load(struct turn *t, struct footnote_err *err)
{
    if (t->page == PAGE_NONE || t->model->extractive)
        return FOOTNOTE_OK;
    if (t->model->images && t->loop->chat->options.objects)
        TRY(read_any_picture(t, err));
    return t->page_url.p ? FOOTNOTE_OK : read_words(t, err);
}
