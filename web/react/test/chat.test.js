// chat.test.js - useCitedChat over the AI SDK of the version in SDK.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { createClient } from '@footnote/client';

import { draw, h, until } from './page.js';
import { Server } from './server.js';

const { StrictMode } = await import('react');
const { useCitedChat } = await import('@footnote/react');

const source = (n) => ({ type: 'data-rag-source', id: `src-${n}`, data: {
  source_id: `doc_d_slide_${n}`, source_type: 'slide', chunk_number: n,
  content_preview: `Passage ${n}.`, document_id: 'd', slide_number: n,
  title: 'Lecture' } });
const START = (id) => [{ type: 'start', messageId: id }, { type: 'start-step' }];
const TEXT = (...deltas) => deltas.map((delta) =>
  ({ type: 'text-delta', id: 't', delta }));
const OPEN = { type: 'text-start', id: 't' };
const CLOSE = [{ type: 'text-end', id: 't' },
  { type: 'data-citations', id: 'citations', data: { low_confidence: false,
    cited: [{ chunk_number: 1, support: 0.5, spans: [[6, 9]] }] } },
  { type: 'finish-step' }];

let pages = [];
afterEach(async () => {
  for (const page of pages) await page.leave();
  pages = [];
});

/** A page with the hook; `chat()` is what it gives now. */
async function open(server, { strict = false, ...options } = {}) {
  let now;
  const client = createClient({ baseUrl: 'http://s', fetch: server.fetch,
    retry: { retries: 3, retryMs: 1 } });
  function Probe(props) {
    now = useCitedChat({ client, sessionId: 's1', throttle: 0, ...props });
    return null;
  }
  const probe = (props) => (strict ? h(StrictMode, null, h(Probe, props))
    : h(Probe, props));
  const page = await draw(probe(options));
  pages.push(page);
  return { chat: () => now,
    change: (more) => page.redraw(probe({ ...options, ...more })) };
}

const ready = (chat) => until(() => chat().status === 'ready', 'ready');
const streaming = (chat) => until(() => chat().status === 'streaming', 'streaming');

/** Asks, and lets the server answer up to where it is to be looked at. */
async function ask(server, chat, { question = 'Why?', id = 'a1',
  chunks = [source(1), source(2), OPEN, ...TEXT('Grows ', '[1].')] } = {}) {
  void chat().sendMessage(question);
  await until(() => server.runs.has('s1'), 'asked');
  server.runs.get('s1').push(...START(id), ...chunks);
  await streaming(chat);
}

async function answer(server, chat, options) {
  await ask(server, chat, options);
  server.runs.get('s1').push(...CLOSE);
  server.end('s1');
  await ready(chat);
}

/** All requests are answered and everything is drawn. */
const quiet = async (server, chat) => {
  await until(() => chat().messages.every((m) => m.role !== 'user' ||
    m.timestamp?.getUTCFullYear() === 2026 && m.timestamp.getUTCMonth() === 1),
  'settled');
};

test('a turn streams with its sources, and a reload shows the same', async () => {
  const server = new Server();
  const { chat } = await open(server, { courseId: 'c1' });
  await ready(chat);
  await ask(server, chat);

  const live = chat().messages.at(-1);
  assert.deepEqual([live.id, live.role, live.isStreaming, live.status],
    ['a1', 'assistant', true, 'streaming']);
  await until(() => chat().messages.at(-1).content === 'Grows [1].');
  assert.deepEqual(chat().messages.at(-1).sources.map((s) =>
    [s.chunkNumber, s.cited]), [[1, true], [2, false]]);

  server.runs.get('s1').push(...CLOSE);
  server.end('s1');
  await ready(chat);
  await quiet(server, chat);
  const before = structuredClone(chat().messages);
  assert.deepEqual(before.map((m) => [m.role, m.content, m.isStreaming]),
    [['user', 'Why?', false], ['assistant', 'Grows [1].', false]]);
  assert.equal(before[1].sources[0].support, 0.5);

  const again = await open(server);
  await ready(again.chat);
  assert.deepEqual(structuredClone(again.chat().messages), before);
  assert.deepEqual(again.chat().citations, chat().citations);
});

test('the body has the scope, the question alone, and its id', async () => {
  const server = new Server();
  const { chat } = await open(server, { courseId: 'c1', documentId: 'd1',
    model: 'm2' });
  await ready(chat);
  let sent;
  server.chat = ((chatOf) => (body, signal) => {
    sent = body;
    return chatOf.call(server, body, signal);
  })(server.chat);
  await answer(server, chat);
  await answer(server, chat, { question: 'And?', id: 'a2' });
  assert.deepEqual([sent.id, sent.courseId, sent.documentId, sent.model,
    sent.trigger, sent.messages.length, sent.messages[0].parts[0].text],
  ['s1', 'c1', 'd1', 'm2', 'submit-message', 1, 'And?']);
});

test('a page opened in the middle of an answer gets all of it', async () => {
  const server = new Server();
  const first = await open(server);
  await ready(first.chat);
  await ask(server, first.chat);

  const second = await open(server);
  await until(() => second.chat().messages.at(-1)?.content === 'Grows [1].');
  server.runs.get('s1').push(...TEXT(' More.'), ...CLOSE);
  server.end('s1');
  await ready(first.chat);
  await ready(second.chat);
  await quiet(server, first.chat);
  await quiet(server, second.chat);
  assert.deepEqual(structuredClone(second.chat().messages),
    structuredClone(first.chat().messages));
  assert.equal(second.chat().messages.length, 2);
});

test('a lost line is made again without anyone seeing it', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await ask(server, chat);
  server.cut('s1');
  await until(() => server.runs.get('s1').viewers.size > 0, 'back');
  assert.equal(chat().status, 'streaming');
  server.runs.get('s1').push(...TEXT(' On.'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  assert.equal(chat().messages.length, 2);
  assert.equal(chat().messages[1].content, 'Grows [1]. On.');
  assert.deepEqual(chat().messages[1].sources.map((s) => s.chunkNumber), [1, 2]);
});

test('an answer that ended while the line was lost is read from the store', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await ask(server, chat);
  const run = server.runs.get('s1');
  server.cut('s1');
  run.push(...TEXT(' Unseen.'), ...CLOSE);
  server.end('s1', 'interrupted');
  await ready(chat);
  await until(() => chat().messages[1].content === 'Grows [1]. Unseen.');
  assert.equal(chat().messages[1].status, 'interrupted');
  assert.equal(chat().error, null);
});

test('stop ends the turn on the server and keeps what there is', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await ask(server, chat);
  await chat().stop();
  await ready(chat);
  assert.ok(server.asked.includes('POST /api/chat/s1/stop'));
  assert.deepEqual(server.stopped, { messageId: chat().messages[1].id });
  assert.deepEqual([chat().messages[1].status, chat().messages[1].content],
    ['stopped', 'Grows [1].']);
});

test('nothing of a failed answer is left for the next', async () => {
  const server = new Server();
  const told = [];
  const { chat } = await open(server, { onError: (e) => told.push(e.message) });
  await ready(chat);
  // Before its first part: no empty message stays.
  void chat().sendMessage('One?');
  await until(() => server.runs.has('s1'));
  server.runs.get('s1').push({ type: 'start', messageId: 'a0' });
  server.fail('s1', 'The model is gone');
  await until(() => chat().status === 'error');
  assert.equal(chat().error.message, 'The model is gone');
  assert.deepEqual(chat().messages.map((m) => m.role), ['user']);
  // With sources and text: they stay with it, and do not go to the next one.
  await ask(server, chat, { question: 'Two?', id: 'a1',
    chunks: [source(1), source(2), OPEN, ...TEXT('Half [1]')] });
  assert.equal(chat().error, null);
  server.fail('s1', 'Again');
  await until(() => chat().status === 'error');
  const failed = chat().messages.at(-1);
  assert.deepEqual([failed.isStreaming, failed.content, failed.sources.length],
    [false, 'Half [1]', 2]);
  await answer(server, chat, { question: 'Three?', id: 'a2',
    chunks: [source(1), OPEN, ...TEXT('Grows [1].')] });
  assert.deepEqual(chat().messages.at(-1).sources.map((s) => s.chunkNumber), [1]);
  assert.equal(chat().error, null);
  assert.deepEqual(told, ['The model is gone', 'Again']);
});

test('a refused question says why, stays, and can be sent again', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  server.next = () => new Response(JSON.stringify({ error: 'Slow down',
    code: 'rate_limited', requestId: 'r1' }), { status: 429,
    headers: { 'retry-after': '3' } });
  await chat().sendMessage('Why?');
  await until(() => chat().status === 'error');
  assert.deepEqual([chat().error.code, chat().error.retryAfter,
    chat().error.requestId], ['rate_limited', 3, 'r1']);
  assert.deepEqual(chat().messages.map((m) => m.content), ['Why?']);
  void chat().regenerate();
  await until(() => server.runs.has('s1'));
  server.runs.get('s1').push(...START('a1'), source(1), OPEN,
    ...TEXT('Grows [1].'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  assert.deepEqual(chat().messages.map((m) => m.content), ['Why?', 'Grows [1].']);
  assert.equal(server.messages('s1').length, 2);
});

test('another session has nothing of the first', async () => {
  const server = new Server();
  const { chat, change } = await open(server);
  await ready(chat);
  await answer(server, chat);
  chat().openCitation('a1', 1);
  await until(() => chat().citation?.source.chunkNumber === 1);
  await change({ sessionId: 's2' });
  await ready(chat);
  assert.deepEqual([chat().messages, chat().citation], [[], null]);
  await change({ sessionId: 's1' });
  await ready(chat);
  await until(() => chat().messages.length === 2);
  assert.deepEqual(chat().messages[1].sources.map((s) => s.chunkNumber), [1, 2]);
});

test('regenerate and edit replace what followed', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await answer(server, chat);
  await quiet(server, chat);

  void chat().regenerate();
  await until(() => server.runs.has('s1'));
  assert.equal(server.asked.filter((a) => a === 'POST /api/chat').length, 2);
  server.runs.get('s1').push(...START('a2'), source(1), OPEN,
    ...TEXT('Anew [1].'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  await until(() => chat().messages.at(-1).id === 'a2');
  assert.deepEqual(chat().messages.map((m) => m.content), ['Why?', 'Anew [1].']);

  void chat().edit(chat().messages[0].id, 'How?');
  await until(() => server.runs.has('s1'));
  server.runs.get('s1').push(...START('a3'), OPEN, ...TEXT('So.'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  await quiet(server, chat);
  assert.deepEqual(chat().messages.map((m) => m.content), ['How?', 'So.']);
});

const stored = (id, role, text, more) => ({ id, role,
  parts: [{ type: 'text', text }],
  metadata: { createdAt: '2026-02-26T20:00:00Z', status: 'complete', ...more } });
/** Two versions of a question; the second is shown. */
function branched() {
  const server = new Server();
  const versions = ['q0', 'q1'];
  server.stored.set('s1', [stored('q1', 'user', 'How?', { versions }),
    stored('b1', 'assistant', 'So.')]);
  const left = [stored('q0', 'user', 'Why?', { versions }),
    stored('a1', 'assistant', 'Thus.'), stored('q2', 'user', 'And?'),
    stored('a2', 'assistant', 'Also.')];
  for (const { id } of left) server.left.set(`s1 ${id}`, left);
  return server;
}
const ids = (chat) => chat().messages.map(({ id }) => id).join(' ');
const count = (server, what) => server.asked.filter((a) => a === what).length;

test('stepping to a version shows what followed it', async () => {
  const server = branched();
  const { chat } = await open(server);
  await ready(chat);
  assert.equal(ids(chat), 'q1 b1');
  assert.deepEqual(chat().messages.map((m) => m.versions),
    [['q0', 'q1'], undefined]);
  await chat().showVersion('q0');
  await until(() => ids(chat) === 'q0 a1 q2 a2');
});

test('a link to a message of another branch opens it, and writes nothing', async () => {
  const server = branched();
  const { chat, change } = await open(server, { at: 'a1' });
  await until(() => ids(chat) === 'q0 a1 q2 a2');
  await ready(chat);
  assert.equal(count(server, 'GET /api/chat/s1/stream'), 0, 'it is not resumed');
  await chat().reload();
  assert.equal(ids(chat), 'q0 a1 q2 a2');
  await change({ at: 'b1' });
  await until(() => ids(chat) === 'q1 b1');
  await change({ at: 'nobody' });
  await ready(chat);
  assert.equal(ids(chat), 'q1 b1');
  assert.equal(count(server, 'PATCH /api/sessions/s1'), 0);
});

test('a question follows what is seen, and is not looked for again', async () => {
  const server = branched();
  const { chat } = await open(server, { at: 'a1' });
  await until(() => ids(chat) === 'q0 a1 q2 a2');
  await ready(chat);
  void chat().sendMessage('More?');
  await until(() => server.runs.has('s1'));
  assert.equal(server.body.parentId, 'a2');
  server.stored.set('s1', [...server.left.get('s1 a1'), ...server.stored.get('s1').slice(2)]);
  server.runs.get('s1').push(...START('c1'), OPEN, ...TEXT('Yes.'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  await quiet(server, chat);
  void chat().edit('q0', 'What?');
  await until(() => server.runs.has('s1'));
  server.runs.get('s1').push(...START('d1'), OPEN, ...TEXT('That.'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  await quiet(server, chat);
  assert.equal(ids(chat), 'q0 d1');
});

test('an answer goes on as a new message', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await ask(server, chat);
  await chat().stop();
  await ready(chat);
  void chat().continueAnswer();
  await until(() => server.runs.has('s1'));
  server.runs.get('s1').push(...START('a2'), source(3), OPEN,
    ...TEXT('And on [3].'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  await until(() => chat().messages.length === 3);
  assert.deepEqual(chat().messages.map((m) => [m.id.length > 2, m.content,
    m.sources?.map((s) => s.chunkNumber)]), [[true, 'Why?', undefined],
    [false, 'Grows [1].', [1, 2]], [false, 'And on [3].', [3]]]);
});

test('a history that cannot be read is an error that can be tried again', async () => {
  const server = new Server();
  server.next = () => new Response('', { status: 500 });
  const { chat } = await open(server);
  await until(() => chat().status === 'error');
  assert.equal(chat().error.status, 500);
  await chat().reload();
  await ready(chat);
  server.next = () => { throw new TypeError('fetch failed'); };
  await chat().reload();
  await until(() => chat().error?.code === 'unreachable');
  await until(() => {
    window.dispatchEvent(new window.Event('online'));
    return chat().status === 'ready';
  }, 'ready');
  chat().clearError();
  await until(() => chat().error === null);
});

test('citations, links and exports', async () => {
  const server = new Server();
  const finished = [];
  const { chat } = await open(server, { onFinish: (m) => finished.push(m) });
  await ready(chat);
  await answer(server, chat);
  await until(() => finished.length === 1, 'told');
  assert.deepEqual([finished[0].id, finished[0].sources.length], ['a1', 2]);
  const registry = chat().citationsOf('a1');
  assert.equal(chat().citationsOf('a1'), registry);
  assert.deepEqual([registry.cited.length, registry.read.length], [1, 1]);
  assert.deepEqual(chat().citationsOf('nobody').sources, []);
  assert.equal(chat().linkTo('a1', 1), '/c/s1/m/a1#ref-1');
  assert.match(chat().exportAs('markdown'), /> Why\?\n\nGrows \[\^2-1\]\./);
  assert.match(chat().exportAs('text', 'a1'), /\[1\] Lecture, slide 1/);
  chat().openCitation('a1', 9);
  assert.equal(chat().citation, null);
});

test('a session that was just made asks for nothing', async () => {
  const server = new Server();
  const { chat } = await open(server, { load: false });
  await ready(chat);
  assert.deepEqual(server.asked, []);
});

test('messages that stand keep their identity while another streams', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await answer(server, chat);
  await quiet(server, chat);
  const [question, first] = chat().messages;
  await ask(server, chat, { question: 'And?', id: 'a2' });
  assert.equal(chat().messages[0], question);
  assert.equal(chat().messages[1], first);
  server.end('s1');
  await ready(chat);
});

test('a question while an answer is written disturbs nothing', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  await ask(server, chat);
  for (const act of [() => chat().sendMessage('Me!'), () => chat().regenerate(),
    () => chat().edit(chat().messages[0].id, 'x'), () => chat().continueAnswer()])
    await assert.rejects(act(), { code: 'turn_running', status: 409 });
  server.runs.get('s1').push(...CLOSE);
  server.end('s1');
  await ready(chat);
  assert.deepEqual(chat().messages.map((m) => m.content), ['Why?', 'Grows [1].']);
});

test('React may mount everything twice', async () => {
  const server = new Server();
  const first = await open(server, { strict: true });
  await ready(first.chat);
  await ask(server, first.chat);
  const second = await open(server, { strict: true });
  await until(() => second.chat().messages.at(-1)?.content === 'Grows [1].');
  server.runs.get('s1').push(...CLOSE);
  server.end('s1');
  await ready(first.chat);
  await ready(second.chat);
  await quiet(server, first.chat);
  await quiet(server, second.chat);
  assert.equal(second.chat().messages.length, 2);
  assert.deepEqual(structuredClone(second.chat().messages),
    structuredClone(first.chat().messages));
});

test('what was asked for before an edit does not undo it', async () => {
  const server = new Server();
  const { chat } = await open(server);
  await ready(chat);
  // The history of the first turn arrives when the second one runs.
  let late;
  const held = new Promise((resolve) => { late = resolve; });
  await ask(server, chat);
  server.runs.get('s1').push(...CLOSE);
  server.next = () => {
    const old = structuredClone(server.messages('s1'));
    return held.then(() => Response.json({ id: 's1', messages: old }));
  };
  server.end('s1');
  await ready(chat);
  await until(() => server.next === null, 'the history was asked for');
  void chat().edit(chat().messages[0].id, 'How?');
  await until(() => server.runs.has('s1'));
  late();
  server.runs.get('s1').push(...START('a2'), OPEN, ...TEXT('So.'), ...CLOSE);
  server.end('s1');
  await ready(chat);
  await quiet(server, chat);
  assert.deepEqual(chat().messages.map((m) => m.content), ['How?', 'So.']);
});
