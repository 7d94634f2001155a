// Shared state: stores, browser storage, uploads, the list of conversations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FootnoteError } from '@footnote/client';
import { kindOf, secondsLeft, statusText } from '../src/add/upload_status.ts';
import { loadDraft, loadItem, saveDraft, saveItem } from '../src/data/browser_storage.ts';
import { withFirstPage } from '../src/data/session_list.ts';
import { createStore } from '../src/data/store.ts';
import { inputsOf, progressOf } from '../src/data/upload.ts';
import { splitAtWords } from '../src/find/highlighted_text.tsx';
import { en } from '../src/i18n/en.ts';
import { createLocale } from '../src/i18n/index.ts';
import { byDay } from '../src/shell/by_day.ts';

test('a store tells its watchers about new values only', () => {
  const store = createStore(1);
  let calls = 0;
  const stop = store.watch(() => calls++);
  store.set(1);
  store.set((now) => now + 1);
  stop();
  store.set(5);
  assert.deepEqual([store.get(), calls], [5, 1]);
});

test('values live in localStorage, and in memory where it is forbidden', () => {
  const items = new Map();
  globalThis.localStorage = { getItem: (k) => items.get(k) ?? null,
    setItem: (k, v) => items.set(k, v), removeItem: (k) => items.delete(k) };
  saveDraft('s1', 'half a quest');
  assert.deepEqual([...items], [['footnote:draft:s1', 'half a quest']]);
  saveDraft('s1', '');
  assert.equal(items.size, 0);
  assert.equal(loadDraft('s1'), '');

  const forbidden = () => { throw new DOMException('forbidden', 'SecurityError'); };
  globalThis.localStorage = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
  saveItem('theme', 'dark');
  assert.equal(loadItem('theme'), 'dark');
  saveItem('theme', null);
  assert.equal(loadItem('theme'), null);
  delete globalThis.localStorage;
});

// ---- Uploads ----------------------------------------------------------------

const file = (name, type = '') => new File(['x'], name, { type });
const upload = (fields) => ({ key: 1, courseId: 'c', name: 'a.txt', input: { file: file('a.txt') }, phase: 'reading',
  sent: 0, total: 0, document: null, error: null, readingSince: 0, ...fields });
const reading = (done, total, unit = 'pages') => ({ document: { kind: 'text', progress: { done, total, unit } } });

test('a transcript and the recording of its name are one document', () => {
  const files = [file('Walk.vtt'), file('notes.md'), file('walk.MP4'), file('alone.wav'), file('talk.srt')];
  assert.deepEqual(inputsOf(files).map(({ filename, media }) => [filename, media?.name ?? null]),
    [['Walk.vtt', 'walk.MP4'], ['notes.md', null], ['alone.wav', null], ['talk.srt', null]]);
  assert.equal(inputsOf([file('a.vtt'), file('a', 'video/mp4')])[0].media.name, 'a');
});

test('progress is of the bytes first, then of what the server has read', () => {
  assert.equal(progressOf(upload({ phase: 'uploading' })), 0);
  assert.equal(progressOf(upload({ phase: 'uploading', sent: 1, total: 4 })), 0.25);
  assert.equal(progressOf(upload(reading(3, 4))), 0.75);
  assert.equal(progressOf(upload(reading(3, null))), 0);
  assert.equal(progressOf(upload({ phase: 'ready' })), 1);
});

test('the kind comes from the server, the form, or the name', () => {
  assert.equal(kindOf(upload({ name: 'a.pdf', document: { kind: 'text' } })), 'text');
  assert.equal(kindOf(upload({ name: 'x', input: { kind: 'page', url: 'x' } })), 'page');
  assert.deepEqual(['a.PDF', 'b.m4a', 'c.htm', 'd'].map((name) => kindOf(upload({ name }))),
    ['slides', 'lecture', 'page', 'text']);
});

test('the time left is estimated once there is something to go by', () => {
  const half = upload({ ...reading(5, 10), readingSince: 1000 });
  assert.equal(secondsLeft(half, 3000), null);
  assert.equal(secondsLeft(half, 21_000), 20);
  assert.equal(secondsLeft(upload({ ...reading(0, 10), readingSince: 1000 }), 21_000), null);
  assert.equal(secondsLeft({ ...half, phase: 'waiting' }, 21_000), null);
});

test('the status of an upload in words', () => {
  const locale = createLocale('en', en);
  const text = (fields, now) => statusText(upload(fields), locale, now);
  assert.equal(text({ phase: 'uploading' }), 'Uploaded · waiting to be read');
  assert.equal(text({ phase: 'uploading', sent: 1 << 20, total: 5 << 19 }), 'Uploading · 1 MB of 2.5 MB');
  assert.equal(text({ ...reading(5, 10), readingSince: 1 }, 20_001), 'Reading · page 5 of 10 · about 20 sec left');
  assert.equal(text({ ...reading(5, 10), readingSince: 1 }, 600_001), 'Reading · page 5 of 10 · about 10 min left');
  assert.equal(text(reading(60, 600, 'seconds')), 'Reading · 1 of 10 min');
  assert.equal(text(reading(60, 600, 'bytes')), 'Reading');
  assert.equal(text({}), 'Reading');
  assert.equal(text({ phase: 'ready', document: { pages: 1 } }), 'Ready · 1 page');
  assert.equal(text({ phase: 'failed', document: { error: 'It is encrypted.' } }), 'It is encrypted.');
  assert.equal(text({ phase: 'failed', error: new FootnoteError({ status: 403, code: 'forbidden', message: 'No.' }) }),
    'You may not do this.');
  assert.equal(text({ phase: 'failed' }), 'It could not be uploaded.');
});

// ---- Conversations ------------------------------------------------------------

const at = (minutes) => new Date(Date.UTC(2026, 0, 1) - minutes * 60_000).toISOString();
/** Sessions s1, s2, …: the higher the number, the older. */
const sessions = (from, to) => Array.from({ length: to - from + 1 }, (_, i) =>
  ({ id: `s${from + i}`, updatedAt: at(from + i) }));
const ids = ({ list }) => list.map((s) => s.id);

test('a new first page replaces the old one and keeps later pages', () => {
  const now = { state: 'ready', list: sessions(1, 70), cursor: 'after 70' };
  const page = { sessions: [{ id: 's60', updatedAt: at(0) }, ...sessions(1, 49)], nextCursor: 'after 49' };
  const next = withFirstPage(now, page);
  assert.equal(next.cursor, 'after 70');
  assert.deepEqual(ids(next).slice(0, 2), ['s60', 's1']);
  assert.equal(new Set(ids(next)).size, ids(next).length, 'one is there twice');
});

test('a list of one page is what the server says', () => {
  const now = { state: 'loading', list: sessions(1, 3), cursor: null };
  assert.deepEqual(withFirstPage(now, { sessions: sessions(2, 3), nextCursor: null }),
    { state: 'ready', list: sessions(2, 3), cursor: null });
});

test('conversations are grouped by local days', () => {
  const now = new Date(2026, 4, 10, 9, 30);
  const session = (id, ...date) => ({ id, updatedAt: new Date(...date).toISOString() });
  const groups = byDay([session('a', 2026, 4, 10, 0, 0), session('b', 2026, 4, 9, 23, 59), session('c', 2026, 4, 9, 0, 0),
    session('d', 2026, 4, 3), session('e', 2025, 1, 1)], now);
  assert.deepEqual(groups.map(([name, list]) => [name, list.map((s) => s.id).join('')]),
    [['today', 'a'], ['yesterday', 'bc'], ['thisWeek', 'd'], ['earlier', 'e']]);
});

test('search words are found in any case, and signs are only signs', () => {
  assert.deepEqual(splitAtWords('Heat and HEAT', ' heat '), ['', 'Heat', ' and ', 'HEAT', '']);
  assert.deepEqual(splitAtWords('a.b (c)', '. ('), ['a', '.', 'b ', '(', 'c)']);
  assert.deepEqual(splitAtWords('text', ' '), ['text']);
});
