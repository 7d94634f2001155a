// The picture of a page with passages marked on it: the claim that is open, more
// faintly other claims, and the rest of the passage by a line at its edge.
import { useEffect, useRef, useState } from 'react';
import type { Box, Marks, Source } from '@footnote/client';
import { fileUrl, usePageText, type Version } from '../data/documents.ts';
import { useMarks, type Claims } from '../data/marks.ts';
import { useLocale } from '../i18n/index.ts';
import { edgesOf } from './edges.ts';

interface Props {
  documentId: string;
  version: Version;
  n: number;
  title: string;
  /** Of the open source; absent: not known, or there is none. */
  marks: Marks | undefined;
  /** Which of its claims is open. */
  at: number;
  /** Other sources that the answer cites from about this page. */
  others: Array<{ source: Source; claims: Claims }>;
}

const rect = (b: Box, i: number, look: string) =>
  <rect key={`${look}${i}`} className={look} x={b.x - b.h * 0.08} y={b.y - b.h * 0.06}
    width={b.w + b.h * 0.16} height={b.h * 1.12} rx={b.h * 0.1} />;

/** What is marked on page n for a source; without a claim, all of its passage. */
function boxesOf(marks: Marks | undefined, n: number, at: number) {
  const page = marks?.pages?.find((p) => p.page === n);
  const claims = page?.claims ?? [];
  const isCarried = marks?.claims.some((c) => c.page !== undefined) ?? false;
  return {
    page,
    now: claims[at] ?? [],
    other: isCarried ? claims.flatMap((boxes, i) => (i === at ? [] : boxes)) : page?.passage ?? [],
    edges: edgesOf(page?.passage ?? []),
  };
}

/** The claims of another source on the page. */
function OtherMarks({ source, claims, documentId, version, n }: Props['others'][0] & Pick<Props, 'documentId' | 'version' | 'n'>) {
  const { value } = useMarks(source, claims, documentId, version);
  const { now, other } = boxesOf(value, n, claims.at);
  return <>{[...now, ...other].map((b, i) => rect(b, i, 'mark-other'))}</>;
}

/** Whether the picture of an address has come.  It is remembered by its address:
 *  one that is cached may be there before any effect of ours. */
function usePicture(src: string) {
  const [there, setThere] = useState<string | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  return {
    isThere: there === src, isMissing: missing === src,
    onLoad: () => setThere(src), onError: () => setMissing(src),
  };
}

export function MarkedPage({ documentId, version, n, title, marks, at, others }: Props) {
  const { t } = useLocale();
  const text = usePageText(documentId, n, version);
  const src = fileUrl(documentId, `pages/${n}.png`, version);
  const picture = usePicture(src);
  const ref = useRef<HTMLDivElement>(null);
  const { page: marked, now, other, edges } = boxesOf(marks, n, at);
  const page = marked ?? text.value;
  const top = (now[0] ?? marked?.passage[0])?.y;
  const height = page?.height;

  // Scrolls a tall page until the mark is visible.
  useEffect(() => {
    const box = ref.current;
    if (top !== undefined && height && box && box.scrollHeight > box.clientHeight)
      box.scrollTop = (top / height) * box.scrollHeight - box.clientHeight / 3;
  }, [top, height, picture.isThere]);

  const tall = page ? page.height > page.width : false;
  return (
    <div ref={ref} className={tall ? 'page-picture tall' : 'page-picture'} tabIndex={tall ? 0 : undefined}
      role={tall ? 'region' : undefined} aria-label={tall ? t('pagePicture', { n, title }) : undefined}>
      {picture.isMissing ? <div className="page-picture-missing">{t('noPicture')}</div> : (
        <div className="page-picture-inner">
          <img src={src} alt={t('pagePicture', { n, title })} width={page?.width} height={page?.height}
            onLoad={picture.onLoad} onError={picture.onError} />
          {page && picture.isThere && (
            <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none" aria-hidden="true"
              data-marks={now.length + other.length}>
              {others.map((o) => <OtherMarks key={o.source.sourceId} {...o} {...{ documentId, version, n }} />)}
              {edges.map((e, i) => <rect key={i} className="mark-edge" x={e.x} y={e.y} width={e.w} height={e.h} rx={e.w / 2} />)}
              {other.map((b, i) => rect(b, i, 'mark-other'))}
              {now.map((b, i) => rect(b, i, 'mark-open'))}
            </svg>
          )}
        </div>
      )}
    </div>
  );
}
