/* link.c - makes and checks signed paths.  The signature is checked before the
 * time, so that the answer does not tell which links were made here once. */
#include "object/link.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/uuid.h"

enum { TEXT_BYTES_MAX = 128 };
static const char secret_name[] = "secret";

/* ---- The secret --------------------------------------------------------- */

static bool write_secret(int folder, const char *path)
{
    AUTO(fd_closep) int fd = -1;
    uint8_t bytes[SHA256_BYTES];

    random_bytes(bytes, sizeof(bytes));
    unlinkat(folder, path, 0); /* of a process that was killed here */
    fd = openat(folder, path,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd >= 0 &&
           write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes) &&
           fsync(fd) == 0;
}

/* Writes the file under another name first, so that it is complete when it gets
 * its own. */
static bool make_secret(int folder)
{
    char path[TEXT_BYTES_MAX];
    bool ok;
    int number;

    snprintf(path, sizeof(path), "%s.%d", secret_name, (int)getpid());
    ok = write_secret(folder, path) &&
         (linkat(folder, path, folder, secret_name, 0) == 0 ||
          errno == EEXIST) &&
         fsync(folder) == 0;
    number = errno;
    unlinkat(folder, path, 0);
    errno = number;
    return ok;
}

/* In a folder that cannot be written to, a secret of this process will do. */
enum footnote_rc link_secret(int folder, struct sha256 *out,
                             struct footnote_err *err)
{
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC;
    AUTO(fd_closep) int fd = openat(folder, secret_name, flags);

    if (fd < 0 && errno == ENOENT && make_secret(folder))
        fd = openat(folder, secret_name, flags);
    if (fd < 0 && errno == EROFS) {
        random_bytes(out->b, SHA256_BYTES);
        return FOOTNOTE_OK;
    }
    if (fd < 0)
        return err_set(err, errno == ENOSPC ? FOOTNOTE_BUSY : FOOTNOTE_INTERNAL,
                       "objects: the secret of links: %s", strerror(errno));
    if (read(fd, out->b, SHA256_BYTES) != SHA256_BYTES)
        return err_set(err, FOOTNOTE_DAMAGED,
                       "objects: the file `%s` is short; remove it",
                       secret_name);
    return FOOTNOTE_OK;
}

/* ---- Links -------------------------------------------------------------- */

static enum footnote_rc sign_path(const struct sha256 *secret, const char *key,
                                  int64_t expires_s, char out[SHA256_HEX + 1],
                                  struct footnote_err *err)
{
    char text[TEXT_BYTES_MAX];
    struct sha256 mac;
    unsigned n = 0;
    int length = snprintf(text, sizeof(text), "footnote link\nGET\n%s\n%lld",
                          key, (long long)expires_s);

    assert(length > 0 && (size_t)length < sizeof(text));
    if (!HMAC(EVP_sha256(), secret->b, SHA256_BYTES, (const uint8_t *)text,
              (size_t)length, mac.b, &n) ||
        n != SHA256_BYTES)
        return err_set(err, FOOTNOTE_NOMEM, "signing a link");
    sha256_hex(&mac, out);
    return FOOTNOTE_OK;
}

enum footnote_rc link_make(const struct sha256 *secret, const char *key,
                           const struct link_lifetime *until, struct arena *a,
                           struct str *out, struct footnote_err *err)
{
    int64_t expires_s = until->now_ms / 1000 + until->seconds;
    char hex[SHA256_HEX + 1];

    TRY(sign_path(secret, key, expires_s, hex, err));
    *out = arena_printf(a, "/api/objects/%s?expires=%lld&signature=%s", key,
                        (long long)expires_s, hex);
    return arena_rc(a, err);
}

enum footnote_rc link_check(const struct sha256 *secret, const char *key,
                            const struct object_claim *claim,
                            struct footnote_err *err)
{
    char hex[SHA256_HEX + 1];
    int64_t expires_s;

    if (claim->signature.n != SHA256_HEX ||
        !str_i64(claim->expires, &expires_s) || expires_s < 0)
        return err_field(err, FOOTNOTE_INVALID, "link", "is not whole");
    TRY(sign_path(secret, key, expires_s, hex, err));
    if (CRYPTO_memcmp(hex, claim->signature.p, SHA256_HEX) != 0)
        return err_field(err, FOOTNOTE_INVALID, "link", "is not one of ours");
    if (claim->now_ms >= expires_s * 1000)
        return err_field(err, FOOTNOTE_ENDED, "link", "its time is over");
    return FOOTNOTE_OK;
}
