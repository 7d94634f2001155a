/* base64.c - three bytes become four digits. */
#include "base/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789+/";

void buf_add_base64(struct buf *b, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t left = bytes.n - i;
        uint32_t v = (uint32_t)(unsigned char)bytes.p[i] << 16;
        char four[4];

        v |= left > 1 ? (uint32_t)(unsigned char)bytes.p[i + 1] << 8 : 0;
        v |= left > 2 ? (unsigned char)bytes.p[i + 2] : 0;
        four[0] = digits[v >> 18];
        four[1] = digits[v >> 12 & 63];
        four[2] = (char)(left > 1 ? digits[v >> 6 & 63] : '=');
        four[3] = (char)(left > 2 ? digits[v & 63] : '=');
        buf_add(b, (struct str){four, sizeof(four)});
    }
}
