// Follows a document until the server has read it or has failed to.
import type { DocumentInfo } from '@footnote/client';
import { client } from './api.ts';

const WAIT_SECONDS = 30;
const POLL_MS = 700;

export const isBeingRead = ({ status }: DocumentInfo) => status === 'queued' || status === 'indexing';

/** Nothing else is lost when it is deleted: no version of it was ever read. */
export const isFirstReading = (d: DocumentInfo) => isBeingRead(d) && d.searchableVersion === null;

/** Calls `onChange` with each state, the given one first.  Short waits while it
 *  is read, so that the progress moves. */
export async function followReading(document: DocumentInfo, onChange: (now: DocumentInfo) => void, signal?: AbortSignal) {
  let now = document;
  for (;;) {
    onChange(now);
    if (!isBeingRead(now)) return;
    const started = Date.now();
    now = await client.getDocument(now.id, { wait: now.status === 'indexing' ? 1 : WAIT_SECONDS }, { signal });
    if (Date.now() - started < POLL_MS / 2) await new Promise((r) => setTimeout(r, POLL_MS));
    signal?.throwIfAborted();
  }
}
