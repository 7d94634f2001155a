// The references on narrow screens: a sheet from below with one reference at a
// time, or the list of all.
import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { downloadOf, readerOf, registryOf } from '@footnote/client';
import { claimsIn } from '../data/marks.ts';
import { complaint } from '../data/feedback.ts';
import { isExceptional, sentenceOf } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { References, Viewer, type PaneProps } from './pane.tsx';
import { Passage } from './passage.tsx';
import { openLabel } from './source_text.ts';
import { VerdictHead, VerdictWords } from './verdict_words.tsx';

export function Sheet(props: PaneProps) {
  const { message, n, at, onOpen, onClose } = props;
  const { t, words } = useLocale();
  const ref = useRef<HTMLDialogElement>(null);
  const [showList, setShowList] = useState(false);
  const registry = registryOf(message?.sources ?? []);
  const list = registry.cited.length ? registry.cited : registry.sources;
  const source = n === null ? undefined : registry.byNumber.get(n);
  const place = source ? list.indexOf(source) : -1;

  useLayoutEffect(() => {
    const el = ref.current;
    if (el && !el.open) el.showModal();
    return () => el?.close();
  }, []);
  if (!message || !source) return null;
  const file = downloadOf(source);
  const href = readerOf(source);
  const found = sentenceOf(message, source, at);
  const said = found && isExceptional(found) ? found : null;
  const step = (by: 1 | -1) => {
    const next = list[place + by];
    if (next) onOpen(next.chunkNumber);
  };
  return (
    <dialog ref={ref} className="sheet" aria-label={t('references')}
      onCancel={(e) => { e.preventDefault(); onClose(); }}
      onClick={(e) => { if (e.target === ref.current) onClose(); }}>
      <div className="grip" aria-hidden="true" />
      <div className="pane-head">
        <h2>{t('references')}<span className="count">{registry.cited.length}</span></h2>
        <button type="button" className="button" aria-pressed={showList} onClick={() => setShowList(!showList)}>
          <Icon name="menu" /><span className="hidden-visually">{t('references')}</span></button>
        <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}><Icon name="close" /></button>
      </div>
      <div className="pane-scroll">
        {showList ? <References {...props} onOpen={(k) => { setShowList(false); onOpen(k); }} /> : (
          <>
            {said ? (
              <div className="viewer">
                <VerdictHead said={said} source={source} />
                <VerdictWords said={said} content={message.content} source={source} claims={claimsIn(message, source, at)} />
              </div>
            ) : (
              <Suspense>
                <Viewer key={`${source.sourceId}/${at}`} source={source} message={message} at={at} onOpen={onOpen} onAskPage={props.onAskPage} />
              </Suspense>
            )}
            {!said && source.sourceType === 'slide' && (
              <div className="viewer"><blockquote className="quote" dir="auto">
                <Passage source={source} claims={claimsIn(message, source, at)} short /></blockquote></div>
            )}
            <div className="sheet-actions">
              {href && (
                <a className="button primary" href={href} target="_blank" rel="noopener noreferrer">
                  {openLabel(source, t, words.labels)}</a>
              )}
              {said && (
                <button type="button" className="button outlined" onClick={() => {
                  onClose();
                  complaint.set({ messageId: message.id, number: source.chunkNumber });
                }}>{t('wrongSource')}</button>
              )}
              {file && !said && (
                <a className="button outlined" href={file} download aria-label={t('download')}><Icon name="download" /></a>
              )}
              <button type="button" className="button outlined" aria-label={t('copyReference')} onClick={() => props.onCopy(source)}>
                <Icon name="copy" /></button>
            </div>
          </>
        )}
      </div>
      <div className="sheet-nav">
        <button type="button" className="button" disabled={place <= 0} onClick={() => step(-1)}><Icon name="back" />{t('previous')}</button>
        <span>{place < 0 ? null : t('referenceOf', { n: place + 1, count: list.length })}</span>
        <button type="button" className="button" disabled={place < 0 || place >= list.length - 1} onClick={() => step(1)}>{t('next')}<Icon name="forth" /></button>
      </div>
    </dialog>
  );
}
