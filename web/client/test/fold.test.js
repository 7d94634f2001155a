// fold.test.js - chunks into a message, held against the AI SDK itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fold, newMessage } from '../src/index.js';
import { plain, STREAMS } from './streams.js';

/** All states of a message on its way. */
function foldAll(chunks) {
  const states = [];
  let message = newMessage();
  for (const chunk of chunks) states.push(message = fold(message, chunk));
  return states;
}

async function sdkStates(ai, chunks) {
  const stream = new ReadableStream({ start(controller) {
    for (const chunk of chunks) controller.enqueue(chunk);
    controller.close();
  } });
  const states = [];
  for await (const message of ai.readUIMessageStream({ stream,
    terminateOnError: true })) states.push(plain(message));
  return states;
}

/** What versions before 7 do not keep. */
function older(message, version) {
  if (version >= 7) return message;
  for (const part of message.parts)
    if (part.type === 'reasoning') delete part.id;
  return message;
}

for (const version of [5, 6, 7]) {
  test(`the AI SDK ${version} makes the same messages`, async () => {
    const ai = await import(`ai${version}`);
    for (const [name, chunks] of Object.entries(STREAMS)) {
      const ours = foldAll(chunks).map((m) => older(plain(m), version));
      const theirs = (await sdkStates(ai, chunks)).map((m) => older(m, version));
      assert.deepEqual(ours.at(-1), theirs.at(-1), name);
      // Every state that they show is one of ours, in the same order.
      let at = 0;
      for (const state of theirs) {
        const found = ours.findIndex((own, i) => i >= at &&
          JSON.stringify(sorted(own)) === JSON.stringify(sorted(state)));
        assert.ok(found >= 0, `${name}: ${JSON.stringify(state)}`);
        at = found;
      }
    }
  });
}

const sorted = (value) => (Array.isArray(value) ? value.map(sorted)
  : value && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) =>
      (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)])) : value);

test('new in 7: citations of a text, and a step taken back', async () => {
  const ai = await import('ai7');
  const chunks = [{ type: 'start', messageId: 'a' }, { type: 'start-step' },
    { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'x' },
    { type: 'reset-step' }, { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'y' },
    { type: 'text-end', id: 't', citations: [{ source: { type: 'source',
      sourceType: 'url', id: 's', url: 'https://e.org' }, startIndex: 0,
    endIndex: 1 }] }, { type: 'finish' }];
  assert.deepEqual(plain(foldAll(chunks).at(-1)),
    (await sdkStates(ai, chunks)).at(-1));
});

test('a message is never changed in place, and parts that stand are kept', () => {
  const states = foldAll(STREAMS.plain);
  const copies = foldAll(STREAMS.plain).map(plain);
  states.forEach((state, i) => assert.deepEqual(plain(state), copies[i]));
  const [before, after] = [states.at(8), states.at(9)];
  assert.equal(before.parts[1], after.parts[1]);
});

test('what the SDK refuses is refused', () => {
  const open = fold(newMessage(), { type: 'start', messageId: 'a' });
  for (const chunk of [{ type: 'text-delta', id: 't', delta: 'x' },
    { type: 'text-end', id: 't' }, { type: 'reasoning-delta', id: 't', delta: '' },
    { type: 'tool-output-available', toolCallId: 'c', output: 1 },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '' }])
    assert.throws(() => fold(open, chunk), { name: 'FootnoteError',
      code: 'stream' }, chunk.type);
});

test('unknown chunks and hostile metadata change nothing', () => {
  const message = fold(newMessage('a'), { type: 'start', messageMetadata:
    JSON.parse('{"a":1,"__proto__":{"polluted":true}}') });
  const next = fold(message, { type: 'message-metadata', messageMetadata:
    JSON.parse('{"__proto__":{"polluted":true},"b":{"constructor":1}}') });
  assert.equal(next.metadata.polluted, undefined);
  assert.equal({}.polluted, undefined);
  assert.equal(fold(message, { type: 'surprise' }), message);
  assert.equal(fold(message, { type: 'constructor' }), message);
});
