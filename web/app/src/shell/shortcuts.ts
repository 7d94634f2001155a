// Keys.  Letters alone work only where nobody types.
import { useLayoutEffect } from 'react';
import { over, show } from './over.ts';

export const mac = /Mac|iPhone|iPad/.test(navigator.platform);
export const command = mac ? '⌘' : 'Ctrl';

const typing = (e: KeyboardEvent) =>
  e.target instanceof HTMLElement &&
  (e.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName));

/** Moves the focus among what the transcript has of a kind. */
function step(selector: string, by: 1 | -1) {
  const list = [...document.querySelectorAll<HTMLElement>(selector)];
  if (!list.length) return;
  const focus = document.activeElement;
  const at = list.findIndex((x) => x === focus || x.contains(focus));
  const to = at < 0 ? (by > 0 ? 0 : list.length - 1)
    : Math.max(0, Math.min(list.length - 1, at + by));
  list[to]?.focus();
  list[to]?.scrollIntoView({ block: 'nearest' });
}

const letters: Record<string, () => void> = {
  '/': () => show({ what: 'find' }),
  '?': () => show({ what: 'help' }),
  c: () => document.getElementById('question')?.focus(),
  j: () => step('.question, .answer', 1),
  k: () => step('.question, .answer', -1),
  ']': () => step('.prose .fn-chip', 1),
  '[': () => step('.prose .fn-chip', -1),
  r: () => dispatchEvent(new Event('footnote:pane')),
};

export function useShortcuts(onNew: () => void) {
  useLayoutEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.isComposing) return;
      const held = mac ? e.metaKey : e.ctrlKey;
      const key = e.key.toLowerCase();
      const run = held && !e.altKey
        ? { k: () => show({ what: 'find' }), j: onNew,
            ...(e.shiftKey ? { c: () => dispatchEvent(new Event('footnote:copy')) } : {}) }[key]
        : e.metaKey || e.ctrlKey || e.altKey || typing(e) || over.get() ? undefined : letters[e.key];
      if (!run) return;
      e.preventDefault();
      run();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [onNew]);
}
