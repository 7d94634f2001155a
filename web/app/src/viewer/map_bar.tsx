// A document or recording as a bar, with a tick for each cited place.  Ticks may
// be closer than fingers can tell apart, so a click opens the nearest one.  The
// list below offers the same places to the keyboard.
import type { MouseEvent } from 'react';
import { useLocale } from '../i18n/index.ts';

export interface Tick { n: number; at: number; label: string; current: boolean }

interface Props {
  /** The whole range, in pages or in seconds. */
  from: number;
  to: number;
  here?: number | null;
  ticks: Tick[];
  onOpen: (n: number) => void;
}

export function MapBar({ from, to, here, ticks, onOpen }: Props) {
  const { n } = useLocale();
  if (!(to > from) || !ticks.length) return null;
  const fraction = (v: number) => Math.max(0, Math.min(to, v) - from) / (to - from);
  const at = (v: number) => ({ insetInlineStart: `${100 * fraction(v)}%` });
  const openNearest = (e: MouseEvent<HTMLElement>) => {
    const box = e.currentTarget.getBoundingClientRect();
    const x = (e.clientX - box.left) / box.width;
    const clicked = document.documentElement.dir === 'rtl' ? 1 - x : x;
    const [nearest] = ticks.toSorted((a, b) => Math.abs(fraction(a.at) - clicked) - Math.abs(fraction(b.at) - clicked));
    if (nearest) onOpen(nearest.n);
  };
  return (
    <div className="map">
      <div className="map-track" aria-hidden="true" onClick={openNearest}>
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
