// Parts of a conversation: versions, errors, examples, file names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FootnoteError } from '@footnote/client';
import { describeError } from '../src/data/describe_error.ts';
import { examplesOf } from '../src/chat/examples.ts';
import { fileNameOf } from '../src/chat/save.ts';
import { versionBeside } from '../src/chat/version_beside.ts';
import { en } from '../src/i18n/en.ts';
import { createLocale } from '../src/i18n/index.ts';

const { t } = createLocale('en', en);

test('steps go through the versions of this message and end at both ends', () => {
  const message = { id: 'b', versions: ['a', 'b', 'c'] };
  assert.deepEqual([versionBeside(message, -1), versionBeside(message, 1)], ['a', 'c']);
  assert.equal(versionBeside({ ...message, id: 'c' }, 1), null);
  assert.equal(versionBeside({ ...message, id: 'a' }, -1), null);
  assert.equal(versionBeside({ id: 'b' }, 1), null);
  assert.equal(versionBeside({ id: 'x', versions: ['a', 'b'] }, -1), null, 'it is none of them');
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
