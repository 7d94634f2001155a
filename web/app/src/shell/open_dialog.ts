// Which dialog is open, if any.
import { createStore } from '../data/store.ts';

export type OpenDialog =
  | { what: 'find' } | { what: 'newcourse'; files?: File[] } | { what: 'help' } | { what: 'logins' } | { what: 'journal' } | { what: 'page' }
  | { what: 'course'; courseId: string } | { what: 'people'; courseId: string } | { what: 'admin' }
  | { what: 'share'; sessionId: string; messageId: string | null };

export const openDialog = createStore<OpenDialog | null>(null);
export const showDialog = (next: OpenDialog | null) => openDialog.set(next);
