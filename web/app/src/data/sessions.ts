// The conversations of the person, newest first.  Other tabs are told when
// something changes here.
import type { Api } from '@footnote/client';
import { client } from './api.ts';
import { createStore } from './store.ts';

export type Session = Api.Session;

interface Sessions {
  state: 'loading' | 'ready' | 'failed';
  list: Session[];
  cursor: string | null;
}
const PAGE = 50;

export const sessions = createStore<Sessions>({ state: 'loading', list: [], cursor: null });

type News = { session: string; what: 'asked' | 'changed' };
const channel = 'BroadcastChannel' in window ? new BroadcastChannel('footnote') : null;
const listeners = new Set<(news: News) => void>();

channel?.addEventListener('message', (e: MessageEvent<News>) => {
  void refresh();
  for (const fn of listeners) fn(e.data);
});

/** Tells this list and other tabs that a conversation has news. */
export function tell(session: string, what: News['what']) {
  channel?.postMessage({ session, what } satisfies News);
  void refresh();
}
export function onNews(fn: (news: News) => void): () => void {
  listeners.add(fn);
  return () => listeners.delete(fn);
}

export async function refresh() {
  try {
    const page = await client.listSessions({ limit: PAGE });
    sessions.set((now) => ({
      state: 'ready',
      list: [...page.sessions, ...now.list.slice(PAGE).filter(
        (s) => !page.sessions.some((p) => p.id === s.id))],
      cursor: now.list.length > PAGE ? now.cursor : page.nextCursor,
    }));
  } catch {
    sessions.set((now) => ({ ...now, state: now.list.length ? 'ready' : 'failed' }));
  }
}

export async function loadMore() {
  const { cursor } = sessions.get();
  if (!cursor) return;
  const page = await client.listSessions({ limit: PAGE, cursor });
  sessions.set((now) => ({
    state: 'ready',
    list: [...now.list, ...page.sessions],
    cursor: page.nextCursor,
  }));
}

export async function rename(id: string, title: string) {
  sessions.set((now) => ({
    ...now, list: now.list.map((s) => (s.id === id ? { ...s, title } : s)),
  }));
  await client.updateSession(id, { title }).finally(() => tell(id, 'changed'));
}

export async function remove(id: string) {
  await client.deleteSession(id);
  sessions.set((now) => ({ ...now, list: now.list.filter((s) => s.id !== id) }));
  tell(id, 'changed');
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && sessions.get().state === 'ready') void refresh();
});
