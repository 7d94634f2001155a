// Which sentence of a passage supports a claim: the one that shares most words
// with the sentence before the chip.  It is only highlighted, never stored.
import type { Source } from '@footnote/client';

export interface Span { start: number; end: number }
/** Part of the words that must be shared, of the shorter of both sentences. */
const SHARED_MIN = 0.3;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
export const sentencesOf = (text: string): Span[] =>
  [...segmenter.segment(text)].map((s) => ({ start: s.index, end: s.index + s.segment.trimEnd().length }));

const wordsOf = (text: string) =>
  new Set(text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The sentence before the first marker of a source. */
export function claimTextOf(content: string, source: Source): string {
  const at = source.spans?.[0]?.[0];
  if (at === undefined) return '';
  const before = content.slice(Math.max(0, at - 1000), at).replace(/(\s*\[[^\]]{1,40}\])+\s*$/, '');
  const last = sentencesOf(before).at(-1);
  return last ? before.slice(last.start) : '';
}

/** Null when no sentence shares enough, or when there is only one. */
export function supportingSentence(passage: string, claim: string): Span | null {
  const wanted = wordsOf(claim);
  if (!wanted.size) return null;
  let best: Span | null = null;
  let most = 0;
  const all = sentencesOf(passage);
  if (all.length < 2) return null;
  for (const s of all) {
    const words = wordsOf(passage.slice(s.start, s.end));
    const shared = [...words].filter((w) => wanted.has(w)).length;
    const part = shared / Math.max(1, Math.min(wanted.size, words.size));
    if (part >= SHARED_MIN && shared > most) [best, most] = [s, shared];
  }
  return best;
}

const EXCERPT_CHARS = 280;

/** The first word that begins in a range, and the end of the last one that ends
 *  in it.  Where there are no spaces, as it is. */
function wordStart(text: string, from: number, to: number): number {
  if (from === 0 || /\s/.test(text[from - 1]!)) return from;
  const space = text.slice(from, to + 1).search(/\s\S/);
  return space < 0 ? from : from + space + 1;
}
function wordEnd(text: string, from: number, to: number): number {
  if (to === text.length || /\s/.test(text[to]!)) return to;
  const space = text.slice(from, to).search(/\s\S*$/);
  return space < 0 ? to : from + space;
}

/** The part of a long text to quote: the sentence, with what fits around it. */
export function excerptAround(text: string, sentence: Span): Span {
  if (text.length <= EXCERPT_CHARS) return { start: 0, end: text.length };
  const room = Math.max(0, EXCERPT_CHARS - (sentence.end - sentence.start));
  const start = Math.max(0, sentence.start - Math.floor(room / 3));
  const end = Math.min(text.length, Math.max(sentence.end, start + EXCERPT_CHARS));
  return { start: wordStart(text, start, sentence.start), end: wordEnd(text, sentence.end, end) };
}
