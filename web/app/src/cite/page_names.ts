// What pages are called: the numbers that are printed on the pages of a paper.
// A source does not say them; its document does, in the version that was cited.
import { useEffect, useMemo, useState } from 'react';
import { kindOf, pageLabelOf, type CitedMessage, type DocumentInfo, type Source } from '@footnote/client';
import { loadDocument } from '../data/documents.ts';

type Documents = ReadonlyMap<string, DocumentInfo>;

/** The source as its document calls its page, and papers that were cited before
 *  sources said so. */
export function withPageName(source: Source, document: DocumentInfo | null): Source {
  if (source.sourceType !== 'slide' || !document || source.slideNumber === null) return source;
  const pageLabel = pageLabelOf(document, source.slideNumber);
  const isPaper = document.layout === 'tall' && kindOf(source) !== 'paper';
  if (pageLabel === null && !isPaper) return source;
  return { ...source, ...(pageLabel !== null && { pageLabel }), ...(isPaper && { meta: { ...source.meta, layout: 'tall' } }) };
}

/** Names the document that may have numbers of its own; '' for others. */
const keyOf = (s: Source) =>
  (kindOf(s) === 'paper' && s.documentId && (s.state === 'live' || s.state === 'changed')
    ? `${s.documentVersion ?? ''}/${encodeURIComponent(s.documentId)}` : '');

/** Loads the documents of papers, each once. */
function usePapers(sources: Source[]): Documents {
  const [papers, setPapers] = useState<Documents>(() => new Map());
  const wanted = new Map(sources.map((s) => [keyOf(s), s]));
  const keys = [...wanted.keys()].filter(Boolean).sort().join(' ');
  useEffect(() => {
    const controller = new AbortController();
    for (const key of keys.split(' ').filter(Boolean)) {
      const [version, id] = key.split('/');
      loadDocument(decodeURIComponent(id!), version ? Number(version) : null).then(
        (document) => controller.signal.aborted || setPapers((now) => (now.has(key) ? now : new Map(now).set(key, document))),
        () => {}); // its pages are called as they are counted
    }
    return () => controller.abort();
  }, [keys]);
  return papers;
}

/** The messages with the page names of their sources.  A message that has none is
 *  the same object, and one that has is the same every time. */
export function usePageNames(messages: CitedMessage[]): CitedMessage[] {
  const papers = usePapers(messages.flatMap((m) => m.sources ?? []));
  const named = useMemo(() => (papers.size ? new WeakMap<CitedMessage, CitedMessage>() : null), [papers]);
  return useMemo(() => {
    if (!named) return messages;
    const nameOf = (message: CitedMessage): CitedMessage => {
      if (!message.sources?.some((s) => papers.has(keyOf(s)))) return message;
      const known = named.get(message) ??
        { ...message, sources: message.sources.map((s) => withPageName(s, papers.get(keyOf(s)) ?? null)) };
      named.set(message, known);
      return known;
    };
    return messages.map(nameOf);
  }, [messages, papers, named]);
}
