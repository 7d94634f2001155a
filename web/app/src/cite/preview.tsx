// The preview of a number: what it is, its words, and the way to it.  Native
// popover: in the top layer, so that no table cuts it.
import { useLayoutEffect, useRef } from 'react';
import { downloadOf, locatorOf, nameOf, type Source } from '@footnote/client';
import { useWords } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Kind } from '../ui/kind.tsx';
import { place } from '../ui/place.ts';
import { PageStrip } from '../viewer/strip.tsx';
import { Passage } from './quote.tsx';
import { openLabel, titleOf } from './words.ts';

export interface Peek {
  messageId: string;
  source: Source;
  claim: string;
  chip: HTMLElement;
  /** Its place among so many that are cited; numbers may have gaps. */
  at: number;
  count: number;
}
interface Props {
  peek: Peek;
  onOpen: () => void;
  onCopy: () => void;
  /** The pointer has come into it, or left. */
  onHold: (inside: boolean) => void;
  onClose: () => void;
}

export function Preview({ peek, onOpen, onCopy, onHold, onClose }: Props) {
  const { t, words } = useWords();
  const ref = useRef<HTMLDivElement>(null);
  const { source, chip } = peek;
  const file = downloadOf(source);

  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return;
    if (!el.matches(':popover-open')) el.showPopover();
    place(el, chip.getBoundingClientRect());
    const grown = new ResizeObserver(() => place(el, chip.getBoundingClientRect()));
    grown.observe(el);
    return () => grown.disconnect();
  }, [chip, source]);
  // With the layout: from the first moment that it is seen, Escape closes it.
  useLayoutEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key !== 'Escape') return;
      e.preventDefault();
      onClose();
    };
    addEventListener('keydown', key, true);
    return () => removeEventListener('keydown', key, true);
  }, [onClose]);

  return (
    <div ref={ref} popover="manual" className="preview" role="dialog"
      aria-label={`${words.labels.reference} ${source.chunkNumber}: ${nameOf(source, words.labels)}`}
      onMouseEnter={() => onHold(true)} onMouseLeave={() => onHold(false)}
      onFocus={() => onHold(true)} onBlur={() => onHold(false)}>
      <PageStrip source={source} />
      <div className="preview-body">
        <div className="preview-head">
          <Kind of={source.sourceType} />
          <span><b dir="auto">{titleOf(source, words.labels)}</b>
            <span className="where">{locatorOf(source, words.labels)}</span></span>
        </div>
        <blockquote className="quote" dir="auto"><Passage source={source} claim={peek.claim} short /></blockquote>
        <div className="preview-foot">
          <button type="button" className="button strong" onClick={onOpen}>{openLabel(source, t, words.labels)}</button>
          {file && source.state === 'live' &&
            <a className="button" href={file} download><Icon name="download" />{words.labels.download}</a>}
          <button type="button" className="icon-button" aria-label={t('cite')} title={t('cite')} onClick={onCopy}>
            <Icon name="copy" /></button>
          <span className="of"><bdi>{peek.at} / {peek.count}</bdi></span>
        </div>
      </div>
    </div>
  );
}
