// The part of a page that a preview has room for: where the passage stands.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Source } from '@footnote/client';
import { usePageText } from '../data/documents.ts';
import { placeOnPage } from './passage.ts';

export function PageStrip({ source }: { source: Source }) {
  const shown = source.sourceType === 'slide' && source.documentId && source.slideNumber && source.state === 'live';
  const id = shown ? source.documentId : null;
  const text = usePageText(id, source.slideNumber ?? 1);
  const ref = useRef<HTMLDivElement>(null);
  const [there, setThere] = useState(true);
  const page = text.value;
  const passage = source.contentPreview ?? '';
  const boxes = useMemo(() => (page ? placeOnPage(page, passage) : []), [page, passage]);

  useEffect(() => {
    const box = ref.current;
    if (box && page && boxes[0])
      box.scrollTop = (boxes[0].y / page.height) * box.scrollHeight - 16;
  }, [page, boxes]);
  if (!id || !there || !page) return null;
  return (
    <div className="preview-strip" ref={ref} aria-hidden="true">
      <div className="sheet-of-paper">
        <img src={`/api/documents/${encodeURIComponent(id)}/pages/${source.slideNumber}.png`} alt=""
          width={page.width} height={page.height} onError={() => setThere(false)} />
        <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none">
          {boxes.map((b, i) => <rect key={i} className="mark-now" x={b.x} y={b.y} width={b.w} height={b.h} />)}
        </svg>
      </div>
    </div>
  );
}
