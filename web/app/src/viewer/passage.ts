// Where the words of a passage stand on a page.
//
// The server keeps it with the passages that it cut from a PDF.  A part of one,
// or one of an older reading, is looked for.  Both sides are words without case
// and punctuation.  The longest run that they share is taken, then the longest
// before and after it, and so on; short runs by chance are left out.  When less
// than half of the passage is found, nothing is marked: a wrong mark is worse
// than none.
import type { PageText } from '@footnote/client';

export interface Box { x: number; y: number; w: number; h: number }
const RUN_MIN = 2;
const ENOUGH = 0.5;
const WORDS_MAX = 3000;

const bare = (word: string) =>
  word.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

interface Run { page: number; quote: number; n: number }

function longest(a: string[], b: string[], [a0, a1, b0, b1]: number[]): Run {
  let best: Run = { page: a0!, quote: b0!, n: 0 };
  let before = new Map<number, number>();
  for (let i = a0!; i < a1!; i++) {
    const now = new Map<number, number>();
    for (let j = b0!; j < b1!; j++) {
      if (a[i] !== b[j]) continue;
      const n = (before.get(j - 1) ?? 0) + 1;
      now.set(j, n);
      if (n > best.n) best = { page: i - n + 1, quote: j - n + 1, n };
    }
    before = now;
  }
  return best;
}

function runs(a: string[], b: string[]): Run[] {
  const found: Run[] = [];
  const todo = [[0, a.length, 0, b.length]];
  while (todo.length) {
    const [a0, a1, b0, b1] = todo.pop()! as [number, number, number, number];
    const run = longest(a, b, [a0, a1, b0, b1]);
    if (run.n < RUN_MIN && !(run.n === b.length)) continue;
    found.push(run);
    todo.push([a0, run.page, b0, run.quote], [run.page + run.n, a1, run.quote + run.n, b1]);
  }
  return found;
}

/** Words of one line become one box. */
function join(boxes: Box[]): Box[] {
  const lines: Box[] = [];
  for (const b of boxes) {
    const line = lines.at(-1);
    const same = line && Math.abs(line.y - b.y) < b.h * 0.6 &&
      b.x >= line.x && b.x - (line.x + line.w) < b.h * 1.5;
    if (!same) {
      lines.push({ ...b });
      continue;
    }
    const top = Math.min(line.y, b.y);
    line.h = Math.max(line.y + line.h, b.y + b.h) - top;
    line.y = top;
    line.w = b.x + b.w - line.x;
  }
  return lines;
}

/** Signs belong to a run, between its words and behind them on their line. */
function withSigns(words: PageText['words'], end: number): number {
  const line = words[end]!;
  while (words[end + 1] && !bare(words[end + 1]!.t) && Math.abs(words[end + 1]!.y - line.y) < line.h * 0.6) end++;
  return end;
}

/** Boxes in the page's units; empty when the passage is not there. */
export function placeOnPage(page: PageText, passage: string): Box[] {
  const kept = page.passages.find((p) => p.text === passage)?.boxes;
  if (kept?.length) return join(kept);
  const words = page.words.slice(0, WORDS_MAX)
    .map((w, at) => ({ at, key: bare(w.t) })).filter((w) => w.key);
  const quote = passage.split(/\s+/).map(bare).filter(Boolean).slice(0, WORDS_MAX);
  if (!words.length || !quote.length) return [];
  const found = runs(words.map((w) => w.key), quote);
  const covered = found.reduce((sum, r) => sum + r.n, 0);
  if (covered < quote.length * ENOUGH) return [];
  found.sort((a, b) => a.page - b.page);
  return join(found.flatMap((r) => {
    const end = words[r.page + r.n - 1]!.at;
    return page.words.slice(words[r.page]!.at, withSigns(page.words, end) + 1);
  }));
}
