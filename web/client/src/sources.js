// sources.js - the sources of a message of any shape.
//
// The same answer comes as a live stream (parts in snake_case, without nulls), as
// stored parts, as a message of the API (camelCase) and as a row.  All of them
// give the same list here, so that an answer looks the same after a reload.
import { findMarks } from './marks.js';

/** Every field and its type; a value of another type is ignored. */
const FIELDS = {
  sourceId: 'string', sourceType: 'string', chunkNumber: 'number',
  contentPreview: 'string', documentId: 'string', slideNumber: 'number',
  lectureId: 'string', startSeconds: 'number', endSeconds: 'number',
  courseId: 'string', ownerId: 'string', title: 'string', url: 'string',
  date: 'string', s3key: 'string', part: 'number', locator: 'string',
  meta: 'object',
  score: 'number', state: 'string', cited: 'boolean', support: 'number',
  spans: 'object', documentVersion: 'number',
};
const TABLE = Object.entries(FIELDS).map(([name, type]) => ({ name, type,
  snake: name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`) }));

/** @returns {import('../index.d.ts').Source} */
export function toSource(source) {
  const result = /** @type {any} */ ({});
  for (const { name, snake, type } of TABLE) {
    const value = source[name] ?? source[snake] ?? null;
    result[name] = typeof value === type ? value : null;
  }
  if (typeof source.pageLabel === 'string') // which a page has looked up
    result.pageLabel = source.pageLabel;
  result.state ??= 'live';
  result.cited ??= false;
  result.spans = Array.isArray(result.spans) ? result.spans : [];
  return result;
}

const isList = Array.isArray;
const partsOf = (message) => (isList(message.parts) ? message.parts : []);
const dataOf = (message, type) => partsOf(message)
  .filter((part) => part?.type === type && part.data).map((part) => part.data);

export function textOf(message) {
  if (isList(message.parts))
    return message.parts.map((part) =>
      (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
      .join('');
  return typeof message.content === 'string' ? message.content : '';
}

function rawSources(message) {
  if (isList(message.parts)) return dataOf(message, 'data-rag-source');
  return [message.sources, message.citations].find(isList) ?? [];
}

const isNumber = (n) => Number.isInteger(n) && n >= 1;

/** Sorted by number, each number once; sources without one are dropped. */
function numberedSources(raw) {
  const byNumber = new Map();
  for (const entry of raw) {
    const source = entry && typeof entry === 'object' ? toSource(entry) : null;
    if (source && isNumber(source.chunkNumber))
      byNumber.set(source.chunkNumber, source);
  }
  return [...byNumber.values()].sort((a, b) => a.chunkNumber - b.chunkNumber);
}

export const lastPicture = (sources) =>
  sources.findLast((source) => source.sourceType === 'image');

/** The sources that a mark names; [^Page] names the last picture. */
export function sourcesNamedBy(mark, sources) {
  if (mark.page) {
    const picture = lastPicture(sources);
    return picture ? [picture] : [];
  }
  return sources.filter(({ chunkNumber: n }) => n >= mark.from && n <= mark.to);
}

/** `cited` and `spans` from the markers in the text. */
function citedByText(sources, text) {
  const spans = new Map(sources.map((source) => [source, []]));
  for (const mark of findMarks(text))
    for (const source of sourcesNamedBy(mark, sources))
      spans.get(source).push([mark.start, mark.end]);
  return sources.map((source) => ({
    ...source, spans: spans.get(source), cited: spans.get(source).length > 0,
  }));
}

function citedByServer(sources, cited) {
  const said = new Map(cited.map((c) =>
    [c.chunk_number ?? c.chunkNumber, c]));
  return sources.map((source) => {
    const c = said.get(source.chunkNumber);
    return { ...source, cited: c !== undefined, support: c?.support ?? null,
      spans: c?.spans ?? [] };
  });
}

export function sourcesOf(message) {
  const raw = rawSources(message);
  const sources = numberedSources(raw);
  const said = dataOf(message, 'data-citations').at(-1);

  if (isList(said?.cited)) return citedByServer(sources, said.cited);
  if (raw.some((source) => typeof source?.cited === 'boolean')) return sources;
  return citedByText(sources, textOf(message));
}

function timeOf(message) {
  const time = message.metadata?.createdAt ?? message.createdAt ??
    message.created_at ?? message.timestamp ?? null;
  const date = time === null ? null : new Date(time);
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

function answerOf(message, streaming) {
  const facts = message.metadata ?? message;
  const said = dataOf(message, 'data-citations').at(-1);
  return {
    sources: sourcesOf(message),
    status: streaming ? 'streaming' : facts.status ?? null,
    lowConfidence: facts.lowConfidence ?? said?.low_confidence ?? null,
    model: facts.model ?? null,
    failure: facts.failure ?? null,
    verdicts: facts.verdicts ?? said?.verdicts ?? [],
    unknownNumbers: facts.unknownNumbers ?? facts.unknown_numbers ??
      said?.unknown_numbers ?? [],
    feedback: facts.feedback ?? [],
  };
}

/** What a question was limited to. */
const scopeOf = ({ metadata, scope }) =>
  (metadata?.scope ?? scope ? { scope: metadata?.scope ?? scope } : {});

const versionsOf = ({ metadata }) =>
  (isList(metadata?.versions) ? { versions: metadata.versions } : {});

export function citedMessageOf(message, { streaming = false } = {}) {
  return {
    id: message.id,
    role: message.role,
    content: textOf(message),
    timestamp: timeOf(message),
    isStreaming: streaming,
    ...versionsOf(message),
    ...(message.role === 'user' ? scopeOf(message) : {}),
    ...(message.role === 'assistant' ? answerOf(message, streaming) : {}),
  };
}
