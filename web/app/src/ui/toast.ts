// One short message at a time, for things that need no answer.
import { createStore } from '../data/store.ts';

export const toastStore = createStore('');
let timer = 0;

export function toast(text: string) {
  toastStore.set(text);
  clearTimeout(timer);
  timer = window.setTimeout(() => toastStore.set(''), 4000);
}
