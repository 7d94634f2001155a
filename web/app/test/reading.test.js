// How large a page is, which picture is sharp, which words are found, and how
// wide the pane may be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOnPage, foldedQuery, nextPageOf } from '../src/viewer/find_on_page.ts';
import { canZoom, pictureScale, zoomBy, zoomWithin } from '../src/viewer/zoom.ts';
import { paneMax, paneWidthIn, PANE_MIN } from '../src/cite/pane_width.ts';

const pageOf = (...lines) => ({
  text: '', width: 600, height: 800, passages: [],
  words: lines.flatMap((line, y) => line.split(' ').map((t, x) => ({ t, x: 60 * x, y: 20 * y, w: 50, h: 12 }))),
});

test('a page grows and shrinks in steps that end', () => {
  let zoom = 1;
  for (let i = 0; i < 20; i++) zoom = zoomBy(zoom, 1);
  assert.equal(zoom, 4);
  assert.ok(!canZoom(zoom, 1) && canZoom(zoom, -1));
  for (let i = 0; i < 20; i++) zoom = zoomBy(zoom, -1);
  assert.equal(zoom, 0.5);
  assert.equal(zoomBy(1.1, 1), 1.25);
  assert.deepEqual([0.1, 1.37, 9].map(zoomWithin), [0.5, 1.37, 4]);
});

test('the larger picture is taken when the smaller one would be stretched', () => {
  assert.equal(pictureScale(900, 595), 1);
  assert.equal(pictureScale(1100, 595), 2);
  assert.equal(pictureScale(5000, 0), 1);
});

test('words are found without case, over lines and within words', () => {
  const page = pageOf('The function Is.na', 'gives TRUE if');
  const find = (text) => findOnPage(page, foldedQuery(text));
  assert.deepEqual(find('is.na'), [[{ x: 120, y: 0, w: 50, h: 12 }]]);
  assert.deepEqual(find('  IS.NA   gives ').map((boxes) => boxes.map((b) => [b.x, b.y])), [[[120, 0], [0, 20]]]);
  const [[part]] = find('unct');
  assert.deepEqual([part.x, part.w], [60 + 50 / 8, 25]);
  assert.equal(find('i').length, 4);
  assert.deepEqual(find(''), []);
  assert.deepEqual(find('function TRUE'), []);
});

test('words that overlap are found once, and a ligature as its letters', () => {
  assert.equal(findOnPage(pageOf('aaaa'), 'aa').length, 2);
  assert.equal(findOnPage(pageOf('e\ufb03cient'), foldedQuery('EFFI')).length, 1);
});

test('the next page with the words, around the end', () => {
  assert.equal(nextPageOf([3, 7, 9], 7, 1), 9);
  assert.equal(nextPageOf([3, 7, 9], 9, 1), 3);
  assert.equal(nextPageOf([3, 7, 9], 5, -1), 3);
  assert.equal(nextPageOf([3, 7], 3, -1), 7);
  assert.equal(nextPageOf([7], 7, 1), null);
});

test('the pane leaves room for the rest, and keeps its own', () => {
  assert.equal(paneWidthIn(10, 1440), PANE_MIN);
  assert.equal(paneWidthIn(5000, 1440), paneMax(1440));
  assert.equal(paneMax(1440), 800);
  assert.equal(paneMax(1024), 640);
  assert.equal(paneMax(300), PANE_MIN);
  assert.equal(paneWidthIn(500.4, 1440), 500);
});
