// The whole document or recording as a bar, a tick per cited place.  Ticks may
// stand closer than fingers can tell apart, so a click takes the nearest one;
// by keys the same places are in the list below.
import type { MouseEvent } from 'react';
import { useWords } from '../i18n/index.ts';

export interface Tick { n: number; at: number; label: string; current: boolean }

interface Props {
  /** Both in pages or in seconds. */
  from: number;
  to: number;
  here?: number | null;
  ticks: Tick[];
  onOpen: (n: number) => void;
}

export function MapBar({ from, to, here, ticks, onOpen }: Props) {
  const { n } = useWords();
  if (!(to > from)) return null;
  const partOf = (v: number) => Math.max(0, Math.min(to, v) - from) / (to - from);
  const at = (v: number) => ({ insetInlineStart: `${100 * partOf(v)}%` });
  const nearest = (e: MouseEvent<HTMLElement>) => {
    const box = e.currentTarget.getBoundingClientRect();
    const x = (e.clientX - box.left) / box.width;
    const part = document.documentElement.dir === 'rtl' ? 1 - x : x;
    const [first] = ticks.toSorted((a, b) => Math.abs(partOf(a.at) - part) - Math.abs(partOf(b.at) - part));
    if (first) onOpen(first.n);
  };
  return (
    <div className="map">
      <div className="map-track" aria-hidden="true" onClick={nearest}>
        {ticks.map((k) => (
          <span key={k.n} className={k.current ? 'map-tick current' : 'map-tick'} style={at(k.at)} title={k.label} />
        ))}
        {here != null && !ticks.some((k) => k.current && k.at === here) &&
          <span className="map-tick current" style={at(here)} />}
      </div>
      <span>{n('citedPlaces', ticks.length)}</span>
    </div>
  );
}
