// Which dialog is open, if any.
import { createStore } from '../data/store.ts';

export type Over =
  | { what: 'find' } | { what: 'newcourse'; files?: File[] } | { what: 'help' } | { what: 'journal' } | { what: 'page' }
  | { what: 'course'; courseId: string };

export const over = createStore<Over | null>(null);
export const show = (next: Over | null) => over.set(next);
