/* xml.c - libxml2's SAX2 interface as three events. */
#include "ingest/format/xml.h"
#include "ingest/format/markup.h"

#include "store/document/reason.h"
#include <assert.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>

struct xml_reader {
    xmlParserCtxtPtr ctxt;
    const struct xml_events *events;
    void *arg;
    enum footnote_rc rc;
    struct footnote_err *err;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

void xml_init(void)
{
    pthread_once(&once, xmlInitParser);
}

/* ---- Attributes: five pointers each ------------------------------------- */

enum { NAME, PREFIX, URI, VALUE, VALUE_END, POINTERS };

static struct str find_attribute(const struct xml_tag *t, const char *name,
                                 bool prefixed)
{
    const xmlChar *const *all = t->attributes;

    for (int i = 0; i < t->attributes_n; i++) {
        const xmlChar *const *a = all + (ptrdiff_t)i * POINTERS;
        if (strcmp((const char *)a[NAME], name) == 0 &&
            (a[PREFIX] || !prefixed))
            return (struct str){(const char *)a[VALUE],
                                (size_t)(a[VALUE_END] - a[VALUE])};
    }
    return STR_NONE;
}

struct str xml_attribute(const struct xml_tag *t, const char *name)
{
    return find_attribute(t, name, false);
}

struct str xml_linked(const struct xml_tag *t, const char *name)
{
    return find_attribute(t, name, true);
}

/* ---- Events ------------------------------------------------------------- */

static void stop_on(struct xml_reader *r, enum footnote_rc rc)
{
    r->rc = rc;
    if (rc != FOOTNOTE_OK)
        xmlStopParser(r->ctxt);
}

/* NOLINTNEXTLINE(readability-function-size): the type is libxml2's */
static void on_start(void *arg, const xmlChar *name, const xmlChar *prefix,
                     const xmlChar *uri, int namespaces_n,
                     const xmlChar **namespaces, int n, int defaulted,
                     const xmlChar **attributes)
{
    struct xml_reader *r = arg;
    struct xml_tag t = {str_c((const char *)name), attributes, n};

    (void)prefix, (void)uri, (void)namespaces_n, (void)namespaces;
    (void)defaulted;
    if (r->rc == FOOTNOTE_OK)
        stop_on(r, r->events->start(r->arg, &t, r->err));
}

static void on_end(void *arg, const xmlChar *name, const xmlChar *prefix,
                   const xmlChar *uri)
{
    struct xml_reader *r = arg;

    (void)prefix, (void)uri;
    if (r->rc == FOOTNOTE_OK && r->events->end)
        stop_on(r, r->events->end(r->arg, str_c((const char *)name), r->err));
}

static void on_text(void *arg, const xmlChar *text, int n)
{
    struct xml_reader *r = arg;
    struct str s = {(const char *)text, (size_t)n};

    if (r->rc == FOOTNOTE_OK && r->events->text)
        stop_on(r, r->events->text(r->arg, s, r->err));
}

static void on_document_type(void *arg, const xmlChar *name,
                             const xmlChar *external, const xmlChar *system)
{
    struct xml_reader *r = arg;

    (void)name, (void)external, (void)system;
    stop_on(r, refuse(r->err, HARMFUL,
                      "its XML declares a document type, which no program "
                      "that makes such files does"));
}

/* parse_result() asks for errors; libxml2 must not print them. */
static void on_error(void *arg, xmlErrorPtr error)
{
    (void)arg, (void)error;
}

static const xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                                      .internalSubset = on_document_type,
                                      .startElementNs = on_start,
                                      .endElementNs = on_end,
                                      .characters = on_text,
                                      .cdataBlock = on_text,
                                      .ignorableWhitespace = on_text,
                                      .serror = on_error};

static enum footnote_rc parse_result(const struct xml_reader *r,
                                     struct footnote_err *err)
{
    if (r->rc != FOOTNOTE_OK)
        return r->rc;
    if (r->ctxt->errNo == XML_ERR_NO_MEMORY)
        return err_set(err, FOOTNOTE_NOMEM, "no memory to read XML");
    if (!r->ctxt->wellFormed)
        return refuse(err, DAMAGED,
                      "its XML is broken at line %d: the file is damaged",
                      r->ctxt->input ? r->ctxt->input->line : 0);
    return FOOTNOTE_OK;
}

struct str xml_without_doctype(struct arena *a, struct str bytes)
{
    enum { HEAD_BYTES = 4096 };
    struct str head = {bytes.p, bytes.n < HEAD_BYTES ? bytes.n : HEAD_BYTES};
    const char *from = head.n ? memmem(head.p, head.n, "<!DOCTYPE", 9) : NULL;

    if (!from)
        return bytes;
    size_t at = (size_t)(from - head.p), n = str_find(str_skip(head, at), '>');
    if (at + n >= head.n || memchr(from, '[', n))
        return bytes;
    char *copy = arena_raw(a, bytes.n + 1);
    if (!copy)
        return STR("");
    memcpy(copy, bytes.p, bytes.n);
    memset(copy + at, ' ', n + 1);
    return (struct str){copy, bytes.n};
}

enum footnote_rc xml_read(struct str bytes, const struct xml_events *events,
                          void *arg, struct footnote_err *err)
{
    struct xml_reader r = {.events = events, .arg = arg, .err = err};

    assert(events->start);
    xml_init();
    if (bytes.n == 0 || bytes.n > INT_MAX)
        return refuse(err, DAMAGED, "its XML is empty");
    TRY(markup_check(bytes, MARKUP_XML, err));
    r.ctxt = xmlCreateMemoryParserCtxt(bytes.p, (int)bytes.n);
    if (!r.ctxt)
        return err_set(err, FOOTNOTE_NOMEM, "no memory to read XML");
    *r.ctxt->sax = handler;
    r.ctxt->userData = &r;
    xmlCtxtUseOptions(r.ctxt, XML_PARSE_NONET);
    xmlParseDocument(r.ctxt);
    enum footnote_rc rc = parse_result(&r, err);
    xmlFreeParserCtxt(r.ctxt);
    return rc;
}
