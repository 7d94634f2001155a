/* mail_test.c - saved mail, one message and a mailbox of them. */
#include "read_passages.h"

#include <string.h>

#define HEADERS                                                                \
    "Return-Path: <a@example.org>\r\n"                                         \
    "From: =?iso-8859-1?Q?J=F6rg_M=FCller?= <a@example.org>\r\n"               \
    "To: Ben <b@example.org>\r\n"                                              \
    "Date: Mon, 2 Nov 2026 10:00:00 +0100\r\n"                                 \
    "Subject: =?utf-8?B?SGVhdCDigJMg?=\r\n =?utf-8?Q?pumps?= again\r\n"        \
    "MIME-Version: 1.0\r\n"
#define MIXED                                                                  \
    HEADERS                                                                    \
    "Content-Type: multipart/mixed;\r\n boundary=\"=_1\"\r\n\r\n"              \
    "Preamble.\r\n"                                                            \
    "--=_1\r\nContent-Type: multipart/alternative; boundary=b2\r\n\r\n"        \
    "--b2\r\nContent-Type: text/html\r\n\r\n<p>Ice <b>floats</b>.\r\n"         \
    "--b2\r\nContent-Type: text/plain; charset=koi8-r\r\n"                     \
    "Content-Transfer-Encoding: quoted-printable\r\n\r\n"                      \
    "=D4=C5=D0=CC=CF is wa=\r\nrm.\r\n--b2--\r\n"                              \
    "--=_1\r\nContent-Type: text/html; charset=utf-8\r\n"                      \
    "Content-Transfer-Encoding: "                                              \
    "base64\r\n\r\nPHA+SMOkdHRlPHNjcmlwdD54PC9zY3Jp"                           \
    "cHQ+\r\n"                                                                 \
    "--=_1\r\nContent-Type: application/pdf; name=\"x.pdf\"\r\n"               \
    "Content-Disposition: attachment;\r\n filename=\"=?utf-8?Q?Pl=C3=A4ne?="   \
    ".pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n"          \
    "--=_1--\r\nEpilogue.\r\n"

TEST(a_mail_has_a_sender_a_date_a_subject_and_one_text)
{
    CHECK_INT(format_detect(STR(MIXED), STR("x.txt")), FORMAT_MAIL);
    struct read *r = read_as_text(FORMAT_MAIL, MIXED);

    CHECK_TEXT(r->facts.title, STR("Heat – pumps again"));
    CHECK_TEXT(r->facts.date, STR("2026-11-02"));
    CHECK_INT(r->n, 2);
    CHECK_TEXT(r->passages[0].heading, STR("Heat – pumps again"));
    CHECK_TEXT(r->passages[0].text,
               STR("From: Jörg Müller <a@example.org>\nTo: Ben "
                   "<b@example.org>\nDate: Mon, 2 Nov 2026 10:00:00 +0100\n"
                   "Subject: Heat – pumps again\n\nтепло is warm.\n\nHätte"));
    CHECK_TEXT(r->passages[1].text, STR("Attachment: Pläne.pdf"));
    CHECK(strstr(r->facts.warning, "1 attachment was not read"));
    read_free(r);
}

static const char mailbox[] =
    "From a@example.org Mon Nov  2 10:00:00 2026\nFrom: A <a@example.org>\n"
    "Message-ID: <1@x>\nSubject: Ice\nDate: Mon, 2 Nov 2026 10:00:00 +0100\n\n"
    "Why does ice float on water?\n>From what I know it should sink.\n\n"
    "From b@example.org Tue Nov  3 10:00:00 2026\nFrom: B <b@example.org>\n"
    "Message-ID: <2@x>\nSubject: Re: Ice\n\nA wrote:\n"
    "> Why does ice float on water?\n>\n"
    "> Somebody else said this before.\nBecause it is lighter.\n";

TEST(a_mailbox_is_cited_by_message_and_quotes_are_read_once)
{
    CHECK_INT(format_detect(str_c(mailbox), STR("x")), FORMAT_MAIL);
    struct read *r = read_as_text(FORMAT_MAIL, mailbox);

    CHECK_INT(r->n, 2);
    CHECK(!r->facts.title.p);
    CHECK_TEXT(r->passages[0].locator, STR("message 1"));
    CHECK_TEXT(r->passages[1].locator, STR("message 2"));
    CHECK_TEXT(r->passages[1].heading, STR("Re: Ice"));
    CHECK(!strstr(r->passages[1].text.p, "Why does ice"));
    CHECK(read_has(r, "Somebody else said this before."));
    CHECK(read_has(r, "Because it is lighter."));
    CHECK(!read_has(r, "> "));
    read_free(r);
}

TEST(bad_mail_is_refused_in_words)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_MAIL,
                 STR(HEADERS "Content-Type: multipart/encrypted; boundary=b\r\n"
                             "\r\n--b--\r\n"),
                 FOOTNOTE_INVALID, "encrypted");
    read_refused(FORMAT_MAIL,
                 STR(HEADERS "Content-Type: multipart/mixed; boundary=b\r\n"
                             "\r\n--b\r\n\r\nHalf of"),
                 FOOTNOTE_INVALID, "in the middle");
    /* Its own boundary again and again, and a forest of them. */
    struct str nested = read_repeated(
        &a, HEADERS, "Content-Type: multipart/mixed; boundary=b\n\n--b\n", 50);
    read_refused(FORMAT_MAIL, nested, FOOTNOTE_INVALID, "");
    nested = read_repeated(&a, HEADERS "Content-Type: message/rfc822\r\n\r\n",
                           "Content-Type: message/rfc822\r\n\r\n", 50);
    read_refused(FORMAT_MAIL, nested, FOOTNOTE_INVALID, "inside of each other");
    arena_free(&a);
}
