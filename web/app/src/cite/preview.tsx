// The preview of a chip: what its source is, the cited words, and buttons to
// open it.  A native popover: it is in the top layer, where no table cuts it.
import { lazy, Suspense, useLayoutEffect, useRef, type RefObject } from 'react';
import { downloadOf, kindOf, locatorOf, nameOf, type Source } from '@footnote/client';
import type { Claims } from '../data/marks.ts';
import { complaint } from '../data/feedback.ts';
import type { Said } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { placeBeside } from '../ui/place_beside.ts';
import { Passage } from './passage.tsx';
import { openLabel, titleOf } from './source_text.ts';
import { VerdictHead, VerdictWords } from './verdict_words.tsx';

/** Loaded with the first page that is previewed. */
const PageStrip = lazy(async () => ({ default: (await import('../viewer/strip.tsx')).PageStrip }));

export interface PreviewContent {
  messageId: string;
  /** Null: the sentence names none that there is. */
  source: Source | null;
  /** Of a sentence that its source does not carry. */
  said: Said | null;
  /** Of the answer. */
  content: string;
  claims: Claims;
  chip: HTMLElement;
  /** Among the cited sources, from 1; their numbers may have gaps. */
  position: number;
  count: number;
}
interface Props {
  content: PreviewContent;
  /** `from` is the chip, when it was opened by keyboard. */
  onOpen: (from: HTMLElement | null) => void;
  onCopy: () => void;
  /** The pointer or the focus came into the preview, or left it. */
  onPointerInside: (inside: boolean) => void;
  onClose: () => void;
}

/** The preview follows its chip in the order of Tab, though not in the page. */
function useTabThrough(ref: RefObject<HTMLElement | null>, chip: HTMLElement) {
  useLayoutEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key !== 'Tab' || e.altKey || e.ctrlKey || e.metaKey) return;
      const stops = [...ref.current?.querySelectorAll<HTMLElement>('button, a[href]') ?? []];
      const focus = document.activeElement;
      if (focus === chip && !e.shiftKey) {
        e.preventDefault();
        stops[0]?.focus();
      } else if (focus === stops[0] && e.shiftKey) {
        e.preventDefault();
        chip.focus();
      } else if (focus === stops.at(-1) && !e.shiftKey) chip.focus(); // and from there on
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [ref, chip]);
}

export function Preview({ content, onOpen, onCopy, onPointerInside, onClose }: Props) {
  const { t, words } = useLocale();
  const ref = useRef<HTMLDivElement>(null);
  const { source, said, chip } = content;
  const file = source && downloadOf(source);
  const position = content.position > 0 &&
    <span className="position"><bdi>{content.position} / {content.count}</bdi></span>;

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
      e.stopPropagation(); // nothing else closes with it
      if (ref.current?.contains(document.activeElement)) chip.focus();
      onClose();
    };
    addEventListener('keydown', key, true);
    return () => removeEventListener('keydown', key, true);
  }, [onClose, chip]);
  useTabThrough(ref, chip);

  return (
    <div ref={ref} popover="manual" className="preview" role="dialog"
      aria-label={source ? `${words.labels.reference} ${source.chunkNumber}: ${nameOf(source, words.labels)}` : t('verdictOf')}
      onMouseEnter={() => onPointerInside(true)} onMouseLeave={() => onPointerInside(false)}
      onFocus={() => onPointerInside(true)} onBlur={() => onPointerInside(false)}>
      {source && !said && <Suspense><PageStrip source={source} claims={content.claims} /></Suspense>}
      <div className="preview-body">
        {said ? (
          <>
            <VerdictHead said={said} source={source} />
            <VerdictWords said={said} content={content.content} source={source} claims={content.claims} />
          </>
        ) : source && (
          <>
            <div className="preview-head">
              <KindIcon of={kindOf(source)} />
              <span><b dir="auto">{titleOf(source, words.labels)}</b>
                <span className="where">{locatorOf(source, words.labels)}</span></span>
              {position}
            </div>
            <blockquote className="quote" dir="auto"><Passage source={source} claims={content.claims} short /></blockquote>
          </>
        )}
        {source && (
          <div className="preview-foot">
            <button type="button" className="button strong"
              onClick={(e) => onOpen(e.detail === 0 ? chip : null)}>{openLabel(source, t, words.labels)}</button>
            {said ? (
              <>
                <button type="button" className="button" onClick={() => {
                  onClose();
                  complaint.set({ messageId: content.messageId, number: source.chunkNumber });
                }}>{t('wrongSource')}</button>
                {position}
              </>
            ) : (
              <>
                {file && (source.state === 'live' || source.state === 'changed') &&
                  <a className="button" href={file} download><Icon name="download" />{words.labels.download}</a>}
                <button type="button" className="icon-button" aria-label={t('copyReference')} title={t('copyReference')} onClick={onCopy}>
                  <Icon name="copy" /></button>
              </>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
