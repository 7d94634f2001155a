// The part of a passage to quote around the words that carry a claim.
export interface Span { start: number; end: number }

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
