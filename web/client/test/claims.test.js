// What an answer says before each marker.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimsOf } from '../src/claims.js';

/** The claims of source 1 in a text whose markers are [1] and [2]. */
function claims(content, n = 1) {
  const sources = [1, 2].map((number) => ({
    chunkNumber: number,
    spans: [...content.matchAll(new RegExp(`\\[${number}\\]`, 'g'))]
      .map((m) => [m.index, m.index + m[0].length]),
  }));
  return claimsOf(content, sources, sources[n - 1]);
}

test('a claim goes back to the marker before, or to the paragraph', () => {
  assert.deepEqual(claims('First. Only heat matters [1]. It flows [1].'),
    ['First. Only heat matters', '. It flows']);
  assert.deepEqual(claims('First one.\n\nOnly heat\nmatters. [1]'),
    ['Only heat\nmatters.']);
  assert.deepEqual(claims('Heat flows [1] and cools [2].', 2), ['and cools']);
  assert.deepEqual(claims('See Fig. 3 for it [1].'), ['See Fig. 3 for it']);
});

test('markers side by side have the same claim', () => {
  const content = 'So. Heat flows [1][2], [1].';
  assert.deepEqual(claims(content, 2), ['So. Heat flows']);
  assert.deepEqual(claims('Heat flows. [2] [1]'), ['Heat flows.']);
});

test('a claim is within its item, heading or cell', () => {
  assert.deepEqual(claims('List:\n- One [2]\n- Heat flows [1]'), ['- Heat flows']);
  assert.deepEqual(claims('List:\n2. Heat flows [1]'), ['2. Heat flows']);
  assert.deepEqual(claims('| a | Heat flows [1] |'), ['Heat flows']);
  assert.deepEqual(claims('# Title\n\nHeat flows [1]'), ['Heat flows']);
});

test('a link is its words', () => {
  assert.deepEqual(claims('By [the law](https://x.example/a_b) it flows [1]'),
    ['By the law it flows']);
});

test('a marker at the start stands for what follows', () => {
  assert.deepEqual(claims('[1] Heat flows. [2] Ice melts.\n\nMore.'), ['Heat flows.']);
  assert.deepEqual(claims('[1] Heat flows. [2] Ice melts.\n\nMore.', 2), ['Heat flows.']);
  assert.deepEqual(claims('[1]'), ['']);
});

test('a claim is not longer than a model would write', () => {
  const [claim] = claims(`${'word '.repeat(1000)}end [1]`);
  assert.ok(claim.length <= 1000 && claim.startsWith('word ') && claim.endsWith('end'));
});

test('a source that nothing cites has no claims', () => {
  assert.deepEqual(claims('Heat flows.'), []);
  assert.deepEqual(claimsOf('Heat [1]', [{}], {}), []);
});
