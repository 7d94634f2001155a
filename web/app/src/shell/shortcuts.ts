// Keyboard shortcuts.  Single letters do nothing while a text field has focus.
import { useLayoutEffect } from 'react';
import { openDialog, showDialog } from './open_dialog.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const commandKey = isMac ? '⌘' : 'Ctrl';

export const isTyping = (e: KeyboardEvent) =>
  e.target instanceof HTMLElement &&
  (e.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName));

/** Moves the focus to the next or previous element of the selector. */
function moveFocus(selector: string, by: 1 | -1) {
  const list = [...document.querySelectorAll<HTMLElement>(selector)];
  if (!list.length) return;
  const focus = document.activeElement;
  // From the pane it goes on at the number that is open there.
  const isHere = focus?.closest('.pane') ? (x: HTMLElement) => x.ariaCurrent === 'true'
    : (x: HTMLElement) => x === focus || x.contains(focus);
  const at = list.findIndex(isHere);
  const to = at < 0 ? (by > 0 ? 0 : list.length - 1)
    : Math.max(0, Math.min(list.length - 1, at + by));
  list[to]?.focus();
  list[to]?.scrollIntoView({ block: 'nearest' });
}

const letterKeys: Record<string, () => void> = {
  '/': () => showDialog({ what: 'find' }),
  '?': () => showDialog({ what: 'help' }),
  c: () => document.getElementById('question')?.focus(),
  j: () => moveFocus('.question, .answer', 1),
  k: () => moveFocus('.question, .answer', -1),
  ']': () => moveFocus('.prose .fn-chip', 1),
  '[': () => moveFocus('.prose .fn-chip', -1),
  r: () => dispatchEvent(new Event('footnote:pane')),
};

export function useShortcuts(onNew: () => void) {
  useLayoutEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.isComposing) return;
      const held = isMac ? e.metaKey : e.ctrlKey;
      const key = e.key.toLowerCase();
      const run = held && !e.altKey
        ? { k: () => showDialog({ what: 'find' }), j: onNew,
            ...(e.shiftKey ? { c: () => dispatchEvent(new Event('footnote:copy')) } : {}) }[key]
        : e.metaKey || e.ctrlKey || e.altKey || isTyping(e) || openDialog.get() ? undefined : letterKeys[e.key];
      if (!run) return;
      e.preventDefault();
      run();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [onNew]);
}
