// Which sentence a number belongs to, and which drawn words are whose.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairWords, wordsIn } from '../src/cite/words_of.ts';
import { markedIn, plainText } from '../src/data/verdict_text.ts';
import { sentenceAt, sentenceOf, verdictsOf, worstOf } from '../src/data/verdicts.ts';

const content = 'One bit costs heat [1] [2]. Otters sleep.[1] Untold [3]';
const said = (start, end, verdict, more) => ({ start, end, verdict, number: 1, ...more });
const message = {
  content, model: 'm',
  verdicts: [{ judge: 'text', carried: 1, of: 2, sentences: [said(0, 27, 'partly'), said(28, 41, 'contradicts')] }],
};
const source = { chunkNumber: 1, spans: [[19, 22], [41, 44]] };

test('a number belongs to the sentence that it stands in, or behind', () => {
  assert.equal(sentenceAt(message, 19).verdict, 'partly');
  assert.equal(sentenceOf(message, source, 1).verdict, 'contradicts');
  assert.equal(sentenceAt(message, content.indexOf('[3]')), null); // of a sentence that was not judged
  assert.equal(sentenceOf(message, source, 2), null);
  assert.equal(worstOf(message, source), 'contradicts');
  assert.equal(verdictsOf({ ...message, model: 'extractive' })?.of, undefined);
  assert.equal(verdictsOf({ ...message, verdicts: [{ judge: 'some-model', sentences: [] }] }), undefined);
});

test('what is missing is marked, else the whole sentence', () => {
  assert.deepEqual(markedIn(said(0, 9, 'partly', { missing: [[2, 4]] })), [[2, 4]]);
  assert.deepEqual(markedIn(said(0, 9, 'partly', { word: [5, 6] })), [[5, 6]]);
  assert.deepEqual(markedIn(said(0, 9, 'not_found', { missing: [] })), [[0, 9]]);
  assert.deepEqual(markedIn(said(0, 9, 'carried')), []);
  assert.equal(plainText('See **the** [paper](http://x) `x` [1, 2]. [^Page]'), 'See the paper x.');
});

test('words are found again in what was drawn', () => {
  const text = 'See [the paper](https://example.org/a/b) and $\\frac{a}{b}$, `x == NA`: **done** &amp; dusted, dusted';
  const drawn = wordsIn('See the paper example.org and x == NA done dusted dusted').map((w) => ({ text: w.text }));
  const words = wordsIn(text);
  const found = [...pairWords(words, drawn)].map((k, i) => (k < 0 ? null : `${words[i].text}/${drawn[k].text}`)).filter(Boolean);
  for (const word of ['See', 'paper', 'and', 'NA', 'done', 'dusted']) assert.ok(found.includes(`${word}/${word}`), word);
  assert.equal(pairWords(wordsIn('a b'), wordsIn('c d')).join(), '-1,-1');
  assert.equal(pairWords([], []).length, 0);
});

test('words of a hostile text are paired in time', () => {
  const words = wordsIn('a b '.repeat(20000));
  pairWords(words, wordsIn('c '.repeat(40000)));
  pairWords(words, wordsIn('b a a '.repeat(20000)));
});
