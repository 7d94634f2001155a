// When a preview opens and closes.  It opens at once for the keyboard and after
// a moment for the pointer, which has time to move into it (WCAG 1.4.13).
import { useCallback, useEffect, useRef, useState } from 'react';

const OPEN_MS = 150;
const CLOSE_MS = 200;
const hovers = matchMedia('(hover: hover)');

export function usePreview<T>() {
  const [content, setContent] = useState<T | null>(null);
  const timer = useRef(0);
  const showAfter = useCallback((ms: number, next: T | null) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setContent(next), ms);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const open = useCallback((next: T, chip: HTMLElement) => {
    if (!hovers.matches) return; // a tap opens the sheet instead
    showAfter(chip.matches(':focus-visible') ? 0 : OPEN_MS, next);
  }, [showAfter]);
  const closeSoon = useCallback(() => showAfter(CLOSE_MS, null), [showAfter]);
  const pointerInside = useCallback((inside: boolean) => {
    if (inside) clearTimeout(timer.current);
    else closeSoon();
  }, [closeSoon]);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setContent(null);
  }, []);
  return { content, open, closeSoon, pointerInside, close };
}
