// Finds words on a page: without case, over the ends of lines, within words.
import type { PageText } from '@footnote/client';
import type { Box } from '@footnote/client';

type Word = PageText['words'][number];
const WORDS_MAX = 20_000;
const FOUND_MAX = 1000;

const folded = (text: string) => text.normalize('NFKC').toLowerCase();
/** The words that are looked for, one space between them. */
export const foldedQuery = (text: string) => folded(text).replace(/\s+/g, ' ').trim();
export const contains = (text: string, query: string) => query !== '' && foldedQuery(text).includes(query);

/** The part of a word's box from one of its letters to another. */
function partOf(w: Word, letters: number, from: number, to: number): Box {
  const letter = w.w / Math.max(1, letters);
  return { x: w.x + from * letter, y: w.y, w: (to - from) * letter, h: w.h };
}

/** Where each hit stands: a box for each of its words.  `query` is folded. */
export function findOnPage(page: PageText, query: string): Box[][] {
  if (!query) return [];
  const words = page.words.slice(0, WORDS_MAX).map((w) => ({ w, text: folded(w.t) }));
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    starts.push(text.length);
    text += `${word.text} `;
  }
  const found: Box[][] = [];
  let first = 0;
  for (let at = text.indexOf(query); at >= 0 && found.length < FOUND_MAX; at = text.indexOf(query, at + query.length)) {
    const end = at + query.length;
    while (first + 1 < words.length && starts[first + 1]! <= at) first++;
    const boxes: Box[] = [];
    for (let i = first; i < words.length && starts[i]! < end; i++) {
      const { w, text: word } = words[i]!;
      const from = Math.max(0, at - starts[i]!);
      const to = Math.min(word.length, end - starts[i]!);
      boxes.push(partOf(w, word.length, from, to));
    }
    found.push(boxes);
  }
  return found;
}

/** The page to go on with: the next or previous one of `pages`, around the end.
 *  Null when there is none but `here`. */
export function nextPageOf(pages: number[], here: number, by: 1 | -1): number | null {
  const others = pages.filter((n) => n !== here);
  if (!others.length) return null;
  return by > 0 ? others.find((n) => n > here) ?? others[0]!
    : others.findLast((n) => n < here) ?? others.at(-1)!;
}
