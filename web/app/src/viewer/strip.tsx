// The part of a page picture around the claim, for the preview.
import { useEffect, useRef, useState } from 'react';
import type { Source } from '@footnote/client';
import { fileUrl } from '../data/documents.ts';
import { useMarks, type Claims } from '../data/marks.ts';

export function PageStrip({ source, claims }: { source: Source; claims: Claims }) {
  const shown = source.sourceType === 'slide' && source.documentId && source.slideNumber && (source.state === 'live' || source.state === 'changed');
  const id = shown ? source.documentId : null;
  const marks = useMarks(source, claims, id, source.documentVersion).value;
  const ref = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  const n = marks?.claims[claims.at]?.page ?? source.slideNumber;
  const page = marks?.pages?.find((p) => p.page === n) ?? marks?.pages?.[0];
  const carrying = page?.claims[claims.at] ?? [];
  const top = (carrying[0] ?? page?.passage[0])?.y;
  const height = page?.height;

  useEffect(() => {
    const box = ref.current;
    if (box && top !== undefined && height) box.scrollTop = (top / height) * box.scrollHeight - 16;
  }, [top, height]);
  if (!id || isMissing || !page) return null;
  const rects = (look: string, boxes: typeof carrying) =>
    boxes.map((b, i) => <rect key={i} className={look} x={b.x} y={b.y} width={b.w} height={b.h} />);
  return (
    <div className="preview-strip" ref={ref} aria-hidden="true">
      <div className="page-picture">
        <img src={fileUrl(id, `pages/${page.page}.png`, source.documentVersion)} alt=""
          width={page.width} height={page.height} onError={() => setMissing(true)} />
        <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none">
          {carrying.length ? rects('mark-open', carrying) : rects('mark-other', page.passage)}
        </svg>
      </div>
    </div>
  );
}
