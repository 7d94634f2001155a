// upload.js - documents on their way to the server, with progress.
//
// fetch() cannot say how much of a body was sent, so a browser that wants to
// know uses XMLHttpRequest; everything else goes through fetch().
import { errorOf, FootnoteError } from './error.js';

const isFile = (body) => typeof Blob !== 'undefined' && body.file instanceof Blob;

function formOf({ file, filename, media, ...fields }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.append(name, String(value));
  if (media !== undefined) form.append('media', media);
  // Last, so that a server that reads as it comes knows what it gets.
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
    const over = (settle) => () => {
      signal?.removeEventListener('abort', abort);
      settle();
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers))
      xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    xhr.onload = over(() => resolve(responseOf(xhr)));
    xhr.onabort = over(() => reject(signal.reason));
    xhr.onerror = over(() => reject(new FootnoteError({ status: 0,
      code: 'unreachable', message: 'The server cannot be reached' })));
    signal?.addEventListener('abort', abort, { once: true });
    xhr.send(form);
  });
}

export async function sendDocument(link, method, path, body, options = {}) {
  const { signal, idempotencyKey, onProgress } = options;
  const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};

  signal?.throwIfAborted();
  if (!isFile(body))
    return link.jsonOf(await link.request(path, { method, signal,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body) }));
  const form = formOf(body);
  if (onProgress && link.plainFetch && typeof XMLHttpRequest !== 'undefined') {
    const response = await sendXhr(method, link.base + path,
      { ...await link.own(), ...headers }, form, { signal, onProgress });
    if (!response.ok) throw await errorOf(response);
    return link.jsonOf(response);
  }
  const answer = await link.jsonOf(
    await link.request(path, { method, signal, headers, body: form }));
  onProgress?.(body.file.size, body.file.size);
  return answer;
}
