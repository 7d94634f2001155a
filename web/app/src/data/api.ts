// The client of the app.  It notices what concerns the whole page: that nobody
// is signed in, and that the server cannot be reached.
import { createClient, FootnoteError } from '@footnote/client';
import { language } from './appearance.ts';
import { createStore } from './store.ts';

/** Null until the server has answered once. */
export const signedIn = createStore<boolean | null>(null);
/** False when the last request did not reach the server. */
export const reachable = createStore(true);

/** Counts lost networks.  A response to a request from before the last one says
 *  nothing about now. */
let disconnects = 0;

const watchedFetch: typeof fetch = async (input, init) => {
  const before = disconnects;
  try {
    const response = await fetch(input, init);
    if (before === disconnects) reachable.set(true);
    if (response.status === 401) signedIn.set(false);
    return response;
  } catch (e) {
    if ((e as Error).name !== 'AbortError') reachable.set(navigator.onLine && reachable.get());
    throw e;
  }
};

/** What the server says itself is in the language of the page. */
export const client = createClient({ fetch: watchedFetch, headers: () => ({ 'accept-language': language.get() }) });

/** Asks the server, which may be on this machine and need no network. */
export async function checkReachable(): Promise<boolean> {
  await client.me().catch(() => {});
  return reachable.get();
}

addEventListener('online', () => reachable.set(true));
addEventListener('offline', () => {
  disconnects++;
  void checkReachable();
});

export const codeOf = (e: unknown) =>
  e instanceof FootnoteError ? e.code : 'other';
export const isNotFound = (e: unknown) =>
  e instanceof FootnoteError && e.status === 404;

/** crypto.randomUUID() is missing on pages without https. */
export const newId = () => crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((b) => b.toString(16).padStart(2, '0')).join('');
