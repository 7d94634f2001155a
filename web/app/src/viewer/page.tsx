// A slide or a page: its picture with the passage marked, a line of tools, and
// the map of all pages that the answer cites.
import { useRef, useState } from 'react';
import { kindOf, locatorOf, pageLabelOf } from '@footnote/client';
import { withPageName } from '../cite/page_names.ts';
import { Passage } from '../cite/passage.tsx';
import { titleOf } from '../cite/source_text.ts';
import { usePageText } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { FindBar } from './find_bar.tsx';
import { ViewerHead } from './viewer_head.tsx';
import { MapBar } from './map_bar.tsx';
import { MarkedPage } from './marked_page.tsx';
import { PageTools } from './page_tools.tsx';
import { useFind } from './use_find.ts';
import { usePageKeys } from './use_page_keys.ts';
import type { ViewProps } from './view_props.ts';

export function PageView({ document, version, note, claims, claimsOf, marks, onOpen, onAskPage, ...cites }: ViewProps) {
  const { t, n: plural, words } = useLocale();
  const source = withPageName(cites.source, document);
  const siblings = cites.siblings.map((s) => (s === cites.source ? source : withPageName(s, document)));
  const cited = source.slideNumber ?? 1;
  // The passage may begin on one page, and the claim stand on the next.
  const opened = marks?.claims[claims.at]?.page ?? cited;
  const [turnedTo, setN] = useState<number | null>(null);
  const n = turnedTo ?? opened;
  const [zoom, setZoom] = useState(1);
  const [finding, setFinding] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const last = document?.pages ?? null;
  const id = source.documentId!;
  const title = source.title || document?.title || titleOf(source, words.labels);
  const others = siblings.filter((s) => s !== source && Math.abs(s.slideNumber! - n) <= 1 && s.contentPreview);
  const text = usePageText(id, n, version);
  const find = useFind(id, text.value, n, setN);
  const openFind = () => {
    setFinding(true);
    root.current?.querySelector<HTMLInputElement>('.find-bar input')?.select();
  };
  const closeFind = () => {
    setFinding(false);
    find.setText('');
    root.current?.querySelector<HTMLElement>('.page-tools [aria-expanded]')?.focus();
  };
  usePageKeys(root, {
    turn: (by) => setN(Math.max(1, Math.min(last ?? n + by, n + by))), zoom, onZoom: setZoom, onFind: openFind,
  });
  return (
    <div className="page-view" ref={root}>
      <ViewerHead source={source} document={document} version={version} facts={[
        words.labels.kinds[kindOf(source)], last && plural('pages', last),
        document && document.version > 1 && t('newVersion', { n: version ?? document.version }),
      ]} />
      <PageTools n={n} last={last} label={document && pageLabelOf(document, n)} onTurn={setN} zoom={zoom} onZoom={setZoom}
        finding={finding} onFind={finding ? closeFind : openFind} />
      {finding && <FindBar find={find} n={n} onClose={closeFind} />}
      <MarkedPage documentId={id} version={version} n={n} title={title} text={text} marks={marks} at={claims.at}
        others={others.map((s) => ({ source: s, claims: claimsOf(s) }))}
        zoom={zoom} onZoom={setZoom} found={find.found} current={find.current} />
      {last && (
        <MapBar from={1} to={last} here={n} onOpen={(k) => { onOpen(k); setN(k === source.chunkNumber ? null : siblings.find((s) => s.chunkNumber === k)?.slideNumber ?? n); }}
          ticks={siblings.filter((s) => s.slideNumber).map((s) => ({
            n: s.chunkNumber, at: s.slideNumber!, current: s.slideNumber === n,
            label: `${words.labels.reference} ${s.chunkNumber}: ${locatorOf(s, words.labels)}`,
          }))} />
      )}
      {note}
      {marks?.pages?.length === 0 && n === cited && (
        <>
          <p className="note" role="note">{t(version === null && source.state === 'changed' ? 'notToday' : 'noMark')}</p>
          <blockquote className="quote" dir="auto"><Passage source={source} claims={claims} /></blockquote>
        </>
      )}
      {onAskPage && (source.state === 'live' || version === null) && ( // a question is about the newest version
        <div className="viewer-tools">
          <button type="button" className="button outlined"
            onClick={() => onAskPage({ documentId: id, courseId: source.courseId, title, n })}>
            <Icon name="spark" />{t('askPage')}</button>
        </div>
      )}
    </div>
  );
}
