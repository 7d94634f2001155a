// The library's address, selection and words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originText, sizeText } from '../src/library/facts.ts';
import { parseView, queryOf, sortedBy, urlOf } from '../src/library/query.ts';
import { allOf, extended, kept, NOTHING, toggled } from '../src/library/selection.ts';
import { en } from '../src/library/words/en.ts';
import { es } from '../src/library/words/es.ts';

const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

test('the library has the same texts in both languages, with the same placeholders', () => {
  assert.deepEqual(Object.keys(es).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    const [a, b] = [en[key], es[key]].map((t) => (typeof t === 'string' ? t : t.other));
    assert.deepEqual(placeholders(b), placeholders(a), key);
  }
});

test('a view is its address, and what an address has no word for is left out', () => {
  const url = '/library/thermo%2F4?q=on+heat&kind=slides&state=failed&cited=no&sort=name&order=last';
  assert.equal(urlOf(parseView(url)), url);
  assert.equal(parseView(url).courseId, 'thermo/4');
  assert.equal(urlOf(parseView('/library?kind=poem&sort=colour&x=1')), '/library');
  assert.equal(parseView('/library/%E0%A4%A').courseId, '%E0%A4%A');
  assert.deepEqual(queryOf(parseView('/library?q=%20&cited=yes')), { cited: 'yes', sort: 'changed' });
});

test('a head that is clicked again turns the order round', () => {
  const once = sortedBy(parseView('/library'), 'name');
  assert.deepEqual([once.sort, once.reversed], ['name', false]);
  assert.equal(sortedBy(once, 'name').reversed, true);
  assert.equal(sortedBy(sortedBy(once, 'name'), 'cited').reversed, false);
});

test('rows are selected one by one, by a range, all, and not when they are gone', () => {
  const shown = ['a', 'b', 'c', 'd'];
  const one = toggled(NOTHING, 'b');
  assert.deepEqual([...extended(one, 'd', shown).ids], ['b', 'c', 'd']);
  assert.deepEqual([...extended(one, 'a', shown).ids].sort(), ['a', 'b']);
  assert.deepEqual([...toggled(one, 'b').ids], []);
  assert.deepEqual([...extended(NOTHING, 'c', shown).ids], ['c']);
  assert.deepEqual([...kept(allOf(shown), ['c', 'x']).ids], ['c']);
  assert.equal(kept(one, shown), one);
});

test('sizes are short, and a file is named where its title is another', () => {
  const locale = { language: 'en', date: (d) => d };
  const words = { w: (key, { n }) => `${key} ${n}` };
  assert.deepEqual([null, 12, 34_400, 999_999, 1_500_000, 412_000_000].map((n) => sizeText(n, locale)),
    ['', '1 kB', '34 kB', '1,000 kB', '1.5 MB', '412 MB']);
  const d = { id: 'x', title: 'An Introduction', filename: 'docs/R-intro.pdf', kind: 'slides', version: 2, url: null, date: null };
  assert.equal(originText(d, 'Statistics', locale, words), 'R-intro.pdf · Statistics · version 2');
  assert.equal(originText({ ...d, title: null, version: 1 }, null, locale, words), '');
});
