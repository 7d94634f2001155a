// A value that components can watch.  All shared state of the app is in stores.
import { useSyncExternalStore } from 'react';

export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  watch(fn: () => void): () => void;
}

export function createStore<T>(value: T): Store<T> {
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const now = typeof next === 'function' ? (next as (now: T) => T)(value) : next;
      if (Object.is(now, value)) return;
      value = now;
      for (const fn of [...watchers]) fn();
    },
    watch(fn) {
      watchers.add(fn);
      return () => watchers.delete(fn);
    },
  };
}

export const useStore = <T>(store: Store<T>): T =>
  useSyncExternalStore(store.watch, store.get);
