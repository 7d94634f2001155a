// registry.js - sources by number and by document.
import { kindOf } from './labels.js';
import { sourcesNamedBy } from './sources.js';

const groupKey = (s) => s.documentId ?? s.lectureId ?? s.url ??
  (s.sourceType === 'journal' ? `${s.date}:${s.title}` : null) ??
  s.s3key ?? s.sourceId ?? `#${s.chunkNumber}`;

/** One group for each document, one number for each passage. */
function groupByDocument(sources) {
  const groups = new Map();
  for (const source of sources) {
    const key = `${source.sourceType} ${groupKey(source)}`;
    if (!groups.has(key))
      groups.set(key, { key, title: source.title,
        sourceType: source.sourceType, kind: kindOf(source),
        documentId: source.documentId ?? source.lectureId, sources: [] });
    groups.get(key).sources.push(source);
  }
  return [...groups.values()];
}

export function registryOf(sources) {
  return {
    sources,
    cited: sources.filter((source) => source.cited),
    read: sources.filter((source) => !source.cited),
    byNumber: new Map(sources.map((source) => [source.chunkNumber, source])),
    groups: groupByDocument(sources),
    resolve: (mark) => sourcesNamedBy(mark, sources),
  };
}
