// How wide the pane is, kept in the browser.  Without a choice, style sheets say.
import { loadItem, saveItem } from '../data/browser_storage.ts';
import { createStore } from '../data/store.ts';

const KEY = 'pane-width';
export const PANE_MIN = 352;
/** What the rail and the conversation keep. */
const REST_MIN = 640;
const REST_MIN_WITHOUT_RAIL = 384;
const RAIL_FROM = 1180; // as styles/shell.css

/** The most that a window leaves to the pane. */
export const paneMax = (windowWidth: number) =>
  Math.max(PANE_MIN, windowWidth - (windowWidth > RAIL_FROM ? REST_MIN : REST_MIN_WITHOUT_RAIL));
export const paneWidthIn = (width: number, windowWidth: number) =>
  Math.round(Math.max(PANE_MIN, Math.min(paneMax(windowWidth), width)));

const stored = Number(loadItem(KEY));
/** Null: as wide as the style sheet says. */
export const paneWidth = createStore<number | null>(stored >= PANE_MIN && stored < 10_000 ? stored : null);

export function setPaneWidth(width: number | null) {
  paneWidth.set(width);
  saveItem(KEY, width === null ? null : String(width));
}
