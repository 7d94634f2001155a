// useLoaded: the result of a request: loading, ready, or failed.
import { useCallback, useEffect, useEffectEvent, useState } from 'react';

export type Loaded<T> =
  | { state: 'loading'; value?: T }
  | { state: 'ready'; value: T }
  | { state: 'failed'; value?: T; error: unknown };

/** Loads when `key` changes and with reload(); null loads nothing.  `load` is new
 *  with every render: `key` must name all that it depends on. */
export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>) {
  const [result, setResult] = useState<Loaded<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((n) => n + 1), []);

  const start = useEffectEvent(load);
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    setResult({ state: 'loading' });
    start(controller.signal).then(
      (value) => controller.signal.aborted || setResult({ state: 'ready', value }),
      (error) => controller.signal.aborted || setResult({ state: 'failed', error }),
    );
    return () => controller.abort();
  }, [key, round]);
  return { ...result, reload };
}
