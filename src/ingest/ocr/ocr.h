/* ocr.h - the words of a picture, by tesseract in the jail.
 *
 * It is looked for when it is needed, and need not be there.  Any thread; it
 * waits for the program. */
#ifndef INGEST_OCR_OCR_H
#define INGEST_OCR_OCR_H
#include "base/buf.h"

enum {
    OCR_DPI = 300, /* that pages are drawn with */
    OCR_MEMORY_MB = 1500,
    OCR_CPU_S = 120, /* of a picture */
    OCR_WALL_MS = 400 * 1000,
    OCR_OUTPUT_BYTES = 16 * 1024 * 1024,
    OCR_SURE_MIN = 20 /* per cent; a word it is less sure of is dirt */
};

/* How sure it was, in per cent, of so many words together. */
struct ocr_sure {
    int64_t words, sum;
};

bool ocr_is_there(void);
/* Why not, for the person who brought the file. */
#define OCR_MISSING                                                            \
    "text recognition (tesseract) is not installed on this server"

/* Appends the words of the pages of a picture (PNG, JPEG, TIFF, WebP, PNM) in
 * the form of pdftotext -bbox-layout, in points.  `picture` is an open file;
 * its offset is the program's meanwhile.  `dpi` 0: as the picture says.
 * `languages` as tesseract names them: "eng+deu".  INVALID: it is no picture;
 * TOOBIG: it took more than it may. */
enum footnote_rc ocr_read(int picture, int dpi, const char *languages,
                          struct buf *printed, struct ocr_sure *sure,
                          struct footnote_err *err);

#endif
