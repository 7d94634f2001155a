// The preview of a chip: what its source is, the cited words, and buttons to
// open it.  A native popover: it is in the top layer, where no table cuts it.
import { useLayoutEffect, useRef } from 'react';
import { downloadOf, locatorOf, nameOf, type Source } from '@footnote/client';
import type { Claims } from '../data/marks.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { placeBeside } from '../ui/place_beside.ts';
import { PageStrip } from '../viewer/strip.tsx';
import { Passage } from './passage.tsx';
import { openLabel, titleOf } from './source_text.ts';

export interface PreviewContent {
  messageId: string;
  source: Source;
  claims: Claims;
  chip: HTMLElement;
  /** Among the cited sources, from 1; their numbers may have gaps. */
  position: number;
  count: number;
}
interface Props {
  content: PreviewContent;
  onOpen: () => void;
  onCopy: () => void;
  /** The pointer or the focus came into the preview, or left it. */
  onPointerInside: (inside: boolean) => void;
  onClose: () => void;
}

export function Preview({ content, onOpen, onCopy, onPointerInside, onClose }: Props) {
  const { t, words } = useLocale();
  const ref = useRef<HTMLDivElement>(null);
  const { source, chip } = content;
  const file = downloadOf(source);

  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return;
    if (!el.matches(':popover-open')) el.showPopover();
    placeBeside(el, chip.getBoundingClientRect());
    const resized = new ResizeObserver(() => placeBeside(el, chip.getBoundingClientRect()));
    resized.observe(el);
    return () => resized.disconnect();
  }, [chip, source]);
  // A layout effect, so that Escape works from the first frame.
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
      onMouseEnter={() => onPointerInside(true)} onMouseLeave={() => onPointerInside(false)}
      onFocus={() => onPointerInside(true)} onBlur={() => onPointerInside(false)}>
      <PageStrip source={source} claims={content.claims} />
      <div className="preview-body">
        <div className="preview-head">
          <KindIcon of={source.sourceType} />
          <span><b dir="auto">{titleOf(source, words.labels)}</b>
            <span className="where">{locatorOf(source, words.labels)}</span></span>
        </div>
        <blockquote className="quote" dir="auto"><Passage source={source} claims={content.claims} short /></blockquote>
        <div className="preview-foot">
          <button type="button" className="button strong" onClick={onOpen}>{openLabel(source, t, words.labels)}</button>
          {file && (source.state === 'live' || source.state === 'changed') &&
            <a className="button" href={file} download><Icon name="download" />{words.labels.download}</a>}
          <button type="button" className="icon-button" aria-label={t('copyReference')} title={t('copyReference')} onClick={onCopy}>
            <Icon name="copy" /></button>
          <span className="position"><bdi>{content.position} / {content.count}</bdi></span>
        </div>
      </div>
    </div>
  );
}
