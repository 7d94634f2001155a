// A text with the words that were searched for in yellow.
export function Lit({ text, words }: { text: string; words: string }) {
  const list = words.split(/\s+/).filter(Boolean)
    .map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (!list.length) return text;
  return text.split(new RegExp(`(${list.join('|')})`, 'giu'))
    .map((part, i) => (i % 2 ? <mark key={i}>{part}</mark> : part));
}
