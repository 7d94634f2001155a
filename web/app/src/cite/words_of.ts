// Where the words of a text stand in what was drawn of it.  Drawing leaves signs out,
// and puts some words in; the order stays.
export interface Word { text: string; at: number }
export interface DrawnWord { text: string; node: Text; at: number }

const WORD = /[\p{L}\p{N}]+/gu;
const AHEAD_MAX = 60;

export const wordsIn = (text: string): Word[] =>
  [...text.matchAll(WORD)].map((found) => ({ text: found[0], at: found.index }));

const NOT_OF_THE_TEXT = '.fn-chip, .fn-no-source, .fn-host, .fn-math';

/** The words that an element shows, formulas left out. */
export function wordsDrawn(root: Element): DrawnWord[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL, (node) => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    return (node as Element).matches?.(NOT_OF_THE_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  const words: DrawnWord[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    for (const { text, at } of wordsIn(node.data)) words.push({ text, node, at });
  }
  return words;
}

/** For each word of the text the place of the one that shows it; -1: none does.
 *  Where they differ, the nearest word that both have goes on. */
export function pairWords(words: ReadonlyArray<{ text: string }>, drawn: ReadonlyArray<{ text: string }>): Int32Array {
  const pairs = new Int32Array(words.length).fill(-1);
  const same = (i: number, k: number) => words[i]?.text === drawn[k]?.text;
  const nextPair = (i: number, k: number): [number, number] | null => {
    for (let sum = 1; sum <= AHEAD_MAX; sum++)
      for (let a = 0; a <= sum; a++)
        if (i + a < words.length && k + sum - a < drawn.length && same(i + a, k + sum - a)) return [i + a, k + sum - a];
    return null;
  };
  for (let i = 0, k = 0; i < words.length && k < drawn.length; i++, k++) {
    if (!same(i, k)) {
      const next = nextPair(i, k);
      if (!next) break;
      [i, k] = next;
    }
    pairs[i] = k;
  }
  return pairs;
}
