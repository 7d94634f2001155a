// The documents of a view, page by page; one call a view, and one more every
// moment while something in it is being read.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { LibraryDocument } from '@footnote/client';
import { client } from '../data/api.ts';
import { isBeingRead } from '../data/reading.ts';
import { queryOf, type View } from './query.ts';

const PAGE = 100;
const PAGE_MAX = 200;
const LOOK_MS = 1500;

export interface Documents {
  state: 'loading' | 'ready' | 'failed';
  error: unknown;
  list: LibraryDocument[];
  found: number;
  /** How many documents each course has; null until it is known. */
  counts: ReadonlyMap<string, number> | null;
  cursor: string | null;
}
const START: Documents = { state: 'loading', error: null, list: [], found: 0, counts: null, cursor: null };

const without = (list: LibraryDocument[], known: LibraryDocument[]) => {
  const ids = new Set(known.map(keyOf));
  return list.filter((d) => !ids.has(keyOf(d)));
};
/** Several courses may use an id. */
export const keyOf = (d: Pick<LibraryDocument, 'id' | 'courseId'>) => `${d.courseId}/${d.id}`;

/** `view` is the same object as long as it says the same. */
export function useDocuments(view: View) {
  const [now, setNow] = useState(START);
  const asked = useRef(0);

  const load = useCallback(async (how: 'new' | 'more' | 'again', cursor?: string, limit = PAGE) => {
    const round = ++asked.current;
    try {
      const page = await client.library({ ...queryOf(view), limit, cursor });
      if (round !== asked.current) return; // another view, or a newer look
      setNow((before) => ({
        state: 'ready',
        error: null,
        list: how === 'more' ? [...before.list, ...without(page.documents, before.list)]
          : how === 'again' && before.list.length > limit
            ? [...page.documents, ...without(before.list.slice(limit), page.documents)] : page.documents,
        found: page.found,
        counts: new Map(page.courses.map((c) => [c.courseId, c.documents])),
        cursor: how === 'again' && before.list.length > limit ? before.cursor : page.nextCursor,
      }));
    } catch (error) {
      if (round !== asked.current) return;
      setNow((before) => (how === 'again' ? before : { ...before, state: 'failed', error }));
    }
  }, [view]);

  useEffect(() => {
    setNow((before) => ({ ...START, counts: before.counts }));
    void load('new');
  }, [load]);

  const reload = useCallback(() => void load('again', undefined,
    Math.min(PAGE_MAX, Math.max(PAGE, now.list.length))), [load, now.list.length]);
  const more = useCallback(() => {
    if (now.state === 'ready' && now.cursor) void load('more', now.cursor);
  }, [load, now.state, now.cursor]);

  const busy = now.list.some(isBeingRead);
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [busy, reload]);
  return { ...now, reload, more, retry: () => load('new') };
}
