/* embed.c - the library on one page: an answer with its sources, read back.
 * Build it with: cc embed.c $(pkg-config --cflags --libs footnote) */
#include <footnote.h>
#include <stdio.h>

// clang-format off
static const struct footnote_source found[] = {
    {.type = FOOTNOTE_SLIDE, .title = "Heat, slide 14", .document = "heat",
     .has_page = true, .page = 14, .preview = "Entropy counts arrangements."},
    {.type = FOOTNOTE_LECTURE, .title = "Lecture 4 at 1:01", .lecture = "lec4",
     .has_start = true, .start_seconds = 61.5, .preview = "Mess is likelier."}};
// clang-format on

static enum footnote_rc answer(struct footnote *fn, struct footnote_err *err)
{
    static const char text[] = "It counts arrangements that look alike [1].";
    const struct footnote_message question = {
        .session = "s1", .role = FOOTNOTE_USER, .text = "What is entropy?"};
    struct footnote_answer *a;
    enum footnote_rc rc = footnote_answer_open(fn, &question, NULL, &a, err);

    if (rc == FOOTNOTE_OK) /* once this returns, the sources may be shown */
        rc = footnote_answer_cite(a, found, 2, NULL, err);
    if (rc == FOOTNOTE_OK) /* and the text, piece by piece as it comes */
        rc = footnote_answer_write(a, text, sizeof(text) - 1, err);
    if (rc == FOOTNOTE_OK)
        rc = footnote_answer_finish(a, FOOTNOTE_COMPLETE, false, err);
    footnote_answer_close(a); /* unfinished, it is kept as interrupted */
    return rc;
}

static void show(const struct footnote_message *m)
{
    printf("%s: %s\n", m->role == FOOTNOTE_USER ? "you" : "it", m->text);
    for (size_t i = 0; i < m->sources_n; i++)
        printf("  [%u] %s, %s: %s\n", m->sources[i].number, m->sources[i].title,
               m->sources[i].id, m->sources[i].cited ? "cited" : "only read");
}

int main(int argc, char **argv)
{
    const char *url = argc > 1 ? argv[1] : "sqlite:embed.db";
    const struct footnote_query all = {.session = "s1"};
    struct footnote_result *r = NULL;
    struct footnote *fn;
    struct footnote_err err;
    enum footnote_rc rc = footnote_open(url, &fn, &err);

    if (rc == FOOTNOTE_OK)
        rc = answer(fn, &err);
    if (rc == FOOTNOTE_OK) /* in any later process just as well */
        rc = footnote_read(fn, &all, &r, &err);
    for (size_t i = 0; r && i < r->messages_n; i++)
        show(&r->messages[i]);
    if (rc != FOOTNOTE_OK)
        fprintf(stderr, "embed: %s\n", err.text);
    footnote_result_free(r);
    footnote_close(fn);
    return rc != FOOTNOTE_OK;
}
