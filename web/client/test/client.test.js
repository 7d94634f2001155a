// client.test.js - the calls, against a server that says what it got.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';

import { createClient } from '../src/index.js';
import { CALLS } from '../src/calls.js';
import { readDocument, SCHEMAS, typesOf } from '../tools/types.mjs';

let server;
let client;
let answer;

before(async () => {
  server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const got = { method: request.method, url: request.url,
        headers: request.headers, body: Buffer.concat(parts).toString() };
      const { status = 200, body = JSON.stringify(got), headers = {} } =
        answer?.(got) ?? {};
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}/`,
    headers: async () => ({ authorization: 'Bearer fn_x' }) });
});
after(() => server.close());

test('a call is its row of the table', async () => {
  answer = null;
  const got = await client.listSessions({ courseId: 'a b', q: undefined, limit: 5 });
  assert.equal(`${got.method} ${got.url}`, 'GET /api/sessions?courseId=a+b&limit=5');
  assert.equal(got.headers.authorization, 'Bearer fn_x');
  assert.equal(got.headers['content-type'], undefined);

  const made = await client.createSession({ title: 'x' },
    { idempotencyKey: 'k1' });
  assert.deepEqual([made.method, made.url, made.body,
    made.headers['content-type'], made.headers['idempotency-key']],
  ['POST', '/api/sessions', '{"title":"x"}', 'application/json', 'k1']);

  const put = await client.putMember('c/1', '*', { role: 'reader' });
  assert.equal(`${put.method} ${put.url}`, 'PUT /api/courses/c%2F1/members/*');
  assert.equal((await client.getPage('d', 4)).url, '/api/documents/d/pages/4');
  assert.equal((await client.deleteCourse('c', { citations: 'redact' })).url,
    '/api/courses/c?citations=redact');
  assert.equal((await client.listUIMessages('s')).url,
    '/api/sessions/s/messages?as=ui');
  assert.equal((await client.sourcesByMessage(['m'])).body,
    '{"messageIds":["m"]}');
  assert.equal(await (await client.exportSession('s', 'bibtex')).text().then(
    (text) => JSON.parse(text).url), '/api/sessions/s/export?format=bibtex');
});

/** The rows of the server's table. */
async function routesOfServer() {
  const source = await readFile(
    new URL('../../../src/http/api.c', import.meta.url), 'utf8');
  return [...source.matchAll(
    /\{(GET|POST|PUT|PATCH|DELETE), "([^"]+)",[^}]*?"(\w+)"\}/gs)]
    .map(([, method, path, name]) => ({ method, path, name }));
}

test('the table has routes of the server under their names, and no other', async () => {
  const routes = await routesOfServer();
  assert.ok(routes.length > 50, `${routes.length} routes`);
  for (const [name, [method, path]] of Object.entries(CALLS)) {
    const route = routes.find((r) => r.name === name);
    assert.deepEqual({ method, path, name }, route, name);
  }
});

test('every other call asks for a route of the server', async () => {
  const routes = (await routesOfServer()).map(({ method, path }) =>
    new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`));
  const others = Object.keys(client).filter((name) => !Object.hasOwn(CALLS, name)
    && typeof client[name] === 'function' && !['fetch', 'chunksOf'].includes(name));
  assert.ok(others.length >= 9, `${others}`);
  for (const name of others) {
    let asked;
    answer = (got) => { asked = `${got.method} ${got.url}`; };
    if (name === 'postChat') await client.postChat({ id: 'x', message: 'Why?' });
    else await client[name]('x', { text: 'y' });
    assert.ok(routes.some((route) => route.test(asked)), `${name}: ${asked}`);
  }
});

test('an id that an address cannot carry is refused here', async () => {
  for (const id of ['', '.', '..'])
    await assert.rejects(client.getSession(id), { code: 'invalid_field' });
});

test('errors carry what the server said', async () => {
  answer = () => ({ status: 400, headers: { 'x-request-id': 'r9' },
    body: JSON.stringify({ error: 'role: is missing', code: 'invalid_field',
      where: '/messages/0/role', hint: 'user or assistant' }) });
  await assert.rejects(client.me(), { name: 'FootnoteError', status: 400,
    code: 'invalid_field', message: 'role: is missing', requestId: 'r9',
    where: '/messages/0/role', hint: 'user or assistant', retryAfter: null });
  answer = () => ({ status: 429, headers: { 'retry-after': '7' },
    body: '{"error":"Slow down","code":"rate_limited"}' });
  await assert.rejects(client.me(), { code: 'rate_limited', retryAfter: 7 });
  answer = () => ({ status: 404, body: JSON.stringify({ error: {
    message: 'No such model', type: 'invalid_request_error', code: null } }) });
  await assert.rejects(client.listModels(), { status: 404, code: 'http_404',
    message: 'No such model' });
  answer = () => ({ status: 200, body: '<html>' });
  await assert.rejects(client.me(), { code: 'not_json' });
  answer = () => ({ status: 204, body: '' });
  assert.equal(await client.deleteSession('s'), undefined);
});

test('no server is an error with a cause', async () => {
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1' });
  await assert.rejects(nobody.me(), (error) => error.code === 'unreachable' &&
    error.status === 0 && error.cause instanceof TypeError);
});

test('an aborted call throws the reason', async () => {
  const signal = AbortSignal.abort(new Error('left'));
  await assert.rejects(client.me({ signal }), { message: 'left' });
  await assert.rejects(client.createDocument('c', { file: new Blob(['x']) },
    { signal }), { message: 'left' });
});

test('a document is sent as a form, a text as JSON', async () => {
  answer = null;
  const sent = [];
  const form = await client.createDocument('c', { file: new Blob(['hello']),
    filename: 'a.md', title: 'A', date: undefined, media: 'https://e.org/m.mp4' },
  { onProgress: (n, all) => sent.push([n, all]) });
  assert.match(form.headers['content-type'], /^multipart\/form-data; boundary=/);
  assert.match(form.body, /name="title"\r\n\r\nA\r\n/);
  assert.match(form.body, /name="media"\r\n\r\nhttps:\/\/e\.org\/m\.mp4/);
  assert.match(form.body, /name="file"; filename="a\.md"/);
  assert.doesNotMatch(form.body, /name="date"/);
  assert.deepEqual(sent, [[5, 5]]);
  const text = await client.replaceDocument('d', { kind: 'text', title: 'T',
    text: 'x' });
  assert.deepEqual([text.method, text.url, text.body],
    ['PUT', '/api/documents/d', '{"kind":"text","title":"T","text":"x"}']);
});

test('a question is the only message that is sent', async () => {
  answer = null;
  const got = await (await client.postChat({ id: 's', message: 'Why?',
    courseId: 'c' })).json();
  const { messages, ...rest } = JSON.parse(got.body);
  assert.deepEqual(rest, { id: 's', courseId: 'c', trigger: 'submit-message' });
  assert.equal(messages.length, 1);
  assert.match(messages[0].id, /^[0-9a-f]{32}$/);
  assert.deepEqual(messages[0].parts, [{ type: 'text', text: 'Why?' }]);
});

test('schema.d.ts is what the server says', async () => {
  const made = typesOf(await readDocument(SCHEMAS));
  const kept = await readFile(new URL('../schema.d.ts', import.meta.url), 'utf8');
  assert.equal(kept, made, 'run: npm run schema -w client');
});

test('ExportFormat has each format of the server', async () => {
  const paths = JSON.parse(await readFile(new URL(
    '../../../src/http/ops/openapi/sessions.json', import.meta.url), 'utf8'));
  const { schema } = paths.exportSession.parameters
    .find(({ name }) => name === 'format');
  const types = await readFile(new URL('../index.d.ts', import.meta.url), 'utf8');
  const [, words] = /type ExportFormat =([^;]*);/.exec(types);
  assert.deepEqual(words.match(/\w+/g), schema.enum);
});
