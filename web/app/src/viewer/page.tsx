// A slide or a page: its picture with the passage marked, buttons to turn pages,
// and the map of all pages that the answer cites.
import { useState } from 'react';
import { locatorOf } from '@footnote/client';
import { Passage } from '../cite/passage.tsx';
import { titleOf } from '../cite/source_text.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { ViewerHead } from './viewer_head.tsx';
import { MapBar } from './map_bar.tsx';
import { MarkedPage } from './marked_page.tsx';
import type { ViewProps } from './view_props.ts';

export function PageView({ source, document, version, note, claim, siblings, onOpen, onAskPage }: ViewProps) {
  const { t, n: plural, words } = useLocale();
  const cited = source.slideNumber ?? 1;
  const [n, setN] = useState(cited);
  const [placed, setPlaced] = useState(true);
  const last = document?.pages ?? null;
  const id = source.documentId!;
  const title = source.title || document?.title || titleOf(source, words.labels);
  const here = [source, ...siblings.filter((s) => s !== source)].filter((s) => s.slideNumber === n && s.contentPreview);
  return (
    <>
      <ViewerHead source={source} document={document} version={version} facts={[
        words.labels.kinds[source.sourceType], last && plural('pages', last),
        document && document.version > 1 && t('newVersion', { n: version ?? document.version }),
      ]}>
        <div className="pager" role="group" aria-label={last ? t('pageOf', { n, count: last }) : undefined}>
          <button type="button" className="icon-button" aria-label={t('previousPage')} disabled={n <= 1}
            onClick={() => setN(n - 1)}><Icon name="back" /></button>
          <bdi>{n}{last ? ` / ${last}` : ''}</bdi>
          <button type="button" className="icon-button" aria-label={t('nextPage')} disabled={last !== null && n >= last}
            onClick={() => setN(n + 1)}><Icon name="forth" /></button>
        </div>
      </ViewerHead>
      <MarkedPage documentId={id} version={version} n={n} title={title} sources={here} claim={n === cited ? claim : ''}
        onPlaced={setPlaced} />
      {last && (
        <MapBar from={1} to={last} here={n} onOpen={(k) => { onOpen(k); setN(siblings.find((s) => s.chunkNumber === k)?.slideNumber ?? n); }}
          ticks={siblings.filter((s) => s.slideNumber).map((s) => ({
            n: s.chunkNumber, at: s.slideNumber!, current: s.slideNumber === n,
            label: `${words.labels.reference} ${s.chunkNumber}: ${locatorOf(s, words.labels)}`,
          }))} />
      )}
      {note}
      {!placed && n === cited && (
        <>
          <p className="note" role="note">{t(version === null && source.state === 'changed' ? 'notToday' : 'noMark')}</p>
          <blockquote className="quote" dir="auto"><Passage source={source} claim={claim} /></blockquote>
        </>
      )}
      {onAskPage && (source.state === 'live' || version === null) && ( // a question is about the newest version
        <div className="viewer-tools">
          <button type="button" className="button outlined"
            onClick={() => onAskPage({ documentId: id, courseId: source.courseId, title, n })}>
            <Icon name="spark" />{t('askPage')}</button>
        </div>
      )}
    </>
  );
}
