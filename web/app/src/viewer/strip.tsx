// The part of a page picture around the passage, for the preview.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Source } from '@footnote/client';
import { fileUrl, usePageText } from '../data/documents.ts';
import { marksOf } from './marks_on_page.ts';

export function PageStrip({ source, claim }: { source: Source; claim: string }) {
  const shown = source.sourceType === 'slide' && source.documentId && source.slideNumber && (source.state === 'live' || source.state === 'changed');
  const id = shown ? source.documentId : null;
  const text = usePageText(id, source.slideNumber ?? 1, source.documentVersion);
  const ref = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  const page = text.value;
  const passage = source.contentPreview ?? '';
  const boxes = useMemo(() => (page ? marksOf(page, [passage], claim).now : []), [page, passage, claim]);

  useEffect(() => {
    const box = ref.current;
    if (box && page && boxes[0])
      box.scrollTop = (boxes[0].y / page.height) * box.scrollHeight - 16;
  }, [page, boxes]);
  if (!id || isMissing || !page) return null;
  return (
    <div className="preview-strip" ref={ref} aria-hidden="true">
      <div className="page-picture">
        <img src={fileUrl(id, `pages/${source.slideNumber}.png`, source.documentVersion)} alt=""
          width={page.width} height={page.height} onError={() => setMissing(true)} />
        <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none">
          {boxes.map((b, i) => <rect key={i} className="mark-open" x={b.x} y={b.y} width={b.w} height={b.h} />)}
        </svg>
      </div>
    </div>
  );
}
