// A text with the search words marked.
export function HighlightedText({ text, words }: { text: string; words: string }) {
  const list = words.split(/\s+/).filter(Boolean)
    .map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (!list.length) return text;
  return text.split(new RegExp(`(${list.join('|')})`, 'giu'))
    .map((part, i) => (i % 2 ? <mark key={i}>{part}</mark> : part));
}
