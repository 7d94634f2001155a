// Something that was asked for: on its way, there, or failed.
import { useCallback, useEffect, useEffectEvent, useState } from 'react';

export type Loaded<T> =
  | { state: 'loading'; value?: T }
  | { state: 'ready'; value: T }
  | { state: 'failed'; value?: T; error: unknown };

/** Asks again when `key` changes; null asks nothing. */
export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>) {
  const [result, setResult] = useState<Loaded<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((n) => n + 1), []);

  // `load` is made anew on every render and means what `key` says.
  const start = useEffectEvent(load);
  useEffect(() => {
    if (key === null) return;
    const gone = new AbortController();
    setResult({ state: 'loading' });
    start(gone.signal).then(
      (value) => gone.signal.aborted || setResult({ state: 'ready', value }),
      (error) => gone.signal.aborted || setResult({ state: 'failed', error }),
    );
    return () => gone.abort();
  }, [key, round]);
  return { ...result, again };
}
