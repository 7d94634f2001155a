// A quiet line at the edge of a passage: one for each block of its lines.
import type { Box } from '@footnote/client';

const LINE_GAP = 2.2; // of a line's height: what is further away is another block
const overlaps = (a: Box, b: Box) => a.x < b.x + b.w && b.x < a.x + a.w;

/** The blocks that lines of a passage make: those below each other. */
function blocksOf(lines: Box[]): Box[] {
  const blocks: Box[] = [];
  for (const b of lines) {
    const block = blocks.at(-1);
    const goesOn = block && overlaps(block, b) && b.y >= block.y - b.h && b.y - (block.y + block.h) < LINE_GAP * b.h;
    const sameLine = block && b.y < block.y + block.h && b.y + b.h > block.y + block.h - b.h && b.x - (block.x + block.w) < LINE_GAP * b.h;
    if (!goesOn && !(sameLine && b.x >= block.x)) {
      blocks.push({ ...b });
      continue;
    }
    const right = Math.max(block.x + block.w, b.x + b.w);
    const bottom = Math.max(block.y + block.h, b.y + b.h);
    block.x = Math.min(block.x, b.x);
    block.y = Math.min(block.y, b.y);
    block.w = right - block.x;
    block.h = bottom - block.y;
  }
  return blocks;
}

export const edgesOf = (lines: Box[]): Box[] => {
  const size = Math.min(12, ...lines.map((b) => b.h));
  return blocksOf(lines).map((b) => ({ x: Math.max(0, b.x - 0.7 * size), y: b.y, w: 0.2 * size, h: b.h }));
};
