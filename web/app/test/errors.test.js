// Every code that the server can answer with has words in every language.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FootnoteError } from '@footnote/client';
import { failureText } from '../src/add/upload_status.ts';
import { describeCode, describeError, isKnownCode } from '../src/data/describe_error.ts';
import { en } from '../src/i18n/en.ts';
import es from '../src/i18n/es.ts';
import { createLocale } from '../src/i18n/index.ts';

const root = new URL('../../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const all = (text, pattern) => [...text.matchAll(pattern)].map((m) => m[1]);

const sources = readdirSync(new URL('src', root), { recursive: true }).filter((f) => f.endsWith('.c'))
  .map((f) => read(`src/${f}`)).join('\n');

/** What calls answer, and why answers fail. */
const codes = new Set([
  ...all(sources, /\.code = STR\("(\w+)"\)/g),
  ...all(sources, /turn_fail\(t, "(\w+)"/g),
  ...all(sources, /t->failure = (?:t->failure \? t->failure : )?"(\w+)"/g),
  ...all(read('src/model/failure.c'), /\[FAILURE_\w+\] = \{"(\w+)",/g),
  ...all(read('include/footnote.h'), /X\(\w+, [345]\d\d, "(\w+)"/g),
  ...all(read('docs/api.md').match(/^An answer that failed [\s\S]*?\n\n/m)[0].replace('`failure`', ''), /`([a-z_]+)`/g),
  ...all(read('docs/api.md').match(/\| status \| codes \|[\s\S]*?\n\n/)[0], /`([a-z_]+)`/g),
]);

test('every code has words, and they are read from the sources', () => {
  for (const code of ['unsupported_type', 'no_memory', 'session_deleted', 'interrupted', 'model_refused', 'key_reused',
    'document_not_found'])
    assert.ok(codes.has(code), `${code} was not found`);
  assert.deepEqual([...codes].filter((code) => !isKnownCode(code)), []);
});

test('in both languages, and never the server’s own sentence', () => {
  for (const [language, words] of Object.entries({ en, es })) {
    const { t } = createLocale(language, words);
    for (const code of codes) {
      const { what, todo } = describeError(new FootnoteError({ status: 400, code, message: 'x: no' }), t);
      assert.ok(what.length > 5 && todo.length > 5 && what !== 'x: no', code);
      assert.deepEqual(describeCode(code, t).what.length > 5, true, code);
    }
  }
});

test('every reason why a document is not read has words in a language that is not the server’s', () => {
  const reasons = all(read('src/store/document/reason.h'), /X\(\w+, \w+, "(\w+)"\)/g);
  assert.ok(reasons.includes('password') && reasons.length > 30);
  assert.deepEqual(Object.keys(es.reasons).sort(), [...reasons].sort());
  assert.ok(Object.values(es.reasons).every((text) => text.length > 15 && /[.»]$/.test(text)));
});

test('a document that was not read says why in the reader’s language, else as the server does', () => {
  const locale = createLocale('es', es);
  const failed = (errorCode) => failureText({ errorCode, error: 'The file is empty.' }, locale);
  assert.equal(failed('empty'), 'El archivo está vacío.');
  assert.equal(failed('of_a_newer_server'), 'The file is empty.');
  assert.equal(failed(null), 'The file is empty.');
  assert.equal(failureText({ errorCode: 'empty', error: 'The file is empty.' }, createLocale('en', en)), 'The file is empty.');
});
