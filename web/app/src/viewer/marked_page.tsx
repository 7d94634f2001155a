// The picture of a page with passages marked on it.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Source } from '@footnote/client';
import { fileUrl, usePageText, type Version } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { marksOf } from './marks_on_page.ts';
import type { Box } from './place_on_page.ts';

interface Props {
  documentId: string;
  version: Version;
  n: number;
  title: string;
  /** Sources on this page; the first one is open. */
  sources: Source[];
  claim: string;
  onPlaced?: (placed: boolean) => void;
}

const rect = (b: Box, i: number, look: string) =>
  <rect key={`${look}${i}`} className={look} x={b.x - b.h * 0.08} y={b.y - b.h * 0.06}
    width={b.w + b.h * 0.16} height={b.h * 1.12} rx={b.h * 0.1} />;

export function MarkedPage({ documentId, version, n, title, sources, claim, onPlaced }: Props) {
  const { t } = useLocale();
  const text = usePageText(documentId, n, version);
  const [picture, setPicture] = useState<'coming' | 'there' | 'missing'>('coming');
  const ref = useRef<HTMLDivElement>(null);
  const page = text.value;
  // While an answer streams, its sources are new objects with every piece, but
  // their passages are the same.  Placing a passage takes long.
  const passages = sources.map((s) => s.contentPreview ?? '').join('\0');
  const hasSources = sources.length > 0;
  const marks = useMemo(() => (page && hasSources ? marksOf(page, passages.split('\0'), claim) : null),
    [page, hasSources, passages, claim]);
  const first = marks?.now[0];

  useEffect(() => {
    setPicture('coming');
  }, [documentId, version, n]);
  useEffect(() => {
    if (text.state !== 'loading') onPlaced?.(!!first || !hasSources);
    // Scrolls a tall page until the mark is visible.
    const box = ref.current;
    if (first && page && box && box.scrollHeight > box.clientHeight)
      box.scrollTop = (first.y / page.height) * box.scrollHeight - box.clientHeight / 3;
  }, [text.state, first, page, hasSources, onPlaced]);

  const tall = page ? page.height > page.width : false;
  return (
    <div ref={ref} className={tall ? 'page-picture tall' : 'page-picture'} tabIndex={tall ? 0 : undefined}
      role={tall ? 'region' : undefined} aria-label={tall ? t('pagePicture', { n, title }) : undefined}>
      {picture === 'missing' ? <div className="page-picture-missing">{t('noPicture')}</div> : (
        <div className="page-picture-inner">
          <img src={fileUrl(documentId, `pages/${n}.png`, version)}
            alt={t('pagePicture', { n, title })} width={page?.width} height={page?.height}
            onLoad={() => setPicture('there')} onError={() => setPicture('missing')} />
          {page && marks && picture === 'there' && (
            <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none" aria-hidden="true"
              data-marks={marks.now.length}>
              {marks.other.map((b, i) => rect(b, i, 'mark-other'))}
              {marks.now.map((b, i) => rect(b, i, 'mark-open'))}
            </svg>
          )}
        </div>
      )}
    </div>
  );
}
