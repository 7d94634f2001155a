// The whole document or recording as a bar, a tick per cited place.
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
  const { t, n } = useWords();
  if (!(to > from)) return null;
  const at = (v: number) =>
    ({ insetInlineStart: `${(100 * Math.max(0, Math.min(to, v) - from)) / (to - from)}%` });
  return (
    <div className="map">
      <div className="map-track" role="group" aria-label={t('places')}>
        {ticks.map((k) => (
          <button key={k.n} type="button" className="map-tick" style={at(k.at)} aria-label={k.label} title={k.label}
            aria-current={k.current ? 'true' : undefined} onClick={() => onOpen(k.n)} />
        ))}
        {here != null && !ticks.some((k) => k.current && k.at === here) &&
          <span className="map-tick map-here" style={at(here)} aria-hidden="true" />}
      </div>
      <span>{n('citedPlaces', ticks.length)}</span>
    </div>
  );
}
