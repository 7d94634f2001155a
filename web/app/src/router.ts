// The addresses of the app, on the History API:
//
//     /                       a new question
//     /c/{session}            a conversation
//     /c/{session}/m/{message}#ref-{n}   one answer, one of its references
//     /d/{document}?version=&page=&t=    a document
//     /library, /library/{course}?q=…    all documents, or those of a course
//
// Back closes what was opened: a reference, a passage that a search found (kept
// in the entry of the history) and layers such as dialogs have entries too.
import {
  linkTo, parseLink, parseReaderLink, type Place, type ReaderPlace, type Source,
} from '@footnote/client';
import { createStore, useStore } from './data/store.ts';

export type { Place };

interface Entry { passage?: Source; layer?: number; reference?: boolean }
const entry = () => (history.state ?? {}) as Entry;

const place = createStore<Place | null>(parseLink(location.href));
const readerPlace = createStore<Required<ReaderPlace> | null>(parseReaderLink(location.href));
const passage = createStore<Source | null>(entry().passage ?? null);
/** The address of the library, when that is shown. */
const libraryUrl = () => (/^\/library(\/|$)/.test(location.pathname) ? location.pathname + location.search : null);
const library = createStore<string | null>(libraryUrl());

function readAddress() {
  library.set(libraryUrl());
  place.set(parseLink(location.href));
  readerPlace.set(parseReaderLink(location.href));
  passage.set(entry().passage ?? null);
}
/** Going back takes a moment, in which something else may be opened. */
let leaving = false;
let movedOn = false;
function leaveEntry() {
  leaving = true;
  movedOn = false;
  history.back();
}
/** We have left an entry of ours, whose layer is closed already. */
function left() {
  leaving = false;
  if (movedOn) history.forward();
  else if (layers.length > (entry().layer ?? 0)) enterLayer();
}
addEventListener('popstate', () => {
  if (leaving) left();
  else while (layers.length > (entry().layer ?? 0)) layers.pop()!();
  if (!movedOn) readAddress();
  movedOn = false;
});

function setEntry(how: 'push' | 'replace', url: string, state: Entry | null) {
  movedOn = leaving;
  // The layer that was left by this is not come back to.
  history[how === 'replace' || entry().layer ? 'replaceState' : 'pushState'](state, '', url);
  readAddress();
}

export function navigate(to: Place | null, how: 'push' | 'replace' = 'push') {
  const url = to ? linkTo(to) : '/';
  const same = url === location.pathname + location.hash && !passage.get() && !entry().layer;
  setEntry(same ? 'replace' : how, url, null);
}

/** To an address of the app that is no place in a conversation. */
export const goTo = (url: string, how: 'push' | 'replace' = 'push') => setEntry(how, url, null);

export const useLibraryUrl = () => useStore(library);
/** The course whose documents are shown. */
export function libraryCourse(): string | null {
  const course = /^\/library\/([^/]+)/.exec(location.pathname)?.[1];
  try {
    return course === undefined ? null : decodeURIComponent(course);
  } catch {
    return null;
  }
}
export const usePlace = () => useStore(place);
export const useReaderPlace = () => useStore(readerPlace);

// ---- References and passages ------------------------------------------------

/** The first one has an entry of its own; others take its place. */
export function openPlace(to: Required<Place>) {
  const isFirst = place.get()?.n === undefined && !passage.get();
  const isOwn = isFirst || entry().reference || passage.get();
  setEntry(isFirst ? 'push' : 'replace', linkTo(to), isOwn ? { reference: true } : null);
}
export function closePlace(sessionId: string) {
  if (entry().reference) leaveEntry();
  else if (place.get()) navigate({ sessionId }, 'replace');
}

export const openPassage = (source: Source) =>
  setEntry(passage.get() ? 'replace' : 'push', location.href, { passage: source });
export const closePassage = leaveEntry;
export const usePassage = () => useStore(passage);

// ---- Layers -----------------------------------------------------------------

const layers: Array<() => void> = [];
const enterLayer = () => history.pushState({ ...entry(), layer: layers.length }, '');
if (entry().layer) history.replaceState(null, ''); // the page was loaded again

/** Something lies over the page; Back calls `close`.  Returns what to call when
 *  it is gone. */
export function pushLayer(close: () => void): () => void {
  layers.push(close);
  if ((entry().layer ?? 0) < layers.length) enterLayer();
  return () => {
    const at = layers.indexOf(close);
    if (at < 0) return;
    layers.splice(at, 1);
    // What closed it may open something else in its place.
    queueMicrotask(() => {
      if ((entry().layer ?? 0) > layers.length) leaveEntry();
    });
  };
}

/** A click handler for links.  Clicks that open a tab or a menu stay the browser's. */
export function followLink(e: React.MouseEvent, to: Place | string | null) {
  if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)
    return;
  e.preventDefault();
  if (typeof to === 'string') goTo(to);
  else navigate(to);
}
