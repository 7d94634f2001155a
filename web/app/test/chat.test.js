// Parts of a conversation: versions, errors, examples, file names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FootnoteError } from '@footnote/client';
import { describeError } from '../src/data/describe_error.ts';
import { examplesOf } from '../src/chat/examples.ts';
import { fileNameOf } from '../src/chat/export.ts';
import { olderVersions, shownMessages, versionStep } from '../src/chat/older_versions.ts';
import { en } from '../src/i18n/en.ts';
import { createLocale } from '../src/i18n/index.ts';

const { t } = createLocale('en', en);
const answer = (id, replacedBy = null) => ({ id, role: 'assistant', replacedBy });

test('replaced answers belong to the newest one, oldest first', () => {
  const versions = olderVersions([{ id: 'q', role: 'user', replacedBy: 'q2' },
    answer('a', 'b'), answer('b', 'c'), answer('c'), answer('d')]);
  assert.deepEqual([...versions], [['c', ['a', 'b']]]);
});

test('answers that replace each other do not hang the page', () => {
  assert.ok(olderVersions([answer('a', 'b'), answer('b', 'a')]) instanceof Map);
});

test('an older version is shown in place of the newest, and back', () => {
  const versions = new Map([['c', ['a', 'b']]]);
  const messages = [{ id: 'q' }, { id: 'c' }];
  assert.deepEqual(shownMessages(messages, versions, {})[1], { message: { id: 'c' }, versions: 3, version: 3 });
  assert.deepEqual(versionStep('c', -1, versions, {}), { newest: 'c', version: 2, olderId: 'b' });

  const chosen = { c: { version: 2, message: { id: 'b' } } };
  assert.deepEqual(shownMessages(messages, versions, chosen)[1], { message: { id: 'b' }, versions: 3, version: 2 });
  assert.deepEqual(versionStep('b', -1, versions, chosen), { newest: 'c', version: 1, olderId: 'a' });
  assert.deepEqual(versionStep('b', 1, versions, chosen), { newest: 'c', version: 3, olderId: null });
});

test('errors are explained by their code', () => {
  const error = (fields) => describeError(new FootnoteError({ status: 0, message: 'internal', ...fields }), t);
  assert.equal(error({ code: 'unreachable' }).what, 'The server cannot be reached.');
  assert.deepEqual(error({ code: 'quota_exceeded', status: 429, retryAfter: 7 }),
    { what: 'Too many questions at once.', todo: 'Wait 7 s and try again.' });
  assert.equal(error({ code: 'rate_limited', status: 429 }).todo, 'Wait 10 s and try again.');
});

test('an unknown refusal is in the server’s words, a failure is not', () => {
  const error = (status) => describeError(new FootnoteError({ status, code: 'new', message: 'No such thing' }), t).what;
  assert.equal(error(422), 'No such thing');
  assert.equal(error(500), 'Something went wrong.');
  assert.equal(error(0), 'Something went wrong.');
  assert.equal(describeError(new TypeError('x is not a function'), t).what, 'Something went wrong.');
});

test('examples are about documents that can be searched', () => {
  const document = (title, searchableVersion = 1) => ({ title, kind: 'page', searchableVersion });
  const list = examplesOf('c', [document('Heat'), document(null), document('Unread', null)], 'es');
  assert.deepEqual(list, [{ text: '¿Qué dice «Heat»?', kinds: ['web'] }]);
  assert.equal(examplesOf('c', Array.from({ length: 9 }, (_, i) => document(`${i}`)), 'en').length, 4);
  assert.equal(examplesOf('demo', [], 'en').length, 4);
});

test('file names have letters and digits of any script', () => {
  assert.equal(fileNameOf('Why does ice melt?'), 'Why-does-ice-melt.md');
  assert.equal(fileNameOf('../エントロピー/../x'), 'エントロピー-x.md');
  assert.equal(fileNameOf('???'), 'footnote.md');
  assert.equal(fileNameOf('a'.repeat(200)).length, 63);
});
