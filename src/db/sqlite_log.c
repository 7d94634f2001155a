/* sqlite_log.c - whether SQLite's log has lost commits that were durable.
 *
 * A commit is frames, one per page, the last of which says so.  The checksum of
 * a frame continues that of the frame before; salts tell this use of the file
 * from earlier ones.  When SQLite starts, it takes the frames up to the first
 * that is not right, and forgets the rest.  That is meant for the torn end that
 * a power cut leaves.  But one flipped bit looks the same to it, and all
 * commits from there on would be gone without a word.
 *
 * What lies behind the first bad frame tells which of the two it is.
 *
 * 1. A frame that continues the checksum of a commit before it was written when
 *    that commit was durable, because each commit is synced before the next is
 *    begun (synchronous=EXTRA), the first header of a log is synced before its
 *    frames, and what a killed process left is synced when the log is opened.
 *    So if a commit and the frame that continues it lie behind the bad frame,
 *    the bad one was durable, too, and was damaged since.  All frames that a
 *    power cut can leave behind a torn one are of the one commit that was not
 *    synced, of earlier uses of the file, whose salts are others, or of commits
 *    that failed, which nothing continues.
 * 2. The same holds when the bad frame itself still says that it ends a commit.
 *    A disk writes a sector whole: the head of a frame that lies in one sector
 *    and has the salts of now is as it was written.
 * 3. Where putting one bit right gives a commit back, that bit was lost.  This
 *    also guards the last commit.  The price: when a power cut leaves out just
 *    one sector of the last commit, and what lies there from an earlier use of
 *    the file differs in exactly one bit, a torn end is taken for damage.
 *
 * What remains: damage to more than one bit of the last commit, or to the head
 * of the one before, and a log that is cut short or removed.  To see these
 * takes a mark outside of the log, and thus another flush for each commit.
 *
 * A running store reads the log as it is.  Its rows have digests for that. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite_impl.h"

enum {
    HEADER_BYTES = 32,
    HEADER_PAGE_AT = 8,
    HEADER_SALTS_AT = 16,
    HEADER_SUM_AT = 24,
    HEAD_BYTES = 24, /* of a frame */
    COMMIT_AT = 4,
    SALTS_AT = 8,
    SALTS_BYTES = 8,
    SUM_AT = 16,
    PAGE_BYTES = 4096, /* of our databases, when the header cannot be read */
    PAGE_BYTES_MIN = 512,
    PAGE_BYTES_MAX = 65536,
    SECTOR_BYTES = 512,
    MAGIC = 0x377f0682, /* and 1 more when the checksums are big-endian */
    PATH_BYTES_MAX = 16 * 1024
};

struct sum {
    uint32_t a, b;
};

struct log {
    int fd;
    int64_t bytes;
    bool big_endian; /* the words that the checksum adds up */
    size_t page_bytes;
    unsigned char salts[SALTS_BYTES];
    int64_t frames_n;
    unsigned char *frame; /* the one that was read last */
};

/* What would be lost. */
struct loss {
    int64_t commits_n;
    int64_t from; /* the byte of the file where the bad frame begins */
    int64_t byte; /* of the one bit that is wrong; -1: nobody knows */
    int is, was;
};

/* ---- Bytes --------------------------------------------------------------- */

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

static uint32_t word(bool is_big_endian, const unsigned char *p)
{
    return is_big_endian ? big_endian(p)
                         : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 |
                               (uint32_t)p[1] << 8 | p[0];
}

static struct sum sum_on(struct sum s, bool is_big_endian,
                         const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        s.a += word(is_big_endian, p + i) + s.b;
        s.b += word(is_big_endian, p + i + 4) + s.a;
    }
    return s;
}

static struct sum stored_sum(const unsigned char *p)
{
    return (struct sum){big_endian(p), big_endian(p + 4)};
}

static bool is_same(struct sum s, struct sum t)
{
    return s.a == t.a && s.b == t.b;
}

static size_t frame_bytes(const struct log *log)
{
    return HEAD_BYTES + log->page_bytes;
}

/* Frames count from 1. */
static int64_t frame_at(const struct log *log, int64_t i)
{
    return HEADER_BYTES + (i - 1) * (int64_t)frame_bytes(log);
}

static enum footnote_rc read_at(int fd, unsigned char *to, size_t n, int64_t at,
                                struct footnote_err *err)
{
    while (n > 0) {
        ssize_t got = pread(fd, to, n, at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return err_set(err, FOOTNOTE_BUSY, "reading the log: %s",
                           got < 0 ? strerror(errno) : "it became shorter");
        to += got;
        n -= (size_t)got;
        at += got;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_frame(struct log *log, int64_t i,
                                   struct footnote_err *err)
{
    return read_at(log->fd, log->frame, frame_bytes(log), frame_at(log, i),
                   err);
}

/* ---- Frames -------------------------------------------------------------- */

static struct sum frame_sum(const struct log *log, struct sum before)
{
    struct sum s = sum_on(before, log->big_endian, log->frame, SALTS_AT);

    return sum_on(s, log->big_endian, log->frame + HEAD_BYTES, log->page_bytes);
}

/* Whether the frame is right, and continues the checksum of the one before. */
static bool continues(const struct log *log, struct sum before)
{
    return memcmp(log->frame + SALTS_AT, log->salts, SALTS_BYTES) == 0 &&
           big_endian(log->frame) != 0 &&
           is_same(frame_sum(log, before), stored_sum(log->frame + SUM_AT));
}

static bool ends_commit(const struct log *log)
{
    return big_endian(log->frame + COMMIT_AT) != 0;
}

/* Whether the head of a bad frame can be believed when it says so. */
static bool ended_commit(const struct log *log, int64_t i)
{
    int64_t at = frame_at(log, i) % SECTOR_BYTES;

    return at + HEAD_BYTES <= SECTOR_BYTES && ends_commit(log) &&
           memcmp(log->frame + SALTS_AT, log->salts, SALTS_BYTES) == 0;
}

/* A walk over frames that continue each other. */
struct walk {
    int64_t i;         /* the next frame */
    struct sum sum;    /* of the one before */
    int64_t commits_n; /* that it passed */
};

/* Stops at the first frame that does not continue, which is then the one that
 * was read last, or behind the last. */
static enum footnote_rc walk_on(struct log *log, struct walk *w,
                                struct footnote_err *err)
{
    for (; w->i <= log->frames_n; w->i++) {
        TRY(read_frame(log, w->i, err));
        if (!continues(log, w->sum))
            break;
        w->sum = stored_sum(log->frame + SUM_AT);
        w->commits_n += ends_commit(log);
    }
    return FOOTNOTE_OK;
}

/* ---- One bit ------------------------------------------------------------- */

static int bits_between(const unsigned char *p, const unsigned char *q,
                        size_t n)
{
    int bits = 0;

    for (size_t i = 0; i < n; i++)
        bits += __builtin_popcount((unsigned)(p[i] ^ q[i]));
    return bits;
}

/* The highest bits of several words change the checksum alike: then nobody
 * knows which of them it was. */
static void note(struct loss *loss, int64_t commits_n, int64_t byte, int is,
                 int was)
{
    if (commits_n == 0 || commits_n < loss->commits_n)
        return;
    loss->byte = commits_n > loss->commits_n ? byte : -1;
    loss->commits_n = commits_n;
    loss->is = is;
    loss->was = was;
}

/* The frame that a walk stopped at, and what a right one is followed by. */
struct bad_frame {
    struct log *log;
    struct sum before;
    int64_t behind_n;     /* commits that continue its checksum as it is, */
    int64_t behind_sum_n; /* and as it follows from the frame */
    struct loss *loss;
};

static void try_bit(const struct bad_frame *bad, size_t byte, unsigned bit)
{
    unsigned char *p = &bad->log->frame[byte];
    bool in_sum = byte >= SUM_AT && byte < HEAD_BYTES;
    int is = *p;

    *p ^= (unsigned char)(1U << bit);
    if (continues(bad->log, bad->before))
        note(bad->loss,
             ends_commit(bad->log) +
                 (in_sum ? bad->behind_sum_n : bad->behind_n),
             bad->loss->from + (int64_t)byte, is, *p);
    *p = (unsigned char)is;
}

/* Adding d to a word adds d times `factor` to the checksum.  Tries the bits of
 * the word at `byte` that may make up for what is missing. */
static void try_word(const struct bad_frame *bad, size_t byte,
                     struct sum factor, struct sum missing)
{
    bool big = bad->log->big_endian;
    uint32_t w = word(big, bad->log->frame + byte);

    for (unsigned bit = 0; bit < 32; bit++) {
        uint32_t d = w >> bit & 1 ? 0 - (1U << bit) : 1U << bit;

        if (d * factor.a == missing.a && d * factor.b == missing.b)
            try_bit(bad, byte + (big ? 3 - bit / 8 : bit / 8), bit % 8);
    }
}

static struct sum factor_before(struct sum f)
{
    return (struct sum){f.a + f.b, f.a + 2 * f.b};
}

/* From the last word to the first, whose factors follow from each other. */
static void try_words(const struct bad_frame *bad)
{
    const struct log *log = bad->log;
    struct sum stored = stored_sum(log->frame + SUM_AT), first = {1, 1},
               second = {0, 1}, sum = frame_sum(log, bad->before);
    struct sum missing = {stored.a - sum.a, stored.b - sum.b};

    for (size_t at = frame_bytes(log); at > HEAD_BYTES; at -= 8) {
        try_word(bad, at - 4, second, missing);
        try_word(bad, at - 8, first, missing);
        first = factor_before(first);
        second = factor_before(second);
    }
    try_word(bad, COMMIT_AT, second, missing);
    try_word(bad, 0, first, missing);
}

/* The walk stopped at a bad frame.  What would follow it if one bit of it were
 * put right: commits, or nothing. */
static enum footnote_rc look_with_bit(struct log *log, const struct walk *w,
                                      struct loss *loss,
                                      struct footnote_err *err)
{
    struct bad_frame bad = {.log = log, .before = w->sum, .loss = loss};
    struct walk behind = {.i = w->i + 1}, behind_sum = behind;

    loss->from = frame_at(log, w->i);
    if (bits_between(log->frame + SALTS_AT, log->salts, SALTS_BYTES) > 1)
        return FOOTNOTE_OK; /* of an earlier use: the usual end of a log */
    behind.sum = stored_sum(log->frame + SUM_AT);
    behind_sum.sum = frame_sum(log, w->sum);
    TRY(walk_on(log, &behind, err));
    TRY(walk_on(log, &behind_sum, err));
    TRY(read_frame(log, w->i, err));
    bad.behind_n = behind.commits_n;
    bad.behind_sum_n = behind_sum.commits_n;
    for (size_t byte = SALTS_AT; byte < HEAD_BYTES; byte++)
        for (unsigned bit = 0; bit < 8; bit++)
            try_bit(&bad, byte, bit);
    try_words(&bad);
    return FOOTNOTE_OK;
}

/* ---- Frames behind a bad one --------------------------------------------- */

/* The walk stopped at a bad frame.  Counts the commits from there on, when one
 * of them is continued. */
static enum footnote_rc look_behind(struct log *log, const struct walk *w,
                                    struct loss *loss, struct footnote_err *err)
{
    struct sum before = w->sum;
    bool after_commit = false, continued = false;
    int64_t commits_n = 0;

    for (int64_t i = w->i; i <= log->frames_n; i++) {
        TRY(read_frame(log, i, err));
        bool is_right = continues(log, before);
        continued |= is_right && after_commit;
        after_commit = is_right ? ends_commit(log) : ended_commit(log, i);
        commits_n += after_commit;
        before = stored_sum(log->frame + SUM_AT);
    }
    loss->byte = -1;
    loss->commits_n = continued ? commits_n : 0;
    return FOOTNOTE_OK;
}

/* ---- The file ------------------------------------------------------------ */

static bool header_is_right(const unsigned char h[HEADER_BYTES])
{
    uint32_t magic = big_endian(h), page = big_endian(h + HEADER_PAGE_AT);
    struct sum s = sum_on((struct sum){0}, magic & 1, h, HEADER_SUM_AT);

    return (magic & ~1U) == MAGIC && page >= PAGE_BYTES_MIN &&
           page <= PAGE_BYTES_MAX && (page & (page - 1)) == 0 &&
           is_same(s, stored_sum(h + HEADER_SUM_AT));
}

/* Makes room for the frames that the header tells of. */
static enum footnote_rc begin(struct log *log, bool is_big_endian,
                              size_t page_bytes, struct footnote_err *err)
{
    log->big_endian = is_big_endian;
    log->page_bytes = page_bytes;
    free(log->frame);
    log->frame = malloc(frame_bytes(log));
    if (!log->frame)
        return err_set(err, FOOTNOTE_NOMEM, "reading the log");
    log->frames_n = (log->bytes - HEADER_BYTES) / (int64_t)frame_bytes(log);
    return FOOTNOTE_OK;
}

static enum footnote_rc begin_with(struct log *log, struct walk *w,
                                   const unsigned char h[HEADER_BYTES],
                                   struct footnote_err *err)
{
    TRY(begin(log, big_endian(h) & 1, big_endian(h + HEADER_PAGE_AT), err));
    memcpy(log->salts, h + HEADER_SALTS_AT, SALTS_BYTES);
    *w = (struct walk){.i = 1, .sum = stored_sum(h + HEADER_SUM_AT)};
    return walk_on(log, w, err);
}

static enum footnote_rc try_header_bit(struct log *log,
                                       unsigned char h[HEADER_BYTES], size_t i,
                                       unsigned bit, struct loss *loss,
                                       struct footnote_err *err)
{
    unsigned char is = h[i];
    struct walk w;

    h[i] ^= (unsigned char)(1U << bit);
    if (header_is_right(h)) {
        TRY(begin_with(log, &w, h, err));
        note(loss, w.commits_n, (int64_t)i, is, h[i]);
    }
    h[i] = is;
    return FOOTNOTE_OK;
}

/* Without its header, SQLite takes the log for an empty one. */
static enum footnote_rc look_without_header(struct log *log,
                                            unsigned char h[HEADER_BYTES],
                                            struct loss *loss,
                                            struct footnote_err *err)
{
    struct walk w = {.i = 1};

    for (size_t i = 0; i < HEADER_BYTES; i++)
        for (unsigned bit = 0; bit < 8; bit++)
            TRY(try_header_bit(log, h, i, bit, loss, err));
    if (loss->commits_n > 0)
        return FOOTNOTE_OK;
    TRY(begin(log, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, PAGE_BYTES, err));
    if (log->frames_n < 2)
        return FOOTNOTE_OK;
    TRY(read_frame(log, 2, err)); /* the first shares the header's sector */
    memcpy(log->salts, log->frame + SALTS_AT, SALTS_BYTES);
    return look_behind(log, &w, loss, err);
}

static enum footnote_rc look(struct log *log, struct loss *loss,
                             struct footnote_err *err)
{
    unsigned char h[HEADER_BYTES];
    struct stat st;
    struct walk w;

    if (fstat(log->fd, &st) != 0)
        return err_set(err, FOOTNOTE_BUSY, "reading the log: %s",
                       strerror(errno));
    if (st.st_size < HEADER_BYTES)
        return FOOTNOTE_OK;
    log->bytes = st.st_size;
    TRY(read_at(log->fd, h, sizeof(h), 0, err));
    if (!header_is_right(h))
        return look_without_header(log, h, loss, err);
    TRY(begin_with(log, &w, h, err));
    if (w.i > log->frames_n)
        return FOOTNOTE_OK;
    TRY(look_with_bit(log, &w, loss, err));
    return loss->commits_n > 0 ? FOOTNOTE_OK : look_behind(log, &w, loss, err);
}

static enum footnote_rc tell(const char *path, const struct loss *loss,
                             struct footnote_err *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    if (loss->byte >= 0)
        return err_set(
            err, FOOTNOTE_DAMAGED,
            "byte %lld of %.40s was 0x%02x and is 0x%02x: put it right, or "
            "%lld transactions are lost (docs/operations.md, A damaged log)",
            (long long)loss->byte, name, (unsigned)loss->was,
            (unsigned)loss->is, (long long)loss->commits_n);
    return err_set(
        err, FOOTNOTE_DAMAGED,
        "%.40s is damaged at byte %lld: %lld later transactions would be "
        "lost; restore a backup, or see docs/operations.md, A damaged log",
        name, (long long)loss->from, (long long)loss->commits_n);
}

/* A descriptor of the log may be closed: SQLite has no locks on it. */
enum footnote_rc sqlite_log_check(const char *path, struct footnote_err *err)
{
    struct log log = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    struct loss loss = {0};

    if (log.fd < 0 && errno == ENOENT)
        return FOOTNOTE_OK;
    if (log.fd < 0)
        return err_set(err, FOOTNOTE_BUSY, "opening the log: %s",
                       strerror(errno));
    enum footnote_rc rc = look(&log, &loss, err);
    free(log.frame);
    close(log.fd);
    if (rc == FOOTNOTE_OK && loss.commits_n > 0)
        return tell(path, &loss, err);
    return rc;
}
