// The part of a passage to quote, and the line at its edge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptAround } from '../src/cite/evidence.ts';
import { edgesOf } from '../src/viewer/edges.ts';

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

const line = (x, y, w = 100) => ({ x, y, w, h: 10 });

test('lines below each other have one edge, columns and paragraphs far away their own', () => {
  assert.deepEqual(edgesOf([line(50, 100), line(50, 114, 40), line(60, 128)]), [{ x: 43, y: 100, w: 2, h: 38 }]);
  assert.equal(edgesOf([line(50, 100), line(50, 114), line(200, 20), line(200, 34)]).length, 2);
  assert.equal(edgesOf([line(50, 100), line(50, 300)]).length, 2);
});

test('pieces of one line have one edge', () => {
  assert.deepEqual(edgesOf([line(50, 100, 20), line(85, 100, 20), line(50, 114)]), [{ x: 43, y: 100, w: 2, h: 24 }]);
  assert.deepEqual(edgesOf([]), []);
});
