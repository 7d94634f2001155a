// Which sentence supports a claim, and where its words are on a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimTextOf, excerptAround, supportingSentence } from '../src/cite/evidence.ts';
import { placeOnPage } from '../src/viewer/place_on_page.ts';

const PASSAGE = 'The river is cold. An engine between two temperatures has a best efficiency. Steam is optional.';

test('the claim is the sentence before the first marker', () => {
  const content = 'First one. Only temperatures matter [1][2]. More.';
  const at = content.indexOf('[2]');
  assert.equal(claimTextOf(content, { spans: [[at, at + 3]] }), 'Only temperatures matter');
  assert.equal(claimTextOf(content, { spans: [] }), '');
});

test('the sentence that shares most words with the claim supports it', () => {
  const { start, end } = supportingSentence(PASSAGE, 'The best efficiency of an ENGINE depends on temperatures');
  assert.equal(PASSAGE.slice(start, end), 'An engine between two temperatures has a best efficiency.');
});

test('nothing supports a claim with other words, and a lone sentence is not marked', () => {
  assert.equal(supportingSentence(PASSAGE, 'Otters hold hands'), null);
  assert.equal(supportingSentence(PASSAGE, ''), null);
  assert.equal(supportingSentence('An engine has an efficiency.', 'engine efficiency'), null);
});

test('an excerpt has the whole sentence and its surroundings', () => {
  assert.deepEqual(excerptAround('short', { start: 0, end: 5 }), { start: 0, end: 5 });
  const text = 'x'.repeat(1000);
  for (const sentence of [{ start: 500, end: 600 }, { start: 0, end: 0 }, { start: 900, end: 1000 }, { start: 100, end: 700 }]) {
    const { start, end } = excerptAround(text, sentence);
    assert.ok(start >= 0 && start <= sentence.start && end >= sentence.end && end <= 1000, JSON.stringify({ start, end }));
    assert.ok(end - start <= Math.max(280, 100 + sentence.end - sentence.start), `${end - start} characters`);
  }
});

test('an excerpt cuts no word', () => {
  const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
  for (let start = 0; start < 900; start += 7) {
    const at = text.indexOf('word', start);
    const part = excerptAround(text, { start: at, end: text.indexOf(' ', at + 60) });
    assert.match(text.slice(part.start, part.end), /^word\d+( word\d+)*$/);
    assert.ok(text[part.end] === undefined || text[part.end] === ' ', 'the last word is cut');
  }
});

/** A page with a word every 10 units, a new line after each "\n". */
function pageOf(text, passages = []) {
  const words = text.split('\n').flatMap((line, row) =>
    line.split(' ').map((t, column) => ({ t, x: column * 10, y: row * 20, w: 8, h: 10 })));
  return { text, width: 100, height: 100, words, passages };
}

test('a passage is one box for each line', () => {
  const page = pageOf('a title\nheat flows from warm\nto cold bodies');
  assert.deepEqual(placeOnPage(page, 'Heat flows, from WARM to cold bodies.'), [
    { t: 'heat', x: 0, y: 20, w: 38, h: 10 }, { t: 'to', x: 0, y: 40, w: 28, h: 10 },
  ]);
});

test('boxes that the server stored are used as they are', () => {
  const boxes = [{ x: 1, y: 2, w: 3, h: 4 }];
  assert.deepEqual(placeOnPage(pageOf('other words', [{ text: 'stored', boxes }]), 'stored'), boxes);
});

test('a passage of which less than half is there is not marked', () => {
  const page = pageOf('heat flows from warm\nto cold bodies');
  assert.deepEqual(placeOnPage(page, 'heat flows and many other words that are elsewhere'), []);
  assert.deepEqual(placeOnPage(page, ''), []);
});

test('punctuation after the last word belongs to the mark', () => {
  assert.equal(placeOnPage(pageOf('heat flows » away'), 'heat flows')[0].w, 28);
});
