// The addresses of the app, on the History API:
//
//     /                       a new question
//     /c/{session}            a conversation
//     /c/{session}/m/{message}#ref-{n}   one answer, one of its references
//
// A passage that a search found is opened beside any of them.  It is kept in the
// entry of the history, so that Back closes it.
import { linkTo, parseLink, type Place, type Source } from '@footnote/client';
import { createStore, useStore } from './data/store.ts';

export type { Place };

const currentPlace = (): Place | null => parseLink(location.href);
const place = createStore<Place | null>(currentPlace());
const currentPassage = () => (history.state as { passage?: Source } | null)?.passage ?? null;
const passage = createStore<Source | null>(currentPassage());
addEventListener('popstate', () => {
  place.set(currentPlace());
  passage.set(currentPassage());
});

export function navigate(to: Place | null, how: 'push' | 'replace' = 'push') {
  const url = to ? linkTo(to) : '/';
  if (url !== location.pathname + location.hash || passage.get())
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', url);
  place.set(to);
  passage.set(null);
}

export function openPassage(source: Source) {
  history[passage.get() ? 'replaceState' : 'pushState']({ passage: source }, '');
  passage.set(source);
}
export const closePassage = () => history.back();
export const usePassage = () => useStore(passage);

export const usePlace = () => useStore(place);

/** A click handler for links.  Clicks that open a tab or a menu stay the browser's. */
export function followLink(e: React.MouseEvent, to: Place | null) {
  if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)
    return;
  e.preventDefault();
  navigate(to);
}
