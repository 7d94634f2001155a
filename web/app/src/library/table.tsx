// The table of documents: sorted by its heads, moved in by arrows, selected by
// Space and Shift.  The documents that are not in view cost nothing to draw.
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { readerLink, type LibraryDocument } from '@footnote/client';
import { goTo } from '../router.ts';
import { Icon } from '../ui/icon.tsx';
import { sortedBy, type Sort, type View } from './query.ts';
import { Row } from './row.tsx';
import type { Action } from './row_menu.tsx';
import { allOf, extended, NOTHING, toggled, type Selection } from './selection.ts';
import { keyOf } from './use_documents.ts';
import { useWords, type TextKey } from './words/index.ts';

const NEAR_END = 600; // pixels

interface Props {
  view: View;
  list: LibraryDocument[];
  found: number;
  selection: Selection;
  courseName: (id: string) => string | null;
  mayEdit: (d: LibraryDocument) => boolean;
  onView: (next: View) => void;
  onSelection: (next: Selection) => void;
  onAction: (action: Action, of: LibraryDocument[]) => void;
  onMore: () => void;
}

function Head({ view, sort, text, className, onView }: {
  view: View; sort?: Sort; text: TextKey; className: string; onView: (next: View) => void;
}) {
  const { w } = useWords();
  if (!sort) return <span role="columnheader" className={className}>{w(text)}</span>;
  const here = view.sort === sort;
  const falls = (sort !== 'name') !== view.reversed; // the greatest comes first
  return (
    <span role="columnheader" className={className} aria-sort={!here ? 'none' : falls ? 'descending' : 'ascending'}>
      <button type="button" className={here ? 'here' : undefined} onClick={() => onView(sortedBy(view, sort))}>
        {w(text)}{here && <Icon name={falls ? 'down' : 'above'} />}</button>
    </span>
  );
}

export function Table(props: Props) {
  const { view, list, selection, onSelection, onAction, onMore } = props;
  const { w } = useWords();
  const root = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<string | null>(null);
  const shown = list.map(keyOf);
  const current = at !== null && shown.includes(at) ? at : shown[0];
  const most = Math.max(1, ...list.map((d) => d.citedBy));
  const latest = useRef({ shown, list, selection, onSelection, onAction });
  useEffect(() => {
    latest.current = { shown, list, selection, onSelection, onAction };
  });

  useEffect(() => { // a page that does not fill the window asks for the next
    const el = root.current;
    if (el && el.scrollHeight < el.clientHeight + NEAR_END) onMore();
  }, [list.length, onMore]);

  const select = useCallback((of: LibraryDocument, e: { shiftKey: boolean }) => {
    const now = latest.current;
    const key = keyOf(of);
    now.onSelection(e.shiftKey ? extended(now.selection, key, now.shown) : toggled(now.selection, key));
  }, []);
  const focus = useCallback((of: LibraryDocument) => setAt(keyOf(of)), []);
  const act = useCallback((action: Action, of: LibraryDocument) => latest.current.onAction(action, [of]), []);

  const pressed = useCallback((e: KeyboardEvent, of: LibraryDocument) => {
    if (e.target !== e.currentTarget) return; // in a menu, or on a button of the row
    const now = latest.current;
    const i = now.shown.indexOf(keyOf(of));
    const rows = () => [...root.current!.querySelectorAll<HTMLElement>('.row')];
    const chosen = now.list.filter((d) => now.selection.ids.has(keyOf(d)));
    const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: now.shown.length - 1 }[e.key];
    if (to !== undefined) {
      const row = rows()[to];
      if (row && e.shiftKey) now.onSelection(extended(now.selection.anchor ? now.selection : toggled(now.selection, now.shown[i]!), now.shown[to]!, now.shown));
      row?.focus();
      row?.scrollIntoView({ block: 'nearest' });
    } else if (e.key === ' ') now.onSelection(toggled(now.selection, now.shown[i]!));
    else if (e.key === 'Enter') goTo(readerLink({ documentId: of.id }));
    else if (e.key === 'Delete') now.onAction('delete', chosen.length ? chosen : [of]);
    else if (e.key === 'F2') now.onAction('rename', [of]);
    else if (e.key === 'ContextMenu' || (e.key === 'F10' && e.shiftKey))
      (e.currentTarget as HTMLElement).querySelector<HTMLElement>('.cell-menu button')?.click();
    else if (e.key === 'a' && (e.ctrlKey || e.metaKey)) now.onSelection(allOf(now.shown));
    else if (e.key === 'Escape' && now.selection.ids.size) now.onSelection(NOTHING);
    else return;
    e.preventDefault();
  }, []);

  const whole = list.length > 0 && shown.every((key) => selection.ids.has(key));
  return (
    <div ref={root} className="table" role="grid" aria-label={w('allDocuments')} aria-rowcount={props.found + 1} aria-multiselectable="true"
      onScroll={(e) => {
        const el = e.currentTarget;
        if (el.scrollHeight - el.scrollTop - el.clientHeight < NEAR_END) onMore();
      }}>
      <div role="row" aria-rowindex={1} className="heads">
        <span role="columnheader" className="cell-check">
          <label><input type="checkbox" checked={whole} aria-label={w('selectAll')}
            ref={(el) => { if (el) el.indeterminate = selection.ids.size > 0 && !whole; }}
            onChange={() => onSelection(whole ? NOTHING : allOf(shown))} /></label>
        </span>
        <Head view={view} sort="name" text="name" className="cell-name" onView={props.onView} />
        <Head view={view} text="length" className="cell-length" onView={props.onView} />
        <Head view={view} text="state" className="cell-state" onView={props.onView} />
        <Head view={view} sort="cited" text="cited" className="cell-cited" onView={props.onView} />
        <Head view={view} sort="size" text="size" className="cell-size" onView={props.onView} />
        <Head view={view} sort="changed" text="changed" className="cell-changed" onView={props.onView} />
        <span role="columnheader" className="cell-menu"><span className="hidden-visually">{w('menuHead')}</span></span>
      </div>
      {list.map((d, i) => (
        <Row key={keyOf(d)} of={d} index={i} course={view.courseId === null ? props.courseName(d.courseId) : null} most={most}
          selected={selection.ids.has(keyOf(d))} current={keyOf(d) === current} mayEdit={props.mayEdit(d)}
          onSelect={select} onAction={act} onKey={pressed} onFocus={focus} />
      ))}
    </div>
  );
}
