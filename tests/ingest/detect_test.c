/* detect_test.c - what a file is, whatever its name says. */
#include "read_passages.h"

#include <string.h>

static void check(struct str head, const char *name, const char *want)
{
    const char *got = format_of(format_detect(head, str_c(name)))->name;

    if (strcmp(got, want) != 0)
        FAIL("%s is taken for %s, not for %s", name, got, want);
}

TEST(text_is_told_apart_by_its_first_bytes_then_by_its_name)
{
    check(STR("# Heat\n"), "notes.md", "markdown");
    check(STR("# Heat\n"), "NOTES.MD", "markdown");
    check(STR("# Heat\n"), "notes.txt", "text");
    check(STR("# Heat\n"), "notes", "text");
    check(STR("plain"), NULL, "text");
    check(STR("WEBVTT\n\n"), "notes.txt", "vtt");
    check(STR("\xef\xbb\xbfWEBVTT\n"), "a", "vtt");
    check(STR("1\r\n00:00:01,000 --> 00:00:02,000\r\nHi"), "notes.txt", "srt");
    check(STR("hello"), "a.srt", "srt");
    check(STR("\n <!DOCTYPE html><p>"), "a.txt", "html");
    check(STR("<p>Hi"), "a.html", "html");
    check(STR("\xff\xfeH\0i\0"), "a.txt", "text");
    check(STR("H\xe4tte"), "a.txt", "text");
    check(STR("MZ is how this text begins, and it is a text"), "a.txt", "text");
}

TEST(books_and_rich_text_are_known_by_what_they_hold)
{
    check(STR("{\\rtf1\\ansi\\deff0 {\\b Heat} flows.}"), "notes.txt", "rtf");
    check(STR("\xef\xbb\xbf{\\rtf1 Heat}"), "a", "rtf");
    check(STR("PK\x03\x04....mimetypeapplication/epub+zip"), "a.zip", "epub");
    check(STR("PK\x03\x04.mimetypeapplication/vnd.oasis.opendocument.text"),
          "a.docx", "odt");
}

TEST(sheets_and_sources_are_known)
{
    check(STR("{\"metadata\": {\"kernelspec\": {}}"), "heat.ipynb", "notebook");
    check(STR("a,b\n1,2\n"), "a.csv", "csv");
    check(STR("a,b\n1,2\n"), "a.txt", "text");
    check(STR("PK\x03\x04....xl/workbook.xml"), "a.zip", "xlsx");
    check(STR("<?xml version=\"1.0\"?><!DOCTYPE html><html>"), "a.txt", "html");
    check(STR("# How to use \\documentclass and \\begin{}\n"), "a.md",
          "markdown");
}

TEST(pdf_and_recordings_are_known)
{
    check(STR("\x89PNG\r\n\x1a\n"), "a.txt", "png");
    check(STR("II*\0\x08\0\0\0"), "a.pdf", "tiff");
    check(STR("RIFF\x01\x02\x03\x04WEBPVP8 "), "a.jpg", "webp");
    check(STR("%PDF-1.7\n\xe2\xe3"), "a.docx", "pdf");
    check(STR("junk\n%PDF-1.4"), "a.pdf", "pdf");
    check(STR("\0\0\0\x20"
              "ftypisom"),
          "a.mp4", "media");
    check(STR("\x1a\x45\xdf\xa3\x01"), "a.webm", "media");
    check(STR("ID3\x03"), "a.mp3", "media");
    check(STR("RIFF\x01\x02\x03\x04WAVE"), "a.wav", "media");
}

static void check_unknown(struct str head, const char *name, const char *word)
{
    check(head, name, "unknown");
    if (!strstr(format_unknown_reason(head, str_c(name)), word))
        FAIL("%s: \"%s\" does not say \"%s\"", name,
             format_unknown_reason(head, str_c(name)), word);
    read_refused(FORMAT_UNKNOWN, head, FOOTNOTE_INVALID, word);
}

TEST(a_renamed_program_is_a_program)
{
    check_unknown(STR("MZ\x90\0\x03\0\0\0\x04\0"), "slides.pdf", "program");
    check_unknown(STR("\x7f"
                      "ELF\x02\x01\x01\0\0"),
                  "notes.md", "program");
    check_unknown(STR("\xcf\xfa\xed\xfe\x07\0\0\1"), "notes.txt", "program");
}

TEST(what_cannot_be_read_gets_a_sentence)
{
    check_unknown(STR("GIF89a"), "a.txt", "picture");
    check_unknown(STR("\xd0\xcf\x11\xe0\xa1\xb1"), "a.docx", "password");
    check_unknown(STR("PK\x03\x04....some.txt"), "a.zip", "unpack it");
    check_unknown(STR("PK\x03\x04.mimetypeapplication/vnd.oasis.opendocument."
                      "chart"),
                  "a.odc", "OpenDocument");
    check_unknown(STR("Rar!\x1a\x07"), "a.rar", "unpack it");
    check_unknown(STR("\0\1\2\3\0\0\1\2\3\4\5\0\0\0"), "a.txt", "not a kind");
}

TEST(texts_of_markup_are_refused_by_what_they_hold)
{
    check_unknown(STR("%!PS-Adobe-3.0\n%%Title: Heat\n"), "a.txt", "ps2pdf");
    check_unknown(STR("\x04%!PS-Adobe-3.0\n"), "a.ps", "PostScript");
    check(STR("Return-Path: <a@b.c>\r\nReceived: from b.c\r\n"
              "\tby d.e; Mon, 2 Nov 2026\r\nSubject: Heat\r\n\r\nHi"),
          "a.txt", "mail");
    check(STR("From a@b.c Mon Nov  2 10:00:00 2026\nFrom: A <a@b.c>\n"
              "MIME-Version: 1.0\nTo: B\n\nHi"),
          "notes.txt", "mail");
    check_unknown(STR("<?xml version=\"1.0\"?>\n<book><para>Heat.</para>"),
                  "a.txt", "XML");
    check_unknown(STR("\\input texinfo @c -*-\n"), "a.txt", "Texinfo");
    check_unknown(STR(".\\\" A page\n.TH HEAT 1\n.SH NAME\n"), "heat.1",
                  "manual page");
}

TEST(texts_that_look_a_little_like_markup_are_texts)
{
    check(STR("From: Anna\nTo: Ben\nSubject: heat\n\nIt flows.\n"), "a.txt",
          "text");
    check(STR("Note: heat flows.\nMessage-ID: what is that?\n\nIt is ...\n"),
          "a.txt", "text");
    check(STR("Received: three letters\nand no more\nMIME-Version: 1.0\n"),
          "a.txt", "text");
    check(STR("{\"cells\": [\"nerve\", \"blood\"]}"), "a.json", "code");
    check(STR("{\\bf Heat} flows."), "a.txt", "text");
    check(STR("%PS: I write this later.\n"), "a.txt", "text");
}
