// The list of conversations, as far as it is loaded.
import type { Api } from '@footnote/client';

export interface SessionList {
  state: 'loading' | 'ready' | 'failed';
  list: Api.Session[];
  /** For the next page; null at the end. */
  cursor: string | null;
}
export const PAGE_SIZE = 50;

/** A fresh first page replaces the old one; later pages stay. */
export function withFirstPage(now: SessionList, page: Api.SessionList): SessionList {
  const fresh = new Set(page.sessions.map((s) => s.id));
  return {
    state: 'ready',
    list: [...page.sessions, ...now.list.slice(PAGE_SIZE).filter((s) => !fresh.has(s.id))],
    cursor: now.list.length > PAGE_SIZE ? now.cursor : page.nextCursor,
  };
}
