// Finding words in a document: on the page that is open, where each hit is known,
// and by the search of the server on the pages that it names.
import { useDeferredValue, useMemo, useState } from 'react';
import type { PageText } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { contains, findOnPage, foldedQuery, nextPageOf } from './find_on_page.ts';
import type { Box } from '@footnote/client';

const PASSAGES_MAX = 50;
const DELAY_MS = 150;

/** Pages with the words, going up. */
async function pagesWith(documentId: string, query: string, signal: AbortSignal): Promise<number[]> {
  await new Promise((done) => setTimeout(done, DELAY_MS));
  signal.throwIfAborted(); // more was typed
  const { hits } = await client.search({ q: query, documentId, limit: PASSAGES_MAX }, { signal });
  const pages = hits.filter((h) => h.slideNumber !== null && contains(h.contentPreview ?? '', query))
    .map((h) => h.slideNumber!);
  return [...new Set(pages)].sort((a, b) => a - b);
}

export interface Find {
  text: string;
  setText: (text: string) => void;
  /** Hits of the page, each with its boxes. */
  found: Box[][];
  current: number;
  pages: number[];
  isSearching: boolean;
  step: (by: 1 | -1) => void;
}

export function useFind(documentId: string, page: PageText | undefined, n: number, turnTo: (n: number) => void): Find {
  const [text, setText] = useState('');
  const query = foldedQuery(useDeferredValue(text));
  // Which hit of a page, or its last one (-1): hits come with the page.
  const [chosen, setChosen] = useState({ query, n, at: 0 });
  const found = useMemo(() => (page ? findOnPage(page, query) : []), [page, query]);
  const search = useLoaded(query ? `${documentId}/${query}` : null, (signal) => pagesWith(documentId, query, signal));
  const pages = query ? search.value ?? [] : [];
  const isChosen = chosen.query === query && chosen.n === n;
  const current = !found.length ? -1 : isChosen ? (chosen.at + found.length) % found.length : 0;
  const step = (by: 1 | -1) => {
    const at = current + by;
    const turned = current < 0 || at < 0 || at >= found.length ? nextPageOf(pages, n, by) : null;
    if (turned !== null) {
      setChosen({ query, n: turned, at: by > 0 ? 0 : -1 });
      turnTo(turned);
    } else if (found.length) setChosen({ query, n, at: (at + found.length) % found.length });
  };
  return { text, setText, found, current, pages, isSearching: query !== '' && search.state === 'loading', step };
}
