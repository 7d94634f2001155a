// Which words of a passage carry the claim: for showing only.  The sentence of
// the passage that shares most words with the sentence before the number, when
// it shares enough to be worth pointing at.
import type { Source } from '@footnote/client';

export interface Span { start: number; end: number }
const ENOUGH = 0.3;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
export const sentencesOf = (text: string): Span[] =>
  [...segmenter.segment(text)].map((s) => ({ start: s.index, end: s.index + s.segment.trimEnd().length }));

const wordsOf = (text: string) =>
  new Set(text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The sentence that the first marker of a source closes. */
export function claimTextOf(content: string, source: Source): string {
  const at = source.spans?.[0]?.[0];
  if (at === undefined) return '';
  const before = content.slice(Math.max(0, at - 1000), at).replace(/(\s*\[[^\]]{1,40}\])+\s*$/, '');
  const last = sentencesOf(before).at(-1);
  return last ? before.slice(last.start) : '';
}

export function carryingSpan(passage: string, claim: string): Span | null {
  const wanted = wordsOf(claim);
  if (!wanted.size) return null;
  let best: Span | null = null;
  let most = 0;
  const all = sentencesOf(passage);
  if (all.length < 2) return null; // the whole of it is no news
  for (const s of all) {
    const words = wordsOf(passage.slice(s.start, s.end));
    const shared = [...words].filter((w) => wanted.has(w)).length;
    const part = shared / Math.max(1, Math.min(wanted.size, words.size));
    if (part >= ENOUGH && shared > most) [best, most] = [s, shared];
  }
  return best;
}
