// The picture of a page with its words over it, and passages marked on it: the
// claim that is open, more faintly other claims, and the rest of the passage by
// a line at its edge.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Box, Marks, PageText, Source } from '@footnote/client';
import { pictureUrl, type Version } from '../data/documents.ts';
import type { Loaded } from '../data/loaded.ts';
import { useMarks, type Claims } from '../data/marks.ts';
import { useLocale } from '../i18n/index.ts';
import { edgesOf } from './edges.ts';
import { PageWords } from './page_words.tsx';
import { usePinch } from './use_pinch.ts';
import { pictureScale, type PictureScale } from './zoom.ts';

interface Size {
  width: number;
  height: number;
}

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
  text: Loaded<PageText>;
  zoom: number;
  onZoom: (zoom: number) => void;
  /** Words that were looked for, and which of them is the current one. */
  found: Box[][];
  current: number;
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

/** Whether the picture of a page has come.  It is remembered by the page's name:
 *  one that is cached may be there before any effect of ours. */
function usePicture(name: string) {
  const [there, setThere] = useState<string | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  return {
    isThere: there === name, isMissing: missing === name,
    onLoad: () => setThere(name), onError: () => setMissing(name),
  };
}

/** The picture that is sharp at the width of `inner`; the larger one stays. */
function useSharpScale(inner: RefObject<HTMLElement | null>, page: Size | undefined, key: string): PictureScale {
  const [sharp, setSharp] = useState<{ key: string; scale: PictureScale }>({ key, scale: 1 });
  useEffect(() => {
    const el = inner.current;
    if (!el || !page) return;
    const resized = new ResizeObserver(() => {
      if (pictureScale(el.clientWidth * devicePixelRatio, page.width) === 2) setSharp({ key, scale: 2 });
    });
    resized.observe(el);
    return () => resized.disconnect();
  }, [inner, page, key]);
  return sharp.key === key ? sharp.scale : 1;
}

/** What is in the middle of the frame stays there when the page grows. */
function useKeptMiddle(frame: RefObject<HTMLElement | null>, zoom: number) {
  const was = useRef(zoom);
  useLayoutEffect(() => {
    const box = frame.current;
    const grown = zoom / was.current;
    was.current = zoom;
    if (!box || grown === 1) return;
    box.scrollTop = (box.scrollTop + box.clientHeight / 2) * grown - box.clientHeight / 2;
    box.scrollLeft = (box.scrollLeft + box.clientWidth / 2) * grown - box.clientWidth / 2;
  }, [frame, zoom]);
}

function showBox(frame: HTMLElement, page: Size, b: Box) {
  frame.scrollTop = (b.y / page.height) * frame.scrollHeight - frame.clientHeight / 3;
  frame.scrollLeft = (b.x / page.width) * frame.scrollWidth - frame.clientWidth / 3;
}

export function MarkedPage(props: Props) {
  const { documentId, version, n, title, text, marks, at, others, zoom, onZoom, found, current } = props;
  const { t } = useLocale();
  const name = `${documentId}/${version}/${n}`;
  const picture = usePicture(name);
  const ref = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const { page: marked, now, other, edges } = boxesOf(marks, n, at);
  const page: Size | undefined = marked ?? text.value;
  const scale = useSharpScale(inner, page, name);
  const first = now[0] ?? marked?.passage[0];
  const hit = found[current]?.[0];
  useKeptMiddle(ref, zoom);
  usePinch(ref, zoom, onZoom);

  // Scrolls a tall page until the mark is visible.
  useEffect(() => {
    const box = ref.current;
    if (first && page && box && box.scrollHeight > box.clientHeight) showBox(box, page, first);
  }, [first, page, picture.isThere]);
  useEffect(() => {
    if (!hit || !page || !ref.current) return;
    showBox(ref.current, page, hit);
    ref.current.querySelector('.mark-found.current')?.scrollIntoView({ block: 'nearest' });
  }, [hit, page, picture.isThere]);

  const tall = page ? page.height > page.width : false;
  const scrolls = tall || zoom > 1;
  return (
    <div ref={ref} className={`page-picture${tall ? ' tall' : ''}${scrolls ? ' scrolls' : ''}`} tabIndex={scrolls ? 0 : -1}
      role={scrolls ? 'region' : undefined} aria-label={scrolls ? t('pagePicture', { n, title }) : undefined}
      style={scrolls && !tall && page ? { aspectRatio: page.width / page.height } : undefined}>
      {picture.isMissing ? <div className="page-picture-missing">{t('noPicture')}</div> : (
        <div className="page-picture-inner" ref={inner} style={{ inlineSize: `${100 * zoom}%` }}>
          <img key={name} src={pictureUrl(documentId, n, version, scale)}
            alt={t('pagePicture', { n, title })} width={page?.width} height={page?.height}
            onLoad={picture.onLoad} onError={picture.onError} />
          {page && picture.isThere && (
            <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none" aria-hidden="true"
              data-marks={now.length + other.length}>
              {others.map((o) => <OtherMarks key={o.source.sourceId} {...o} {...{ documentId, version, n }} />)}
              {edges.map((e, i) => <rect key={i} className="mark-edge" x={e.x} y={e.y} width={e.w} height={e.h} rx={e.w / 2} />)}
              {other.map((b, i) => rect(b, i, 'mark-other'))}
              {now.map((b, i) => rect(b, i, 'mark-open'))}
              {found.map((boxes, i) => boxes.map((b, k) =>
                rect(b, i * 1000 + k, i === current ? 'mark-found current' : 'mark-found')))}
            </svg>
          )}
          {text.value && picture.isThere && <PageWords page={text.value} />}
        </div>
      )}
    </div>
  );
}
