// upload.js - sends documents, with progress.
//
// fetch() cannot report how much of a body was sent, so uploads with progress
// use XMLHttpRequest where there is one.
import { errorOf, FootnoteError } from './error.js';

const isFile = (body) => body.file instanceof Blob;

function formOf({ file, filename, media, ...fields }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.append(name, String(value));
  if (media !== undefined) form.append('media', media);
  // Last: a server that reads the form as it arrives needs the fields first.
  form.append('file', file, filename ?? file.name ?? 'document');
  return form;
}

const responseOf = (xhr) => new Response(
  xhr.status === 204 ? null : xhr.responseText,
  { status: xhr.status, statusText: xhr.statusText,
    headers: new Headers(xhr.getAllResponseHeaders().trim().split(/[\r\n]+/)
      .filter(Boolean).map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      })) });

function sendXhr(method, url, headers, form, { signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    const finish = (action) => () => {
      signal?.removeEventListener('abort', abort);
      action();
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers))
      xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    xhr.onload = finish(() => resolve(responseOf(xhr)));
    xhr.onabort = finish(() => reject(signal.reason));
    xhr.onerror = finish(() => reject(new FootnoteError({ status: 0,
      code: 'unreachable', message: 'The server cannot be reached' })));
    signal?.addEventListener('abort', abort, { once: true });
    xhr.send(form);
  });
}

export async function sendDocument(connection, method, path, body, options = {}) {
  const { signal, idempotencyKey, onProgress } = options;
  const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};

  signal?.throwIfAborted();
  if (!isFile(body))
    return connection.jsonOf(await connection.request(path, { method, signal,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body) }));
  const form = formOf(body);
  if (onProgress && connection.plainFetch && typeof XMLHttpRequest !== 'undefined') {
    const response = await sendXhr(method, connection.base + path,
      { ...await connection.ownHeaders(), ...headers }, form, { signal, onProgress });
    if (!response.ok) throw await errorOf(response);
    return connection.jsonOf(response);
  }
  const answer = await connection.jsonOf(
    await connection.request(path, { method, signal, headers, body: form }));
  onProgress?.(body.file.size, body.file.size);
  return answer;
}
