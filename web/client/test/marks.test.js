// marks.test.js - the marker grammar, on the cases that the server has too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { findMarks, settledLength } from '../src/index.js';

const cases = JSON.parse(readFileSync(
  new URL('../../../tests/cite/marks.json', import.meta.url), 'utf8'));

// The shown part alone has the markers that the whole text has there, and none
// of the whole text's is cut by its end.
function checkStream(text) {
  const whole = findMarks(text);
  let before = 0;
  for (let cut = 0; cut <= text.length; cut++) {
    const shown = settledLength(text.slice(0, cut));
    assert.ok(shown >= before && shown <= cut, `${shown} of ${cut} in ${text}`);
    if (shown > before) {
      assert.deepEqual(findMarks(text.slice(0, shown)),
        whole.filter((m) => m.end <= shown), `${shown} of ${text}`);
      assert.ok(!whole.some((m) => m.start < shown && m.end > shown));
    }
    before = shown;
  }
}

test('markers follow the case file', () => {
  assert.ok(cases.length >= 60);
  for (const { text, marks } of cases)
    assert.deepEqual(findMarks(text), marks, text);
});

test('the case file streams unit by unit', () => {
  for (const { text } of cases) checkStream(text);
});

const PIECES = ['[', ']', '[1]', '[2,3]', '[1-3]', '[^Page]', '[^P', '(x)',
  '(', ':', ' ', '  ', '    ', '\n', '\n\n', '`', '``', '```', '```', '\n```',
  '~~~', '\n~~~', '\\', '\\\\', '1', '12,', '-', '–', '【1】', '［２', '］',
  '，', 'a', 'é', '😀', 'word ', '\r', '[ref]', ';', '```\n', '````', 'x`y',
  '\t', '【', ']:', ', p. ', '8:19', '§', '.', ', S.', 'с'];

test('random texts stream unit by unit', () => {
  let state = 38n;
  const random = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
    return Number(state >> 33n);
  };
  for (let i = 0; i < 4000; i++) {
    let text = '';
    for (let n = random() % 24; n > 0; n--) text += PIECES[random() % PIECES.length];
    checkStream(text);
  }
});

test('a stream holds back what may become a marker', () => {
  for (const [text, shown] of [
    ['Heat [', 'Heat '], ['Heat [1', 'Heat '], ['Heat [1, ', 'Heat '],
    ['Heat [^Pa', 'Heat '], ['Heat 【1', 'Heat '], ['Heat [1]', 'Heat '],
    ['Heat [1][', 'Heat '], ['Heat [1][2', 'Heat '],
    ['Heat [1][2]', 'Heat [1]'], ['`a[1]', '`a'], ['```a [1]', '```a '],
    ['Heat [1].', 'Heat [1].'], ['Heat [1](', 'Heat [1]('],
    ['Heat [1][r', 'Heat [1][r'], ['Heat 【1】', 'Heat 【1】'],
    ['Heat [see', 'Heat [see'], ['Heat \\[1', 'Heat \\[1'],
    ['`a[1]`', '`a'], ['`a[1]` ', '`a[1]` '], ['`a[i]', '`a[i]'],
    ['`a [1]\n\n', '`a [1]\n\n'], ['```\n[1', '```\n[1'], ['~~~ [1', '~~~ [1'],
    ['Heat [1, p', 'Heat '], ['Heat [1, p. 6', 'Heat '],
    ['Heat [1, 8:', 'Heat '], ['Heat [1, p. 6 f', 'Heat [1, p. 6 f'],
    ['Heat [1, see a', 'Heat [1, see a'], ['Heat \uD83D', 'Heat '],
  ]) assert.equal(text.slice(0, settledLength(text)), shown, text);
});

test('large texts take time in proportion', { timeout: 20_000 }, () => {
  for (const piece of ['[', '[1', '[1]', '`', '` `` ``` ```` ', '`\n', '```\n',
    '\n```a', '~~~\n', '\\', '   ', '[1, p. 1, 2, 3:4, ', '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,']) {
    const text = piece.repeat(Math.ceil(500_000 / piece.length));
    findMarks(text);
    assert.ok(settledLength(text) > text.length - 2304);
  }
});
