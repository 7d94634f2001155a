/* lines_fuzz.c - fuzzes LaTeX, programs, tables as text and notebooks. */
#include "extracting.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str bytes = {(const char *)data, n};

    extracting_run(FORMAT_LATEX, bytes);
    extracting_run(FORMAT_CODE, bytes);
    extracting_run(FORMAT_CSV, bytes);
    extracting_run(FORMAT_NOTEBOOK, bytes);
    return 0;
}
