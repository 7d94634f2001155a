// The addresses of the app, on the History API:
//
//     /                       a new question
//     /c/{session}            a conversation
//     /c/{session}/m/{message}#ref-{n}   one answer, one of its references
import { linkTo, parseLink, type Place } from '@footnote/client';
import { createStore, useStore } from './data/store.ts';

export type { Place };

const currentPlace = (): Place | null => parseLink(location.href);
const place = createStore<Place | null>(currentPlace());
addEventListener('popstate', () => place.set(currentPlace()));

export function navigate(to: Place | null, how: 'push' | 'replace' = 'push') {
  const url = to ? linkTo(to) : '/';
  if (url !== location.pathname + location.hash)
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', url);
  place.set(to);
}

export const usePlace = () => useStore(place);

/** A click handler for links.  Clicks that open a tab or a menu stay the browser's. */
export function followLink(e: React.MouseEvent, to: Place | null) {
  if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)
    return;
  e.preventDefault();
  navigate(to);
}
