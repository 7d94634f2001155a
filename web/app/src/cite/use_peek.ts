// When a preview opens and closes: at once for the keyboard, after a moment for
// the pointer, and with time to move into it (WCAG 1.4.13).
import { useCallback, useEffect, useRef, useState } from 'react';

const OPEN_MS = 150;
const CLOSE_MS = 200;
const hovers = matchMedia('(hover: hover)');

export function usePeek<T>() {
  const [peek, setPeek] = useState<T | null>(null);
  const timer = useRef(0);
  const later = useCallback((ms: number, next: T | null) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setPeek(next), ms);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const open = useCallback((next: T, chip: HTMLElement) => {
    if (!hovers.matches) return; // a tap opens the sheet instead
    later(chip.matches(':focus-visible') ? 0 : OPEN_MS, next);
  }, [later]);
  const leave = useCallback(() => later(CLOSE_MS, null), [later]);
  const hold = useCallback((inside: boolean) => {
    if (inside) clearTimeout(timer.current);
    else later(CLOSE_MS, null);
  }, [later]);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setPeek(null);
  }, []);
  return { peek, open, leave, hold, close };
}
