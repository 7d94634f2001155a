/* html_fuzz.c - fuzzes web pages. */
#include "extracting.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    extracting_run(FORMAT_HTML, (struct str){(const char *)data, n});
    return 0;
}
