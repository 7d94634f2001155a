// sources.test.js - one answer in all its shapes, and what it is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  citedMessageOf, clock, conversationToMarkdown, clipboardOf, downloadOf, fold,
  hrefOf, kindOf, labels, linkTo, locatorOf, nameOf, newMessage, pageLabelOf, parseLink,
  parseReaderLink, pictureOf, readerOf, registryOf, sourcesOf, textOf, toHtml, toMarkdown, toPlainText, toSource,
} from '../src/index.js';
import { plain, rag, STREAMS } from './streams.js';

const live = STREAMS.plain.reduce(fold, newMessage());
const CONTENT = 'Cats sleep 13 hours [1] and kittens more [2].';

/** The same answer as the API gives it. */
const SOURCES = [1, 2].map((n) => ({ sourceId: `doc_d${n}_slide_${n}`,
  sourceType: 'slide', chunkNumber: n, contentPreview: `Passage ${n}.`,
  documentId: `d${n}`, slideNumber: n, lectureId: null, startSeconds: null,
  endSeconds: null, courseId: 'c1', title: `Lecture ${n}`, url: null,
  meta: null, score: null, state: 'live', cited: true,
  support: n === 1 ? 0.83 : null, spans: n === 1 ? [[20, 23]] : [[41, 44]] }));
const MESSAGE = { id: 'a-1', role: 'assistant', content: CONTENT,
  createdAt: '2026-02-26T20:15:00.123Z', status: 'complete', failure: null,
  lowConfidence: false, docRefs: [], digest: null, imageSource: null,
  model: 'extractive', sources: SOURCES };
const snake = (source) => Object.fromEntries(Object.entries(source).map(
  ([k, v]) => [k.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), v]));

test('a question says what it was limited to, live and stored', () => {
  const scope = { courseId: 'c', kinds: ['slides'] };
  const question = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Why?' }] };
  assert.deepEqual(citedMessageOf({ ...question, metadata: { scope } }).scope, scope);
  assert.deepEqual(citedMessageOf({ ...question, content: 'Why?', scope }).scope, scope);
  assert.ok(!('scope' in citedMessageOf(question)));
});

test('an answer has the same sources in every shape', () => {
  const want = sourcesOf(live);
  assert.equal(want.length, 2);
  assert.deepEqual(want[0].spans, [[20, 23]]);
  assert.equal(textOf(live), CONTENT);
  for (const shape of [
    plain(live),                                    // as=ui
    MESSAGE,                                        // messages
    { ...MESSAGE, sources: SOURCES.toReversed() },
    { role: 'assistant', content: CONTENT, citations: SOURCES }, // history
    { role: 'assistant', content: CONTENT, sources: SOURCES.map(snake) }, // rows
  ]) assert.deepEqual(sourcesOf(shape), want);
});

test('a message is the same live and from either history', () => {
  const want = citedMessageOf(live);
  assert.deepEqual(want, citedMessageOf(plain(live)));
  assert.deepEqual(want, citedMessageOf(MESSAGE));
  assert.deepEqual(want.timestamp, new Date('2026-02-26T20:15:00.123Z'));
  assert.deepEqual([want.status, want.lowConfidence, want.isStreaming],
    ['complete', false, false]);
});

test('until the server says it, the text says what is cited', () => {
  const chunks = STREAMS.plain.filter((c) => c.type !== 'data-citations');
  const sources = sourcesOf(chunks.reduce(fold, newMessage()));
  assert.deepEqual(sources.map((s) => [s.cited, s.spans, s.support]),
    [[true, [[20, 23]], null], [true, [[41, 44]], null]]);
  const half = sourcesOf(STREAMS.plain.slice(0, 8).reduce(fold, newMessage()));
  assert.deepEqual(half.map((s) => s.cited), [false, false]);
  const searches = sourcesOf(STREAMS.searches.slice(0, -4)
    .reduce(fold, newMessage()));
  assert.deepEqual(searches.map((s) => [s.chunkNumber, s.cited]),
    [[1, true], [2, false], [3, true]]);
});

test('[^Page] cites the picture', () => {
  const message = { role: 'assistant', content: 'See [^Page].', sources: [
    { sourceType: 'slide', chunkNumber: 1 },
    { sourceType: 'image', chunkNumber: 2, s3key: 'k' }] };
  assert.deepEqual(sourcesOf(message).map((s) => s.cited), [false, true]);
});

test('a malformed history is read as far as it can be', () => {
  for (const message of [{}, { parts: null }, { sources: 'x' }, { parts: [null,
    { type: 'data-rag-source' }, { type: 'data-rag-source', data: 7 },
    { type: 'data-rag-source', data: { chunk_number: 0 } },
    { type: 'data-citations', data: { cited: null } }, { type: 'text', text: 4 }] }])
    assert.deepEqual([sourcesOf(message), textOf(message)], [[], '']);
  assert.equal(citedMessageOf({ id: 'x', role: 'user', createdAt: 'soon' })
    .timestamp, null);
});

test('a registry knows numbers, cited and read, and documents', () => {
  const sources = [1, 2, 3, 4].map((n) => toSource({ ...rag(n).data,
    document_id: n % 2 ? 'd1' : 'd2', cited: n < 3 }));
  const registry = registryOf(sources);
  assert.deepEqual(registry.cited.map((s) => s.chunkNumber), [1, 2]);
  assert.deepEqual(registry.read.map((s) => s.chunkNumber), [3, 4]);
  assert.equal(registry.byNumber.get(3), sources[2]);
  assert.deepEqual(registry.groups.map((g) => [g.documentId,
    g.sources.map((s) => s.chunkNumber)]), [['d1', [1, 3]], ['d2', [2, 4]]]);
  assert.deepEqual(registry.resolve({ start: 0, end: 5, from: 2, to: 9 })
    .map((s) => s.chunkNumber), [2, 3, 4]);
});

// ---- Words and addresses ---------------------------------------------------

const source = (fields) => toSource({ chunkNumber: 1, ...fields });
const slide = source({ sourceType: 'slide', title: 'Lecture 4',
  documentId: 'd/4', slideNumber: 14 });
const lecture = source({ sourceType: 'lecture', title: 'Week 2',
  lectureId: 'l2', startSeconds: 125.4, endSeconds: 160.2 });
const journal = source({ sourceType: 'journal', title: 'On entropy',
  date: '2024-01-15', documentId: 'j1' });
const web = source({ sourceType: 'web', title: 'Page',
  url: 'https://www.example.org/a?b' });

test('places have names in both languages', () => {
  assert.deepEqual([0, 59.9, 125.4, 3725].map(clock),
    ['0:00', '0:59', '2:05', '1:02:05']);
  assert.equal(nameOf(slide), 'Lecture 4, slide 14');
  assert.equal(nameOf(slide, labels.es), 'Lecture 4, diapositiva 14');
  assert.equal(nameOf(lecture), 'Week 2, 2:05–2:40');
  assert.equal(nameOf(journal), 'On entropy, 2024-01-15');
  assert.equal(nameOf(web), 'Page, example.org');
  assert.equal(nameOf(source({ sourceType: 'text' })), 'Text');
  assert.equal(nameOf(source({ sourceType: 'hologram' })), 'Untitled');
  assert.equal(locatorOf(source({ sourceType: 'lecture', startSeconds: 5 })), '0:05');
  const text = (locator) => source({ sourceType: 'text', locator });
  assert.equal(locatorOf(text('Prices!B2:D9')), 'sheet Prices, B2:D9');
  assert.equal(locatorOf(text('A! B!C7'), labels.es), 'hoja A! B, C7');
  assert.equal(locatorOf(text('A2:C9'), labels.es), 'celdas A2:C9');
  assert.equal(locatorOf(text('lines 10–20'), labels.es), 'líneas 10–20');
  assert.equal(locatorOf(text('cell 7'), labels.es), 'celda 7');
  assert.equal(locatorOf(text('Why ice floats'), labels.es), 'Why ice floats');
  assert.equal(locatorOf(text(null)), '');
  assert.deepEqual(Object.keys(labels.es), Object.keys(labels.en));
});

test('an address leads to the place, or there is none', () => {
  assert.equal(hrefOf(slide), '/api/documents/d%2F4/download#page=14');
  assert.equal(hrefOf(slide, { baseUrl: 'https://f.org', version: 2 }),
    'https://f.org/api/documents/d%2F4/download?version=2#page=14');
  assert.equal(hrefOf(lecture), '/api/documents/l2/media#t=125,161');
  assert.equal(hrefOf(journal), '/api/documents/j1/download');
  assert.equal(hrefOf(web), 'https://www.example.org/a?b');
  assert.equal(downloadOf(slide), '/api/documents/d%2F4/download');
  const cited = { ...slide, documentVersion: 3 };
  assert.equal(downloadOf(cited), '/api/documents/d%2F4/download?version=3');
  assert.equal(readerOf(cited), '/d/d%2F4?version=3&page=14');
  assert.equal(readerOf(lecture), '/d/l2?t=125');
  assert.equal(readerOf(web), hrefOf(web));
  assert.deepEqual(parseReaderLink(readerOf(cited)),
    { documentId: 'd/4', version: 3, page: 14, seconds: null });
  assert.deepEqual(parseReaderLink('/d/x?version=0&page=-1&t=1e3'),
    { documentId: 'x', version: null, page: null, seconds: null });
  for (const none of ['/d/', '/d/a/b', '/c/s', '/'])
    assert.equal(parseReaderLink(none), null);
  assert.equal(downloadOf(cited, { version: null }), '/api/documents/d%2F4/download');
  assert.equal(pictureOf(slide), '/api/documents/d%2F4/pages/14.png');
  assert.equal(pictureOf(lecture), null);
  for (const state of ['deleted', 'redacted', 'withdrawn', 'external'])
    assert.equal(hrefOf({ ...slide, state }), null);
  assert.equal(hrefOf({ ...web, url: 'javascript:alert(1)' }), null);
  assert.equal(hrefOf(source({ sourceType: 'text' })), null);
});

test('a citation has an address, and it is read back', () => {
  const place = { sessionId: 'a/b ?#é', messageId: 'm 1', n: 3 };
  assert.equal(linkTo(place), '/c/a%2Fb%20%3F%23%C3%A9/m/m%201#ref-3');
  assert.deepEqual(parseLink(linkTo(place)), place);
  assert.deepEqual(parseLink('https://f.org/c/s1'), { sessionId: 's1' });
  assert.deepEqual(parseLink('/c/s1/m/m1#other'),
    { sessionId: 's1', messageId: 'm1' });
  for (const other of ['/', '/c/', '/d/s1', '/c/s1/x', '/c/s/m/m/z'])
    assert.equal(parseLink(other), null, other);
});

// ---- Taking it along -------------------------------------------------------

const options = { baseUrl: 'https://f.org' };

test('a copy carries its references', async () => {
  assert.equal(toMarkdown(MESSAGE, options),
    'Cats sleep 13 hours [^1] and kittens more [^2].\n\n' +
    '[^1]: Lecture 1, slide 1. “Passage 1.” ' +
    '<https://f.org/api/documents/d1/download#page=1>\n' +
    '[^2]: Lecture 2, slide 2. “Passage 2.” ' +
    '<https://f.org/api/documents/d2/download#page=2>\n');
  assert.equal(toPlainText(MESSAGE, { words: labels.es }),
    `${CONTENT}\n\nReferencias:\n[1] Lecture 1, diapositiva 1. “Passage 1.”\n` +
    '[2] Lecture 2, diapositiva 2. “Passage 2.”\n');
  assert.equal(toPlainText(MESSAGE, { references: false }),
    'Cats sleep 13 hours and kittens more.\n');
  assert.match(toHtml(MESSAGE, options), /hours \[1\] and kittens more\. \[2\]/);
  assert.match(toHtml(MESSAGE, options),
    /<p>\[2\] <a href="https:\/\/f\.org[^"]*#page=2">Lecture 2, slide 2<\/a>/);
  const items = clipboardOf(MESSAGE, options);
  assert.equal(items['text/html'].type, 'text/html');
  assert.match(await items['text/plain'].text(), /^Cats/);
});

test('a copy of an answer that has a place links to it', () => {
  const placed = { ...options, sessionId: 's' };
  const place = `https://f.org/c/s/m/${MESSAGE.id}#ref-2`;
  assert.match(toMarkdown(MESSAGE, placed), new RegExp(`<${place}>\\n$`));
  assert.match(toPlainText(MESSAGE, placed), new RegExp(`” ${place}\\n$`));
  assert.match(toHtml(MESSAGE, placed), new RegExp(`<a href="${place}">`));
  const web = { ...MESSAGE, sources: [{ chunkNumber: 2, sourceType: 'web',
    title: 'Cats', url: 'https://cats.example/' }] };
  assert.match(toPlainText(web, placed),
    new RegExp(`${place} https://cats.example/\\n$`));
});

test('only what was cited is a reference, and nothing in it is markup', () => {
  const message = { role: 'assistant', content: 'x [1]',
    sources: [{ chunkNumber: 1, sourceType: 'text', title: '*a* <b> [c](d)\n#',
      contentPreview: 'q\n\n# `r` _s_' }, { chunkNumber: 2, sourceType: 'text' }] };
  assert.equal(toMarkdown(message), 'x [^1]\n\n' +
    '[^1]: \\*a\\* \\<b\\> \\[c\\](d) \\#. “q \\# \\`r\\` \\_s\\_”\n');
  assert.match(toHtml(message), /\*a\* &lt;b&gt;/);
});

test('a conversation has footnotes of its own for each answer', () => {
  const question = { id: 'q', role: 'user', content: '# Why?\n\nTell [1].' };
  const text = conversationToMarkdown([question, MESSAGE, question, MESSAGE],
    { ...options, title: 'Cats_1' });
  assert.match(text, /^# Cats\\_1\n\n> # Why\?\n>\n> Tell \[1\]\.\n\nCats/);
  const used = [...text.matchAll(/\[\^([\d-]+)\](?!:)/g)].map((m) => m[1]);
  const defined = [...text.matchAll(/^\[\^([\d-]+)\]:/gm)].map((m) => m[1]);
  assert.deepEqual(used, ['2-1', '2-2', '4-1', '4-2']);
  assert.deepEqual(defined, used);
});

test('a paper has pages, slides have slides', () => {
  const paper = source({ sourceType: 'slide', slideNumber: 17, title: 'R', meta: { layout: 'tall' } });
  assert.equal(kindOf(paper), 'paper');
  assert.equal(nameOf(paper), 'R, page 17');
  assert.equal(nameOf({ ...paper, pageLabel: '11' }), 'R, page 11');
  assert.equal(locatorOf({ ...paper, pageLabel: 'xii' }, labels.es), 'página xii');
  assert.equal(nameOf({ ...paper, title: null }), 'Paper, page 17');
  for (const meta of [null, { layout: 'wide' }, { layout: ['tall'] }, { notes: true }])
    assert.equal(nameOf({ ...paper, meta }), 'R, slide 17');
  assert.equal(kindOf(source({ sourceType: 'text', meta: { layout: 'tall' } })), 'text');
  assert.equal(registryOf([paper]).groups[0].kind, 'paper');
  assert.equal(toSource({ ...paper, pageLabel: 'xii' }).pageLabel, 'xii');
  assert.ok(!('pageLabel' in toSource({ ...paper, pageLabel: 7 })));
});

test('pages are called as they are printed', () => {
  const document = { pageLabels: [
    { page: 1, style: null, prefix: 'Cover', first: 1 },
    { page: 2, style: 'i', prefix: '', first: 1 },
    { page: 16, style: '1', prefix: '', first: 1 },
    { page: 300, style: 'A', prefix: 'App. ', first: 26 },
    { page: 400, style: 'I', prefix: '', first: 4000 },
    { page: 500, style: 'a', prefix: '', first: 900 },
    { page: 600, style: null, prefix: '', first: 1 },
    { page: 700, style: '?', prefix: '', first: 1 },
  ] };
  const called = (n) => pageLabelOf(document, n);
  assert.deepEqual([1, 2, 5, 15, 16, 116].map(called), ['Cover', 'i', 'iv', 'xiv', '1', '101']);
  assert.deepEqual([300, 301, 302].map(called), ['App. Z', 'App. AA', 'App. BB']);
  assert.deepEqual([400, 500, 600, 700].map(called), ['4000', '900', null, '1']);
  assert.equal(pageLabelOf({ pageLabels: [{ page: 2, style: 'I', prefix: '', first: 3999 }] }, 2), 'MMMCMXCIX');
  assert.equal(pageLabelOf({ pageLabels: null }, 3), null);
  assert.equal(pageLabelOf({ pageLabels: [{ page: 9, style: '1', prefix: '', first: 1 }] }, 3), null);
});
