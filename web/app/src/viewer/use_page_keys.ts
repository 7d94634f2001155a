// Keys of a page: arrows turn it, + - 0 zoom it, Ctrl F finds words.  In the app
// they work while the focus is in the pane or sheet that shows the page, in the
// reader everywhere.
import { useEffect, useEffectEvent, type RefObject } from 'react';
import { isMac, isTyping } from '../shell/shortcuts.ts';
import { isLayerOpen } from '../ui/use_escape.ts';
import { zoomBy } from './zoom.ts';

interface Options {
  turn: (by: 1 | -1) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
  onFind: () => void;
}

/** Arrows belong to a control, and to what they can scroll sideways. */
const usesArrows = (el: Element | null) =>
  el !== null && (el.matches('video, [role=separator]') || el.scrollWidth > el.clientWidth + 1);

export function usePageKeys(root: RefObject<HTMLElement | null>, { turn, zoom, onZoom, onFind }: Options) {
  const press = useEffectEvent((e: KeyboardEvent): boolean => {
    const focus = document.activeElement;
    const frame = root.current?.closest('.pane, dialog.sheet, .reader');
    if (!frame || e.defaultPrevented || e.altKey) return false;
    const isOurs = frame.contains(focus) || (frame.matches('.reader') && focus === document.body);
    if (!isOurs || (!frame.matches('dialog') && isLayerOpen())) return false;
    if (isMac ? e.metaKey : e.ctrlKey) {
      if (e.key.toLowerCase() !== 'f' || focus?.matches('.find-bar input')) return false;
      onFind();
      return true;
    }
    if (e.metaKey || e.ctrlKey || isTyping(e)) return false;
    const rtl = document.documentElement.dir === 'rtl' ? -1 : 1;
    const arrow = { ArrowRight: rtl, ArrowLeft: -rtl }[e.key] as 1 | -1 | undefined;
    if (arrow && !usesArrows(focus)) turn(arrow);
    else if (e.key === '+' || e.key === '=') onZoom(zoomBy(zoom, 1));
    else if (e.key === '-') onZoom(zoomBy(zoom, -1));
    else if (e.key === '0') onZoom(1);
    else return false;
    return true;
  });
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (press(e)) e.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
