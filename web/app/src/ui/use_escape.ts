// Escape closes one thing: what lies on top.
import { useEffect, useEffectEvent } from 'react';

/** Whether a menu or a dialog is open, which the browser closes itself. */
export const isLayerOpen = () => document.querySelector(':popover-open, dialog[open]') !== null;

/** Calls `onEscape` for an Escape that nothing above has used. */
export function useEscape(onEscape: () => void, active = true) {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    if (!active) return;
    const pressed = (e: KeyboardEvent) => {
      if (e.key !== 'Escape' || e.defaultPrevented || isLayerOpen()) return;
      escape();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [active]);
}
