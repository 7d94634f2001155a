// components.test.js - what the components put on a page, and what they say.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { createClient, labels, toSource } from '@footnote/client';

import { draw, h, until } from './page.js';

const { CitedMarkdown, References, SourceView } =
  await import('@footnote/react');

let pages = [];
afterEach(async () => {
  for (const page of pages) await page.leave();
  pages = [];
});
async function show(element) {
  const page = await draw(element);
  pages.push(page);
  return page;
}

const source = (n, more) => toSource({ chunkNumber: n, sourceType: 'slide',
  sourceId: `s${n}`, documentId: n < 3 ? 'd1' : 'd2', slideNumber: 10 + n,
  title: n < 3 ? 'Lecture 1' : 'Lecture 2', contentPreview: `Passage ${n}.`,
  cited: n !== 2, ...more });
const sources = [source(1), source(2), source(3)];
const fire = (node, type) => node.dispatchEvent(new window.MouseEvent(type,
  { bubbles: true, cancelable: true }));

test('an answer is drawn, grows and keeps its chips', async () => {
  const answer = (text, streaming, more) => h(CitedMarkdown,
    { text, streaming, sources: sources.map((s) => ({ ...s })), ...more });
  const page = await show(answer('Grows [1]. An', true));
  const box = page.box.firstChild;
  await until(() => box.querySelector('.fn-chip'));
  const chip = box.querySelector('.fn-chip');
  assert.equal(box.getAttribute('aria-busy'), 'true');
  assert.equal(chip.getAttribute('aria-label'), 'Reference 1: Lecture 1, slide 11');
  await page.redraw(answer('Grows [1]. And on [2].', false));
  await until(() => box.querySelectorAll('.fn-chip').length === 2);
  assert.equal(box.querySelector('.fn-chip'), chip);
  assert.equal(box.hasAttribute('aria-busy'), false);
  await page.redraw(answer('Grows [1].', false, { words: labels.es }));
  await until(() => /^Referencia 1/.test(
    box.querySelector('.fn-chip').getAttribute('aria-label')));
});

test('a chip tells when it is clicked, looked at and left', async () => {
  const told = [];
  const { box } = await show(h(CitedMarkdown, { text: 'Grows [1].', sources,
    onCite: (n) => told.push(`cite ${n}`),
    onPeek: (n, chip) => told.push(`peek ${n} ${chip?.tagName}`) }));
  await until(() => box.querySelector('.fn-chip'));
  const chip = box.querySelector('.fn-chip');
  fire(chip, 'pointerover');
  fire(chip, 'pointerout');
  chip.focus();
  chip.blur();
  assert.equal(fire(chip, 'click'), false, 'the address stays');
  fire(box.querySelector('p'), 'click');
  assert.deepEqual(told, ['peek 1 A', 'peek null undefined', 'peek 1 A',
    'peek null undefined', 'cite 1']);
});

test('the page may upgrade blocks', async () => {
  const { box } = await show(h(CitedMarkdown, { text: 'So $x$.', sources,
    onBlock: (element) => element.querySelectorAll('.fn-math').forEach((math) =>
      math.setAttribute('title', 'drawn')) }));
  await until(() => box.querySelector('.fn-math')?.title === 'drawn');
});

test('references are grouped, and what was only read is apart', async () => {
  const opened = [];
  const { box } = await show(h(References, { sources, active: 3,
    onOpen: (s) => opened.push(s.chunkNumber) }));
  assert.equal(box.querySelector('section').getAttribute('aria-label'), 'References');
  const titles = [...box.querySelectorAll('section > .fn-group > .fn-title')];
  assert.deepEqual(titles.map((t) => t.textContent),
    ['Slides Lecture 1', 'Slides Lecture 2']);
  assert.equal(box.querySelector('summary').textContent, 'Read but not cited (1)');
  assert.equal(box.querySelector('details #ref-2 q').textContent, 'Passage 2.');
  assert.equal(box.querySelector('[aria-current]').textContent, '3slide 13Passage 3.');
  fire(box.querySelector('#ref-1 button'), 'click');
  assert.deepEqual(opened, [1]);
});

test('an answer without sources has no references', async () => {
  const { box } = await show(h(References, { sources: [] }));
  assert.equal(box.innerHTML, '');
});

test('states are said, and what is gone has no door', async () => {
  const { box } = await show(h(SourceView, { source: source(1,
    { state: 'deleted', contentPreview: null }), words: labels.en }));
  assert.equal(box.querySelector('.fn-state').textContent, labels.en.states.deleted);
  assert.equal(box.querySelector('blockquote').textContent, labels.en.noPassage);
  assert.equal(box.querySelectorAll('a, img').length, 0);
});

test('a source is shown at its place', async () => {
  const client = createClient({ baseUrl: 'http://s' });
  const slide = await show(h(SourceView, { source: source(1), client }));
  assert.equal(slide.box.querySelector('img').getAttribute('src'),
    'http://s/api/documents/d1/pages/11.png');
  assert.deepEqual([...slide.box.querySelectorAll('a')].map((a) => a.href),
    ['http://s/api/documents/d1/download#page=11',
      'http://s/api/documents/d1/download']);
  const lecture = await show(h(SourceView, { client, source: toSource({
    chunkNumber: 1, sourceType: 'lecture', lectureId: 'l', startSeconds: 65,
    title: 'Week <b>1' }) }));
  assert.equal(lecture.box.querySelector('video').getAttribute('src'),
    'http://s/api/documents/l/media#t=65');
  assert.match(lecture.box.textContent, /Week <b>1 1:05/);
  const web = await show(h(SourceView, { source: toSource({ chunkNumber: 1,
    sourceType: 'web', url: 'javascript:alert(1)' }) }));
  assert.equal(web.box.querySelectorAll('a').length, 0);
});
