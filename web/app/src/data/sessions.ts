// The conversations of the user, newest first.  Changes are announced to other
// tabs.
import type { Api } from '@footnote/client';
import { client, isNotFound } from './api.ts';
import { PAGE_SIZE, withFirstPage, type SessionList } from './session_list.ts';
import { useLoaded } from './loaded.ts';
import { createStore, useStore } from './store.ts';

export type Session = Api.Session;

export const sessions = createStore<SessionList>({ state: 'loading', list: [], cursor: null });

type SessionChange = { session: string; what: 'asked' | 'changed' };
const channel = 'BroadcastChannel' in window ? new BroadcastChannel('footnote') : null;
const listeners = new Set<(change: SessionChange) => void>();

channel?.addEventListener('message', (e: MessageEvent<SessionChange>) => {
  void refreshSessions();
  for (const listener of listeners) listener(e.data);
});

/** Refreshes the list here and in other tabs. */
export function announceChange(session: string, what: SessionChange['what']) {
  channel?.postMessage({ session, what } satisfies SessionChange);
  void refreshSessions();
}
/** Calls `listener` for changes that other tabs announce; returns how to stop. */
export function onSessionChange(listener: (change: SessionChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function refreshSessions() {
  try {
    const page = await client.listSessions({ limit: PAGE_SIZE });
    sessions.set((now) => withFirstPage(now, page));
  } catch {
    sessions.set((now) => ({ ...now, state: now.list.length ? 'ready' : 'failed' }));
  }
}

/** Conversations that began on this page: the list has them once the server does. */
export const createdHere = new Set<string>();

/** The session of the list; one that is not on the loaded pages is asked for. */
export function useSession(id: string, isNew: boolean): { session: Session | null; isMissing: boolean } {
  const { state, list } = useStore(sessions);
  const listed = list.find((s) => s.id === id);
  const isOther = state === 'ready' && !listed && !isNew && !createdHere.has(id);
  const other = useLoaded(isOther ? id : null, (signal) => client.getSession(id, { signal }));
  return {
    session: listed ?? (isOther ? other.value : null) ?? null,
    isMissing: isOther && other.state === 'failed' && isNotFound(other.error),
  };
}

export async function loadMoreSessions() {
  const { cursor } = sessions.get();
  if (!cursor) return;
  const page = await client.listSessions({ limit: PAGE_SIZE, cursor });
  sessions.set((now) => ({
    state: 'ready',
    list: [...now.list, ...page.sessions],
    cursor: page.nextCursor,
  }));
}

export async function renameSession(id: string, title: string) {
  sessions.set((now) => ({
    ...now, list: now.list.map((s) => (s.id === id ? { ...s, title } : s)),
  }));
  await client.updateSession(id, { title }).finally(() => announceChange(id, 'changed'));
}

export async function deleteSession(id: string) {
  await client.deleteSession(id);
  sessions.set((now) => ({ ...now, list: now.list.filter((s) => s.id !== id) }));
  announceChange(id, 'changed');
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && sessions.get().state === 'ready') void refreshSessions();
});
