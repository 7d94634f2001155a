// What a search has found so far.  The rows of the words before stay until the
// first ones of the new words are there.
import { useCallback, useEffect, useState } from 'react';
import type { Api, Source } from '@footnote/client';
import { client } from '../data/api.ts';

export type FoundSession = Api.Session;
export interface Found {
  sessions: FoundSession[];
  hits: Source[];
  /** Conversations that came later: behind the passages, so that no row moves. */
  older: FoundSession[];
}
const NOTHING: Found = { sessions: [], hits: [], older: [] };
const DELAY_MS = 150;
const PAGE = 8;
const OLDER_MAX = 24;

async function firstPage(q: string, signal: AbortSignal) {
  const [sessions, passages] = await Promise.allSettled([
    client.listSessions({ q, limit: PAGE }, { signal }),
    client.search({ q, limit: PAGE }, { signal }),
  ]);
  if (sessions.status === 'rejected' && passages.status === 'rejected') throw sessions.reason;
  const list = sessions.status === 'fulfilled' ? sessions.value : { sessions: [], nextCursor: null };
  const hits = passages.status === 'fulfilled' ? passages.value.hits : [];
  return { found: { ...NOTHING, sessions: list.sessions, hits }, cursor: list.nextCursor };
}

/** Calls `show` with all that is found: the server looks at some conversations,
 *  newest first, and says where to go on. */
async function search(q: string, signal: AbortSignal, show: (found: Found) => void) {
  let { found, cursor } = await firstPage(q, signal);
  show(found);
  while (cursor && found.older.length < OLDER_MAX) {
    const page: Api.SessionList = await client.listSessions({ q, limit: PAGE, cursor }, { signal });
    found = { ...found, older: [...found.older, ...page.sessions] };
    show(found);
    cursor = page.nextCursor;
  }
}

export function useSearch(q: string) {
  const [found, setFound] = useState(NOTHING);
  const [state, setState] = useState<'searching' | 'ready' | 'failed'>('ready');
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((n) => n + 1), []);

  useEffect(() => {
    if (!q) {
      setFound(NOTHING);
      setState('ready');
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    setState('searching');
    const timer = setTimeout(() => {
      search(q, signal, (next) => signal.aborted || setFound(next)).then(
        () => signal.aborted || setState('ready'),
        () => signal.aborted || setState('failed'),
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q, round]);
  return { ...found, state, again };
}
