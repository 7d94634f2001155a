/* mail_fuzz.c - fuzzes saved mail. */
#include "extracting.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    extracting_run(FORMAT_MAIL, (struct str){(const char *)data, n});
    return 0;
}
