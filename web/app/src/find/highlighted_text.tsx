// A text with the search words marked.

/** The text in pieces; every second one is one of the words. */
export function splitAtWords(text: string, words: string): string[] {
  const patterns = words.split(/\s+/).filter(Boolean).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return patterns.length ? text.split(new RegExp(`(${patterns.join('|')})`, 'giu')) : [text];
}

export function HighlightedText({ text, words }: { text: string; words: string }) {
  return splitAtWords(text, words).map((piece, i) => (i % 2 ? <mark key={i}>{piece}</mark> : piece));
}
