// The edge of the pane, which makes it wider: by pointer, or by arrow keys.  A
// double click gives the usual width back.
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { PANE_MIN, paneMax, paneWidth, paneWidthIn, setPaneWidth } from './pane_width.ts';

const STEP = 24;

/** The width of the window, as it changes. */
function useWindowWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useLayoutEffect(() => {
    const resized = () => setWidth(innerWidth);
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  return width;
}

export function PaneEdge() {
  const { t } = useLocale();
  const chosen = useStore(paneWidth);
  const windowWidth = useWindowWidth();
  const [now, setNow] = useState(PANE_MIN);
  const ref = useRef<HTMLDivElement>(null);
  const width = chosen === null ? null : paneWidthIn(chosen, windowWidth);
  const rtl = document.documentElement.dir === 'rtl';

  useLayoutEffect(() => {
    const shell = ref.current!.closest<HTMLElement>('.shell');
    if (width === null) shell?.style.removeProperty('--pane-width');
    else shell?.style.setProperty('--pane-width', `${width}px`);
    setNow(Math.round(ref.current!.parentElement!.getBoundingClientRect().width));
  }, [width, windowWidth]);

  const key = (e: KeyboardEvent) => {
    const wider = { ArrowLeft: rtl ? -STEP : STEP, ArrowRight: rtl ? STEP : -STEP }[e.key];
    const to = wider ? now + wider : { Home: PANE_MIN, End: paneMax(windowWidth) }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    setPaneWidth(paneWidthIn(to, windowWidth));
  };
  const drag = (e: PointerEvent<HTMLElement>) => {
    if (!e.currentTarget.hasPointerCapture(e.pointerId)) return;
    const edge = e.currentTarget.parentElement!.getBoundingClientRect();
    setPaneWidth(paneWidthIn(rtl ? e.clientX - edge.left : edge.right - e.clientX, windowWidth));
  };
  return (
    <div ref={ref} className="pane-edge" role="separator" tabIndex={0} aria-orientation="vertical" aria-label={t('paneWidth')}
      aria-valuenow={now} aria-valuemin={PANE_MIN} aria-valuemax={paneMax(windowWidth)} title={t('paneWidth')}
      onKeyDown={key} onPointerMove={drag} onDoubleClick={() => setPaneWidth(null)}
      onPointerDown={(e) => { if (e.button === 0) e.currentTarget.setPointerCapture(e.pointerId); }} />
  );
}
