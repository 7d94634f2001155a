// client.js - the calls of the API, made from the table in calls.js.
import { CALLS } from './calls.js';
import { errorOf, FootnoteError } from './error.js';
import { fold, newMessage } from './fold.js';
import { relay } from './stream.js';
import { sendDocument } from './upload.js';

const RETRIES = 6;
const RETRY_MS = 400;

/** A path with its values in place.  No server can see "." and "..": the
 *  address would mean another one. */
export function pathOf(template, values) {
  let next = 0;
  return template.replace(/\{\w+\}/g, () => {
    const value = String(values[next++] ?? '');
    if (value === '' || value === '.' || value === '..')
      throw new FootnoteError({ status: 0, code: 'invalid_field',
        message: `"${value}" cannot be an id` });
    return encodeURIComponent(value);
  });
}

export function withQuery(path, query) {
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, String(value)]);
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

// ---- One request ------------------------------------------------------------

/** fetch() with our headers and our errors: resolves for 2xx only. */
function requester({ baseUrl = '', fetch: given, headers } = {}) {
  const base = baseUrl.replace(/\/+$/, '');
  const own = async () =>
    (typeof headers === 'function' ? await headers() : headers) ?? {};

  async function request(path, init = {}) {
    const fetch = given ?? globalThis.fetch;
    const all = new Headers(await own());
    new Headers(init.headers).forEach((value, name) => all.set(name, value));
    let response;
    try {
      response = await fetch(base + path, { ...init, headers: all });
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw new FootnoteError({ status: 0, code: 'unreachable', cause,
        message: 'The server cannot be reached' });
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
  return { base, own, given, request };
}

async function jsonOf(response) {
  if (response.status === 204) return undefined;
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FootnoteError({ status: response.status, code: 'not_json', cause,
      message: 'The answer could not be read',
      requestId: response.headers.get('x-request-id') });
  }
}

export function initOf(method, body, { signal, idempotencyKey } = {}) {
  const headers = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  return { method, headers, signal,
    body: body === undefined ? undefined : JSON.stringify(body) };
}

function callOf(request, [method, path, takes]) {
  const values = (path.match(/\{/g) ?? []).length;
  return async (...args) => {
    const given = takes ? args[values] : undefined;
    const options = args[values + (takes ? 1 : 0)];
    const where = pathOf(path, args);
    const response = await request(
      takes === 'query' ? withQuery(where, given) : where,
      initOf(method, takes === 'body' ? given ?? {} : undefined, options));
    return jsonOf(response);
  };
}

// ---- Calls with a shape of their own --------------------------------------------

function otherCalls({ base, own, given, request }) {
  const json = async (path, method, body, options) =>
    jsonOf(await request(path, initOf(method, body, options)));
  const send = (method, template) => (id, body, options) => sendDocument(
    { base, own, request, jsonOf, plainFetch: !given },
    method, pathOf(template, [id]), body, options);

  return {
    listUIMessages: (id, query, options) => json(withQuery(
      pathOf('/api/sessions/{id}/messages', [id]), { ...query, as: 'ui' }),
    'GET', undefined, options),
    sourcesByMessage: (messageIds, options) =>
      json('/api/sources/by-message', 'POST', { messageIds }, options),
    exportSession: async (id, format, options) => (await request(
      withQuery(pathOf('/api/sessions/{id}/export', [id]), { format }),
      initOf('GET', undefined, options))).blob(),
    importSession: async (body, options) => jsonOf(await request(
      '/api/sessions/import', { ...initOf('POST', undefined, options), body,
        headers: { 'content-type': 'application/json' } })),
    createDocument: send('POST', '/api/courses/{id}/documents'),
    replaceDocument: send('PUT', '/api/documents/{id}'),
    createSnapshot: async (courseId, { image, ...place }, options) => {
      const path = pathOf('/api/courses/{id}/snapshots', [courseId]);
      if (!image) return json(path, 'POST', place, options);
      return jsonOf(await request(withQuery(path, place), {
        method: 'POST', body: image, signal: options?.signal,
        headers: { 'content-type': image.type || 'image/png' } }));
    },
  };
}

// ---- Turns ------------------------------------------------------------------------

/** crypto.randomUUID() is missing on pages without https; this is not. */
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)),
  (byte) => byte.toString(16).padStart(2, '0')).join('');

const messagesOf = (message) => (typeof message === 'string'
  ? [{ id: newId(), role: 'user', parts: [{ type: 'text', text: message }] }]
  : [message].flat());

function chatCalls(request, retry) {
  const postChat = (ask, options) => {
    const { message, trigger = 'submit-message', ...rest } = ask;
    return request('/api/chat', initOf('POST',
      { ...rest, trigger, messages: messagesOf(message) }, options));
  };
  const resumeChat = async (id, options) => {
    const response = await request(pathOf('/api/chat/{id}/stream', [id]),
      initOf('GET', undefined, options));
    return response.status === 204 ? null : response;
  };
  const chunksOf = (id, response, { signal } = {}) => relay(response,
    () => resumeChat(id, { signal }), { signal, ...retry });

  async function* grow(id, response, options) {
    let message = newMessage();
    for await (const chunk of chunksOf(id, response, options))
      yield message = fold(message, chunk);
    return message;
  }
  return {
    postChat, resumeChat, chunksOf,
    ask: async function* (ask, options) {
      return yield* grow(ask.id, await postChat(ask, options), options);
    },
    follow: async function* (id, options) {
      const response = await resumeChat(id, options);
      return response ? yield* grow(id, response, options) : null;
    },
  };
}

export function createClient(options = {}) {
  const link = requester(options);
  const retry = { retries: RETRIES, retryMs: RETRY_MS, ...options.retry };
  const calls = Object.fromEntries(Object.entries(CALLS).map(
    ([name, row]) => [name, callOf(link.request, row)]));

  return Object.freeze({ baseUrl: link.base, fetch: link.request, ...calls,
    ...otherCalls(link), ...chatCalls(link.request, retry) });
}
