// links.js - addresses: of a source at its place, and of a citation.
import { hostOf } from './labels.js';

/** States of sources whose document nobody can open. */
const NOT_OPENABLE = new Set(['deleted', 'redacted', 'withdrawn', 'external']);

const idOf = (source) => source.documentId ?? source.lectureId;
const canOpen = (source) => idOf(source) !== null && !NOT_OPENABLE.has(source.state);

function documentUrl(source, path, options = {}) {
  const { baseUrl = '', version = source.documentVersion } = options;
  const query = version === null ? '' : `?version=${version}`;
  return `${baseUrl}/api/documents/${encodeURIComponent(idOf(source))}` +
    `${path}${query}`;
}

/** #t=125,160, a media fragment. */
function timeFragment({ startSeconds: from, endSeconds: to }) {
  if (from === null) return '';
  const end = to !== null && to > from ? `,${Math.ceil(to)}` : '';
  return `#t=${Math.floor(from)}${end}`;
}

const pageOf = (source) =>
  source.slideNumber ?? source.meta?.pageNumber ?? null;

export function hrefOf(source, options) {
  if (source.sourceType === 'web')
    return hostOf(source.url) ? source.url : null;
  if (!canOpen(source)) return null;
  if (source.sourceType === 'lecture')
    return documentUrl(source, '/media', options) + timeFragment(source);
  const page = pageOf(source);
  return documentUrl(source, '/download', options) +
    (page ? `#page=${page}` : '');
}

export function readerOf(source, options = {}) {
  const { baseUrl = '', version = source.documentVersion } = options;
  if (source.sourceType === 'web' || !canOpen(source))
    return hrefOf(source, options);
  return baseUrl + readerLink({ documentId: idOf(source), version,
    page: pageOf(source), seconds: source.startSeconds });
}

export function downloadOf(source, options) {
  return canOpen(source) ? documentUrl(source, '/download', options) : null;
}

export function pictureOf(source, options) {
  const page = pageOf(source);
  return canOpen(source) && page
    ? documentUrl(source, `/pages/${page}.png`, options) : null;
}

/** @param {import('../index.d.ts').Place} place */
export function linkTo({ sessionId, messageId, n }) {
  const message = messageId === undefined ? ''
    : `/m/${encodeURIComponent(messageId)}`;
  const reference = n === undefined ? '' : `#ref-${n}`;
  return `/c/${encodeURIComponent(sessionId)}${message}${reference}`;
}

/** @param {import('../index.d.ts').ReaderPlace} place */
export function readerLink({ documentId, version, page, seconds }) {
  const query = new URLSearchParams();
  if (version != null) query.set('version', `${version}`);
  if (page != null) query.set('page', `${page}`);
  if (seconds != null) query.set('t', `${Math.floor(seconds)}`);
  return `/d/${encodeURIComponent(documentId)}${query.size ? `?${query}` : ''}`;
}

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const wholeNumber = (text) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null);

export function parseReaderLink(url) {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = /^\/d\/([^/]+)\/?$/.exec(pathname);
  return path && {
    documentId: decode(path[1]),
    version: wholeNumber(searchParams.get('version')) || null,
    page: wholeNumber(searchParams.get('page')) || null,
    seconds: wholeNumber(searchParams.get('t')),
  };
}

export function parseLink(url) {
  const { pathname, hash } = new URL(url, 'http://localhost');
  const path = /^\/c\/([^/]+)(?:\/m\/([^/]+))?\/?$/.exec(pathname);
  if (!path) return null;
  const reference = /^#ref-([1-9]\d{0,8})$/.exec(hash);
  return {
    sessionId: decode(path[1]),
    ...(path[2] === undefined ? {} : { messageId: decode(path[2]) }),
    ...(reference ? { n: Number(reference[1]) } : {}),
  };
}
