// Two fingers zoom a page, and so does a touchpad that pinches, which browsers
// tell as a wheel with Ctrl.
import { useEffect, useEffectEvent, type RefObject } from 'react';
import { zoomWithin } from './zoom.ts';

/** What a wheel turns until a page is e times as large. */
const WHEEL_PIXELS = 100;

const gapOf = ([a, b]: Touch[]) => Math.hypot(a!.clientX - b!.clientX, a!.clientY - b!.clientY);

export function usePinch(frame: RefObject<HTMLElement | null>, zoom: number, onZoom: (zoom: number) => void) {
  const zoomTo = useEffectEvent((to: number) => onZoom(zoomWithin(to)));
  const zoomNow = useEffectEvent(() => zoom);
  useEffect(() => {
    const el = frame.current;
    if (!el) return;
    let began: { gap: number; zoom: number } | null = null;
    const touched = (e: TouchEvent) => {
      began = e.touches.length === 2 ? { gap: gapOf([...e.touches]), zoom: zoomNow() } : null;
    };
    const moved = (e: TouchEvent) => {
      if (!began || e.touches.length !== 2) return;
      e.preventDefault();
      zoomTo((began.zoom * gapOf([...e.touches])) / Math.max(1, began.gap));
    };
    const wheeled = (e: WheelEvent) => {
      if (!e.ctrlKey) return;
      e.preventDefault();
      zoomTo(zoomNow() * Math.exp(-e.deltaY / WHEEL_PIXELS));
    };
    const stop = new AbortController();
    const { signal } = stop;
    el.addEventListener('touchstart', touched, { signal, passive: true });
    el.addEventListener('touchend', touched, { signal, passive: true });
    el.addEventListener('touchmove', moved, { signal, passive: false });
    el.addEventListener('wheel', wheeled, { signal, passive: false });
    return () => stop.abort();
  }, [frame]);
}
