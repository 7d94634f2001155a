// stream.test.js - events, chunks, and turns over a bad line.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createClient, fold, newMessage, readChat, readEvents } from '../src/index.js';
import { body, frame, plain, sse, streamed, STREAMS } from './streams.js';

const collect = async (iterable) => {
  const all = [];
  for await (const one of iterable) all.push(one);
  return all;
};
const events = (text, size) => collect(
  readEvents(new Response(body(text, { size }))));

test('events are read as the standard says, split anywhere', async () => {
  const text = '\uFEFF: hello\n\ndata: one\n\nevent: token\nid: 7\ndata:two\r\n' +
    'data: three\r\n\r\nid\ndata\n\ndata: é😀\rdata: x\r\revent: lost\n\n' +
    'unknown: y\nretry: 5\n\ndata: unfinished\n';
  const want = [
    { event: 'message', id: null, data: 'one' },
    { event: 'token', id: '7', data: 'two\nthree' },
    { event: 'message', id: '', data: '' },
    { event: 'message', id: '', data: 'é😀\nx' },
  ];
  for (const size of [1, 2, 3, 5, 1000])
    assert.deepEqual(await events(text, size), want, `pieces of ${size}`);
});

test('a body that stops inside of an event drops it', async () => {
  assert.deepEqual(await events('data: a\n\ndata: b\n', 100),
    [{ event: 'message', id: null, data: 'a' }]);
  assert.deepEqual(await events('', 100), []);
});

test('an endless event is refused', async () => {
  await assert.rejects(events('x'.repeat(9 * 1024 * 1024), 1024 * 1024),
    RangeError);
});

test('a turn is its chunks', async () => {
  for (const size of [1, 7, 4096])
    assert.deepEqual(await collect(readChat(streamed(STREAMS.plain, { size }))),
      STREAMS.plain);
});

test('what follows [DONE] still counts', async () => {
  const [first, ...rest] = STREAMS.plain;
  const response = new Response(body(frame(first) + 'data: [DONE]\n\n' + sse(rest)));
  assert.equal((await collect(readChat(response))).length, STREAMS.plain.length);
});

const failing = (response) => collect(readChat(response));

test('every way to fail has its code', async () => {
  const refused = new Response(JSON.stringify({ error: 'Session not found',
    code: 'session_not_found', requestId: 'r1' }), { status: 404 });
  await assert.rejects(failing(refused), { status: 404, requestId: 'r1',
    code: 'session_not_found', message: 'Session not found' });
  await assert.rejects(failing(new Response('<h1>Bad Gateway</h1>',
    { status: 502, statusText: 'Bad Gateway' })),
  { status: 502, code: 'http_502', message: 'The server answered 502 Bad Gateway' });
  await assert.rejects(failing(streamed([...STREAMS.plain.slice(0, 5),
    { type: 'error', errorText: 'The model is gone' }])),
  { code: 'stream', message: 'The model is gone' });
  await assert.rejects(failing(streamed(STREAMS.plain.slice(0, 5))),
    { code: 'cut' });
  await assert.rejects(failing(streamed(STREAMS.plain.slice(0, 5), { cut: true })),
    { code: 'cut' });
  await assert.rejects(failing(new Response('{"error":"x"}')), { code: 'cut' });
  await assert.rejects(failing(new Response('data: {oops\n\n')),
    { code: 'not_json' });
  await assert.rejects(failing(new Response('data: 7\n\n')), { code: 'not_json' });
});

test('an aborted reader throws the reason', async () => {
  const controller = new AbortController();
  const never = new Response(new ReadableStream({}));
  const reading = collect(readChat(never, { signal: controller.signal }));
  controller.abort(new Error('enough'));
  await assert.rejects(reading, { message: 'enough' });
});

// ---- A bad line ---------------------------------------------------------------

/** A server whose answers are given one by one. */
function scripted(...answers) {
  const asked = [];
  const fetch = async (url, init) => {
    asked.push(`${init.method} ${url}`);
    const answer = answers.shift();
    if (!answer) throw new TypeError('fetch failed');
    return answer();
  };
  return { asked, client: createClient({ baseUrl: 'http://s', fetch,
    retry: { retries: 3, retryMs: 1 } }) };
}

const folded = (chunks) => plain(chunks.reduce(fold, newMessage()));
const last = async (iterable) => (await collect(iterable)).at(-1);
const gone = () => new Response(null, { status: 204 });

/** The same turn with its deltas joined, as a replay may have it. */
function joined(chunks) {
  const out = [];
  for (const chunk of chunks) {
    const before = out.at(-1);
    if (chunk.type === 'text-delta' && before?.type === 'text-delta' &&
      chunk.id === before.id)
      out[out.length - 1] = { ...before, delta: before.delta + chunk.delta };
    else out.push(chunk);
  }
  return out;
}

test('a cut turn is taken up again wherever it was cut', async () => {
  for (const chunks of Object.values(STREAMS))
    for (let n = 1; n < chunks.length; n++) {
      const { client, asked } = scripted(
        () => streamed(chunks.slice(0, n), { cut: true, done: false }),
        () => streamed(joined(chunks)));
      assert.deepEqual(plain(await last(client.ask({ id: 's1', message: 'Why?' }))),
        folded(chunks), `cut behind ${n}`);
      // Cut behind the finish nothing is missing.
      assert.deepEqual(asked, ['POST http://s/api/chat',
        'GET http://s/api/chat/s1/stream'].slice(0, asked.length));
    }
});

test('a server that is down for a while is waited for', async () => {
  const chunks = STREAMS.plain;
  const { client, asked } = scripted(
    () => streamed(chunks.slice(0, 9), { cut: true, done: false }),
    () => { throw new TypeError('fetch failed'); },
    () => new Response('', { status: 503 }),
    () => streamed(chunks.slice(0, 11), { done: false }),
    () => streamed(chunks));
  assert.deepEqual(plain(await last(client.ask({ id: 's', message: 'Why?' }))),
    folded(chunks));
  assert.equal(asked.length, 5);
});

test('a turn that does not run any more ends as cut', async () => {
  const { client } = scripted(
    () => streamed(STREAMS.plain.slice(0, 9), { cut: true }), gone);
  await assert.rejects(collect(client.ask({ id: 's', message: '?' })),
    { code: 'cut' });
  const other = scripted(() => streamed(STREAMS.plain.slice(0, 9)));
  await assert.rejects(collect(other.client.ask({ id: 's', message: '?' })),
    { code: 'unreachable' });
});

test('an error of the turn itself is not tried again', async () => {
  const { client, asked } = scripted(() => streamed(
    [STREAMS.plain[0], { type: 'error', errorText: 'no' }]));
  await assert.rejects(collect(client.ask({ id: 's', message: '?' })),
    { code: 'stream' });
  assert.equal(asked.length, 1);
});

test('a running turn is followed from its start; none is null', async () => {
  const { client } = scripted(() => streamed(STREAMS.searches), gone);
  assert.deepEqual(plain(await last(client.follow('s'))),
    folded(STREAMS.searches));
  assert.deepEqual(await client.follow('s').next(), { done: true, value: null });
});
