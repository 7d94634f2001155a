/* xlsx_number.h - numbers as a sheet shows them: dates, shares, numbers.  For
 * xlsx.c only.  Any thread. */
#ifndef INGEST_SHEET_XLSX_NUMBER_H
#define INGEST_SHEET_XLSX_NUMBER_H
#include "base/buf.h"

enum number_kind { NUMBER_PLAIN, NUMBER_SHARE, NUMBER_DATE };

/* Of the formats that all programs know by number, and of one that a file
 * writes out: "dd/mm/yyyy", "0.0%". */
enum number_kind number_kind_of(int64_t id);
enum number_kind number_kind_of_code(struct str code);

/* Appends the number `value`, as the file has it.  `late`: days count from
 * 1904. */
void number_show(struct buf *out, struct str value, enum number_kind kind,
                 bool late);

#endif
