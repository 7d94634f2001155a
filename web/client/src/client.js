// client.js - the calls of the API, made from the table in calls.js.
import { CALLS } from './calls.js';
import { errorOf, FootnoteError } from './error.js';
import { chunksAcrossConnections } from './stream.js';
import { sendDocument } from './upload.js';

const RETRIES = 6;
const RETRY_MS = 400;

/** A path with its values in place.  "." and ".." are refused: fetch() would
 *  resolve them and ask for another path. */
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
    .flatMap(([key, value]) => [value].flat().map((one) => [key, one]))
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, String(value)]);
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

// ---- One request -----------------------------------------------------------

/** fetch() with our headers and our errors: resolves for 2xx only. */
function createRequester({ baseUrl = '', fetch: customFetch, headers } = {}) {
  const base = baseUrl.replace(/\/+$/, '');
  const ownHeaders = async () =>
    (typeof headers === 'function' ? await headers() : headers) ?? {};

  async function request(path, init = {}) {
    const fetch = customFetch ?? globalThis.fetch;
    const all = new Headers(await ownHeaders());
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
  return { base, ownHeaders, customFetch, request };
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

function createCall(request, [method, path, argument]) {
  const values = (path.match(/\{/g) ?? []).length;
  return async (...args) => {
    const value = argument ? args[values] : undefined;
    const options = args[values + (argument ? 1 : 0)];
    const where = pathOf(path, args);
    const response = await request(
      argument === 'query' ? withQuery(where, value) : where,
      initOf(method, argument === 'body' ? value ?? {} : undefined, options));
    return jsonOf(response);
  };
}

// ---- Calls that are not in the table ---------------------------------------

function otherCalls({ base, ownHeaders, customFetch, request }) {
  const json = async (path, method, body, options) =>
    jsonOf(await request(path, initOf(method, body, options)));
  const send = (method, template) => (id, body, options) => sendDocument(
    { base, ownHeaders, request, jsonOf, plainFetch: !customFetch },
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

// ---- Turns -----------------------------------------------------------------

/** crypto.randomUUID() is missing on pages without https. */
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
  const chunksOf = (id, response, { signal } = {}) =>
    chunksAcrossConnections(response, () => resumeChat(id, { signal }),
      { signal, ...retry });

  return { postChat, resumeChat, chunksOf };
}

export function createClient(options = {}) {
  const connection = createRequester(options);
  const retry = { retries: RETRIES, retryMs: RETRY_MS, ...options.retry };
  const calls = Object.fromEntries(Object.entries(CALLS).map(
    ([name, row]) => [name, createCall(connection.request, row)]));

  return Object.freeze({
    baseUrl: connection.base, fetch: connection.request, retry, ...calls,
    ...otherCalls(connection), ...chatCalls(connection.request, retry),
  });
}
