/* rtf_words.h - what the control words of RTF mean, for rtf.c only. */
#ifndef INGEST_BOOK_RTF_WORDS_H
#define INGEST_BOOK_RTF_WORDS_H
#include "base/str.h"

/* The character that a word such as "emdash" stands for; 0: none. */
uint32_t rtf_sign(struct str word);
/* Whether the group that a word opens is no text: pictures, fonts, feet. */
bool rtf_is_unread(struct str word);
/* Whether a group that programs may ignore ("{\\*\\word") is text. */
bool rtf_is_shown(struct str word);
/* What charset.h calls a code page, and a character set of a font. */
struct str rtf_code_page(int64_t page);
struct str rtf_charset(int64_t charset);

#endif
