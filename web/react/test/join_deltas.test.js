// join.test.js - fewer pieces, the same text, nothing out of order.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { joinDeltas } from '../src/join_deltas.js';

const NEVER_MS = 60_000;
const text = (delta, more) => ({ type: 'text-delta', id: 't', delta, ...more });
const OTHER = { type: 'data-rag-source', id: 'src-1' };

/** An iterator of what was pushed; `left` when nobody wants more. */
function source() {
  const steps = [];
  const waiting = [];
  const give = (step) => {
    if (waiting.length) waiting.shift()(step);
    else steps.push(step);
  };
  return {
    left: false,
    push: (...chunks) => chunks.forEach((value) => give({ done: false, value })),
    end: () => give({ done: true }),
    fail: (error) => give(Promise.reject(error)),
    next: () => (steps.length ? Promise.resolve(steps.shift())
      : new Promise((go) => { waiting.push(go); })),
    return() {
      this.left = true;
      return Promise.resolve({ done: true });
    },
  };
}

async function all(chunks) {
  const got = [];
  for await (const chunk of chunks) got.push(chunk.delta ?? chunk.type);
  return got;
}

test('the first piece goes at once, the next ones together', async () => {
  const from = source();
  const chunks = joinDeltas(from, NEVER_MS);
  from.push(text('a'));
  assert.equal((await chunks.next()).value.delta, 'a');
  from.push(text('b'), text('c'), text('d'), OTHER, text('e'));
  from.end();
  assert.deepEqual(await all(chunks), ['bcd', 'data-rag-source', 'e']);
  assert.ok(from.left);
});

test('text that has waited long enough goes without more', async () => {
  const from = source();
  const chunks = joinDeltas(from, 5);
  from.push(text('a'), text('b'), text('c'));
  assert.equal((await chunks.next()).value.delta, 'a');
  assert.equal((await chunks.next()).value.delta, 'bc');
});

test('pieces of different texts, or with more to say, stay apart', async () => {
  const from = source();
  from.push(text('a'), text('b'), { ...text('c'), id: 'u' },
    { ...text('d'), type: 'reasoning-delta', id: 'u' },
    text('e'), text('f', { providerMetadata: {} }));
  from.end();
  assert.deepEqual(await all(joinDeltas(from, NEVER_MS)),
    ['a', 'b', 'c', 'd', 'e', 'f']);
});

test('what came before a failure is not lost', async () => {
  const from = source();
  const chunks = joinDeltas(from, NEVER_MS);
  from.push(text('a'), text('b'), text('c'));
  from.fail(new Error('cut'));
  assert.equal((await chunks.next()).value.delta, 'a');
  assert.equal((await chunks.next()).value.delta, 'bc');
  await assert.rejects(chunks.next(), /cut/);
  assert.ok(from.left);
});

test('without a throttle every piece is one', async () => {
  const from = source();
  from.push(text('a'), text('b'));
  from.end();
  assert.deepEqual(await all(joinDeltas(from, 0)), ['a', 'b']);
});
