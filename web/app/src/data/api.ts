// The one client of the app.  It notices what concerns the whole page: that
// nobody is signed in, and that the server cannot be reached.
import { createClient, FootnoteError } from '@footnote/client';
import { createStore } from './store.ts';

/** Whether the server knows who asks; null until it was asked. */
export const signedIn = createStore<boolean | null>(null);
/** Whether the last try to reach the server did. */
export const reachable = createStore(true);

/** How often the network has gone: an answer that was on its way then says
 *  nothing of now. */
let lost = 0;

const watched: typeof fetch = async (input, init) => {
  const before = lost;
  try {
    const response = await fetch(input, init);
    if (before === lost) reachable.set(true);
    if (response.status === 401) signedIn.set(false);
    return response;
  } catch (e) {
    if ((e as Error).name !== 'AbortError') reachable.set(navigator.onLine && reachable.get());
    throw e;
  }
};

export const client = createClient({ fetch: watched });

/** Asks the server for a word.  Without a network there may still be one, on
 *  this machine. */
export async function reach(): Promise<boolean> {
  await client.me().catch(() => {});
  return reachable.get();
}

addEventListener('online', () => reachable.set(true));
addEventListener('offline', () => {
  lost++;
  void reach();
});

export const codeOf = (e: unknown) =>
  e instanceof FootnoteError ? e.code : 'other';
export const isGone = (e: unknown) =>
  e instanceof FootnoteError && e.status === 404;

/** A new id for something that the server will keep. */
export const newId = () => crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((b) => b.toString(16).padStart(2, '0')).join('');
