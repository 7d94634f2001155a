// A document in the table; on a phone the same is a row of a list.
import { memo, type KeyboardEvent, type MouseEvent } from 'react';
import { readerLink, type LibraryDocument } from '@footnote/client';
import { failureText, readingText } from '../add/upload_status.ts';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { isBeingRead } from '../data/reading.ts';
import { useLocale } from '../i18n/index.ts';
import { followLink } from '../router.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { changedText, lengthText, nameOf, originText, sizeText } from './facts.ts';
import { RowMenu, type Action } from './row_menu.tsx';
import { useWords } from './words/index.ts';

function State({ of, mayEdit, onAgain }: { of: LibraryDocument; mayEdit: boolean; onAgain: () => void }) {
  const locale = useLocale();
  const { w } = useWords();
  if (of.status === 'failed')
    return (
      <span className="row-failed"><Icon name="warn" /><span className="grow">{failureText(of, locale) ?? w('state_failed')}</span>
        {mayEdit && <button type="button" className="button strong" tabIndex={-1} onClick={onAgain}>{w('readAgain')}</button>}</span>
    );
  if (isBeingRead(of)) {
    const { done = 0, total = null } = of.progress ?? {};
    const text = of.status === 'queued' ? w('state_queued') : readingText(of, locale);
    return (
      <span className="row-reading">
        <progress className="bar" aria-label={nameOf(of)} {...(total ? { value: done, max: total } : {})} />
        <span>{text}</span>
      </span>
    );
  }
  return <span className={of.warning ? 'row-state gaps' : 'row-state'} title={of.warning ?? undefined}>{of.warning ? w('gaps') : w('state_ready')}</span>;
}

function Cited({ n, most }: { n: number; most: number }) {
  const { number } = useLocale();
  const { w, count } = useWords();
  if (!n) return <span className="quiet">{w('never')}</span>;
  return (
    <span className="row-cited" title={count('citedBy', n)}>
      <i aria-hidden="true" style={{ inlineSize: `${Math.max(8, (100 * n) / most)}%` }} /><b>{number(n)}</b>
      <span className="hidden-visually">{count('citedBy', n)}</span>
    </span>
  );
}

interface Props {
  of: LibraryDocument;
  index: number;
  course: string | null;
  most: number;
  selected: boolean;
  /** The row that Tab leads to. */
  current: boolean;
  mayEdit: boolean;
  onSelect: (of: LibraryDocument, e: { shiftKey: boolean }) => void;
  onAction: (action: Action, of: LibraryDocument) => void;
  onKey: (e: KeyboardEvent, of: LibraryDocument) => void;
  onFocus: (of: LibraryDocument) => void;
}

export const Row = memo(function Row(props: Props) {
  const { of, index, selected, current } = props;
  const locale = useLocale();
  const words = useWords();
  const name = nameOf(of);
  const url = readerLink({ documentId: of.id });
  const length = lengthText(of, locale, words);
  const isQuiet = of.status === 'ready';
  const click = (e: MouseEvent) => {
    // A click beside the name opens it, too; text that is being marked does not.
    if ((e.target as Element).closest('a, button, input, label, [role=menu]') || getSelection()?.toString()) return;
    followLink(e, url);
  };
  return (
    <div role="row" aria-rowindex={index + 2} aria-selected={selected} tabIndex={current ? 0 : -1}
      className={selected ? 'row chosen' : 'row'} data-key={`${of.courseId}/${of.id}`}
      onClick={click} onKeyDown={(e) => props.onKey(e, of)} onFocus={() => props.onFocus(of)}>
      <span role="gridcell" className="cell-check">
        <label><input type="checkbox" checked={selected} tabIndex={-1} aria-label={words.w('selectOne', { name })}
          onChange={() => {}} onClick={(e) => props.onSelect(of, e)} /></label>
      </span>
      <span role="gridcell" className="cell-name">
        <KindIcon of={kindOfDocument(of)} />
        <span className="grow">
          <a href={url} dir="auto" tabIndex={-1} onClick={(e) => followLink(e, url)}>{name}</a>
          <small dir="auto">{length && <span className="in-list">{length} · </span>}{originText(of, props.course, locale, words)}</small>
        </span>
      </span>
      <span role="gridcell" className="cell-length">{length ?? '—'}</span>
      <span role="gridcell" className={isQuiet && !of.warning ? 'cell-state quietly' : 'cell-state'}>
        <State of={of} mayEdit={props.mayEdit} onAgain={() => props.onAction('again', of)} /></span>
      <span role="gridcell" className="cell-cited">{of.status === 'failed' && !of.citedBy ? '' : <Cited n={of.citedBy} most={props.most} />}</span>
      <span role="gridcell" className="cell-size">{sizeText(of.bytes, locale)}</span>
      <span role="gridcell" className="cell-changed">{changedText(of.changedAt, locale, words)}</span>
      <span role="gridcell" className="cell-menu">
        <RowMenu of={of} mayEdit={props.mayEdit} reachable={current} onAction={props.onAction} /></span>
    </div>
  );
});
