// Where the words of a passage are on a page.
//
// The server stores the boxes of passages that it cut from a PDF.  For a part of
// a passage, or one from an older version, we search.  Words are compared without
// case and punctuation.  The longest run of shared words is taken, then the
// longest before and after it, and so on; single words are ignored.  When less
// than half of the passage is found, nothing is marked: a wrong mark is worse
// than none.
import type { PageText } from '@footnote/client';

export interface Box { x: number; y: number; w: number; h: number }
const RUN_MIN = 2;
const FOUND_MIN = 0.5;
const WORDS_MAX = 3000;

const normalized = (word: string) =>
  word.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

interface Run { page: number; quote: number; n: number }

function longestRun(a: string[], b: string[], [a0, a1, b0, b1]: number[]): Run {
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

function sharedRuns(a: string[], b: string[]): Run[] {
  const found: Run[] = [];
  const todo = [[0, a.length, 0, b.length]];
  while (todo.length) {
    const [a0, a1, b0, b1] = todo.pop()! as [number, number, number, number];
    const run = longestRun(a, b, [a0, a1, b0, b1]);
    if (run.n < RUN_MIN && !(run.n === b.length)) continue;
    found.push(run);
    todo.push([a0, run.page, b0, run.quote], [run.page + run.n, a1, run.quote + run.n, b1]);
  }
  return found;
}

/** Joins the boxes of words on one line. */
function joinLines(boxes: Box[]): Box[] {
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

/** The index of the last punctuation mark that follows the word on its line. */
function endWithSigns(words: PageText['words'], end: number): number {
  const line = words[end]!;
  while (words[end + 1] && !normalized(words[end + 1]!.t) && Math.abs(words[end + 1]!.y - line.y) < line.h * 0.6) end++;
  return end;
}

/** Boxes in the page's units; none when the passage is not found. */
export function placeOnPage(page: PageText, passage: string): Box[] {
  const stored = page.passages.find((p) => p.text === passage)?.boxes;
  if (stored?.length) return joinLines(stored);
  const words = page.words.slice(0, WORDS_MAX)
    .map((w, at) => ({ at, key: normalized(w.t) })).filter((w) => w.key);
  const quote = passage.split(/\s+/).map(normalized).filter(Boolean).slice(0, WORDS_MAX);
  if (!words.length || !quote.length) return [];
  const found = sharedRuns(words.map((w) => w.key), quote);
  const covered = found.reduce((sum, r) => sum + r.n, 0);
  if (covered < quote.length * FOUND_MIN) return [];
  found.sort((a, b) => a.page - b.page);
  return joinLines(found.flatMap((r) => {
    const end = words[r.page + r.n - 1]!.at;
    return page.words.slice(words[r.page]!.at, endWithSigns(page.words, end) + 1);
  }));
}
