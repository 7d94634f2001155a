// The words of a page over its picture, so that they can be selected and copied
// in reading order.  They cannot be seen: each has the place and the width of the
// word in the picture.
import { memo } from 'react';
import type { PageText } from '@footnote/client';

const WORDS_MAX = 5000;
const MEASURED_PX = 100;

let canvas: CanvasRenderingContext2D | null = null;
function widthOf(text: string): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return 0;
  canvas.font = `${MEASURED_PX}px sans-serif`;
  return canvas.measureText(text).width / MEASURED_PX;
}

type Word = PageText['words'][number];
const isSameLine = (a: Word, b: Word) => Math.abs(a.y - b.y) < b.h * 0.6;

export const PageWords = memo(function PageWords({ page }: { page: PageText }) {
  const words = page.words.slice(0, WORDS_MAX);
  const part = (points: number, of: number) => `${(100 * points) / of}%`;
  return (
    <div className="page-words" dir="auto">
      {words.map((w, i) => {
        const next = words[i + 1];
        const stretch = w.w / (widthOf(w.t) * w.h || 1);
        return (
          <span key={i} style={{
            left: part(w.x, page.width), top: part(w.y, page.height),
            fontSize: `${(100 * w.h) / page.width}cqw`, transform: `scaleX(${stretch})`,
          }}>{w.t}{next && (isSameLine(w, next) ? ' ' : '\n')}</span>
        );
      })}
    </div>
  );
});
