// readme.test.js - the example of the README, run as it is printed.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';

import ts from 'typescript';

import { draw, h, until } from './page.js';
import { Server } from './server.js';

const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const example = /```jsx example\n(.*?)```/s.exec(text)[1];

/** JSX is for bundlers; TypeScript takes it away. */
async function load(source) {
  const { outputText } = ts.transpileModule(source, { compilerOptions: {
    jsx: ts.JsxEmit.ReactJSX, target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext } });
  const file = new URL(`./example-${process.pid}.mjs`, import.meta.url);
  await writeFile(file, outputText);
  try {
    return await import(file);
  } finally {
    await rm(file);
  }
}

test('the example of the README asks, cites and opens a source', async () => {
  const server = new Server();
  globalThis.fetch = server.fetch;
  const { Chat } = await load(example);
  const { box, leave } = await draw(h(Chat, { sessionId: 's1', courseId: 'c' }));
  const input = box.querySelector('input');
  const type = Object.getOwnPropertyDescriptor(
    window.HTMLInputElement.prototype, 'value').set;
  type.call(input, 'Why?');
  input.dispatchEvent(new window.Event('input', { bubbles: true }));
  await until(() => input.value === 'Why?');
  box.querySelector('form').dispatchEvent(
    new window.Event('submit', { bubbles: true, cancelable: true }));
  await until(() => server.runs.has('s1'), 'asked');
  server.runs.get('s1').push({ type: 'start', messageId: 'a' },
    { type: 'data-rag-source', id: 'src-1', data: { source_type: 'slide',
      chunk_number: 1, source_id: 'x', document_id: 'd', slide_number: 4,
      title: 'Lecture', content_preview: 'It grows.' } },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'So [1].' },
    { type: 'text-end', id: 't' });
  server.end('s1');
  await until(() => box.querySelector('.fn-chip') &&
    box.querySelector('.fn-references #ref-1'), 'cited');
  box.querySelector('.fn-chip').click();
  await until(() => box.querySelector('article blockquote')?.textContent ===
    'It grows.', 'opened');
  assert.equal(box.querySelector('[role=alert]'), null);
  await leave();
});
