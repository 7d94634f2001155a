// The user that the server says is signed in.
import type { Api } from '@footnote/client';
import { createStore } from '../data/store.ts';

export const me = createStore<Api.Me | null>(null);
