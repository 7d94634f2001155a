// Texts in every language, plurals, numbers and dates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../src/i18n/en.ts';
import es from '../src/i18n/es.ts';
import { createLocale } from '../src/i18n/index.ts';

const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

test('both languages have the same texts with the same placeholders', () => {
  assert.deepEqual(Object.keys(es).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en).filter((k) => k !== 'labels' && k !== 'reasons')) {
    const [a, b] = [en[key], es[key]].map((t) => (typeof t === 'string' ? t : t.other));
    assert.deepEqual(placeholders(b), placeholders(a), key);
  }
});

test('a text is filled in, and an unknown name stays visible', () => {
  const { t } = createLocale('en', en);
  assert.equal(t('removeText', { title: 'Heat' }).slice(0, 6), '“Heat”');
  assert.match(t('removeText', { other: 1 }), /\{title\}/);
});

test('a count picks the form of the language; zero has a form of its own', () => {
  const { n } = createLocale('en', en);
  assert.equal(n('answerReady', 0), 'Answer ready, no references');
  assert.equal(n('answerReady', 1), 'Answer ready, 1 reference');
  assert.equal(n('answerReady', 1200), 'Answer ready, 1,200 references');
  assert.equal(n('results', 0), '0 results');
});

test('a day without a time is that day in every time zone', () => {
  const { date } = createLocale('en', en);
  assert.equal(date('2026-02-17'), 'Feb 17, 2026');
  assert.equal(date('no date'), 'no date');
});

test('recent times are relative, older ones are dates', () => {
  const { ago, date } = createLocale('en', en);
  const before = (ms) => new Date(Date.now() - ms).toISOString();
  assert.equal(ago(before(5_000)), 'this minute');
  assert.equal(ago(before(3 * 60_000)), '3 minutes ago');
  assert.equal(ago(before(2 * 3_600_000)), '2 hours ago');
  assert.equal(ago(before(24 * 3_600_000)), 'yesterday');
  assert.equal(ago(before(30 * 86_400_000)), date(before(30 * 86_400_000)));
});
