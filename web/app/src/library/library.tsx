// All documents, or those of a course: the page at /library.
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { LibraryDocument } from '@footnote/client';
import './library.css';
import { client, isNotFound } from '../data/api.ts';
import { courses, limit, mayEdit, setCourse, type Course } from '../data/courses.ts';
import { forgetDocuments } from '../data/documents.ts';
import { describeError, errorText } from '../data/describe_error.ts';
import { useStore } from '../data/store.ts';
import { uploads } from '../data/uploads.ts';
import { useLocale } from '../i18n/index.ts';
import { goTo } from '../router.ts';
import { openDialog, showDialog } from '../shell/open_dialog.ts';
import { newQuestion } from '../shell/shell.tsx';
import { isTyping } from '../shell/shortcuts.ts';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { AddMenu, FirstDocument, TextForm } from './add.tsx';
import { CourseMenu } from './course_dialogs.tsx';
import { Courses } from './courses.tsx';
import { DeleteDialog, MoveDialog, RenameDialog, ReplaceDialog } from './dialogs.tsx';
import { EntryForm } from './entry_form.tsx';
import { nameOf } from './facts.ts';
import { isFiltered, parseView, urlOf, type View } from './query.ts';
import type { Action } from './row_menu.tsx';
import { kept, NOTHING } from './selection.ts';
import { SelectionBar } from './selection_bar.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { Sendings } from './uploads.tsx';
import { keyOf, useDocuments } from './use_documents.ts';
import { useWords } from './words/index.ts';

interface Open { action: Action | 'text'; of: LibraryDocument[] }

const TYPING_MS = 250;

function FindBox({ view, onView }: { view: View; onView: (next: View, how: 'replace') => void }) {
  const { w } = useWords();
  const [text, setText] = useState(view.q);
  const box = useRef<HTMLInputElement>(null);
  const pressed = useEffectEvent((e: KeyboardEvent) => {
    if (e.key !== '/' || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || isTyping(e)) return;
    e.preventDefault();
    box.current?.focus();
  });
  useEffect(() => {
    // Before the shortcut of the whole page, which is the search in everything.
    const key = (e: KeyboardEvent) => pressed(e);
    addEventListener('keydown', key, { capture: true });
    return () => removeEventListener('keydown', key, { capture: true });
  }, []);
  useEffect(() => {
    setText(view.q);
  }, [view.q]);
  const settle = useEffectEvent(() => { if (text !== view.q) onView({ ...view, q: text }, 'replace'); });
  useEffect(() => {
    const timer = setTimeout(() => settle(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="find-document"><Icon name="search" /><span className="hidden-visually">{w('find')}</span>
      <input ref={box} type="search" dir="auto" placeholder={w('find')} value={text} onChange={(e) => setText(e.target.value)} />
      <kbd aria-hidden="true">/</kbd></label>
  );
}

/** The list is looked at again when an upload of this page gets its document,
 *  and when a form that may have added one is closed. */
function useArrivals(reload: () => void) {
  const isOpen = useStore(openDialog) !== null;
  const wasOpen = useRef(isOpen);
  const here = useStore(uploads).filter((u) => u.document).map((u) => `${u.document!.id}/${u.document!.version}/${u.phase}`).join(' ');
  const look = useEffectEvent(reload);
  useEffect(() => {
    if (here) look();
  }, [here]);
  useEffect(() => {
    if (wasOpen.current && !isOpen) look();
    wasOpen.current = isOpen;
  }, [isOpen]);
}

export default function Library({ url, onRail }: { url: string; onRail: () => void }) {
  const { t } = useLocale();
  const { w, count } = useWords();
  const view = useMemo(() => parseView(url), [url]);
  const all = useStore(courses);
  const documents = useDocuments(view);
  const { list, found, counts, state, reload } = documents;
  const [chosen, setSelection] = useState(NOTHING);
  const [selecting, setSelecting] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);

  const course = all?.find((c) => c.id === view.courseId) ?? null;
  const name = course?.title ?? (view.courseId === null ? t('library') : view.courseId);
  useEffect(() => {
    window.document.title = `${name} · ${t('appName')}`;
  }, [name, t]);
  useEffect(() => {
    setSelection(NOTHING);
  }, [view.courseId, view.q, view.kind, view.state, view.cited]);
  useArrivals(reload);
  useEffect(() => () => forgetDocuments(), []);

  const byId = useMemo(() => new Map((all ?? []).map((c): [string, Course] => [c.id, c])), [all]);
  const isOurs = (d: LibraryDocument) => mayEdit(byId.get(d.courseId));
  const selection = kept(chosen, list.map(keyOf));
  const selected = list.filter((d) => selection.ids.has(keyOf(d)));
  const onView = (next: View, how: 'push' | 'replace' = 'push') => goTo(urlOf(next), how);
  const done = () => { setSelection(NOTHING); reload(); };

  const act = (action: Action, of: LibraryDocument[]) => {
    const editable = of.filter(isOurs);
    if (action === 'ask') {
      const d = of[0]!;
      setCourse(d.courseId);
      limit({ documents: of.filter((o) => o.courseId === d.courseId).map((o) => ({ id: o.id, title: nameOf(o) })) });
      newQuestion();
    } else if (action === 'again') {
      const failed = editable.filter((d) => d.status === 'failed');
      Promise.all(failed.map((d) => client.retryDocument(d.id))).then(
        () => { toast(count('readingAgain', failed.length)); done(); },
        (e: unknown) => toast(errorText(e, t)));
    } else if (editable.length) setOpen({ action, of: editable });
  };
  const close = () => setOpen(null);
  const props = open && { of: open.of, onDone: done, onClose: close };

  const isEmpty = state === 'ready' && !list.length;
  const total = [...counts?.values() ?? []].reduce((a, b) => a + b, 0);
  const hasNone = isEmpty && !isFiltered(view);
  const sub = view.courseId === null ? `${count('courses', all?.length ?? 0)} · ${count('documents', total)}`
    : course?.description ?? count('documents', counts?.get(view.courseId) ?? 0);
  const mayAdd = view.courseId === null || mayEdit(course ?? undefined);
  const problem = state === 'failed' ? describeError(documents.error, t) : null;
  return (
    <main className={selecting ? 'main library selecting' : 'main library'}>
      <header className="topbar">
        <button type="button" className="icon-button only-narrow" aria-label={t('openRail')} onClick={onRail}><Icon name="menu" /></button>
        <div className="titles"><h1 dir="auto">{name}</h1><p className="subtitle" dir="auto">{counts && sub}</p></div>
        {course?.role === 'owner' && <CourseMenu course={course} documents={counts?.get(course.id) ?? 0} onChanged={reload} />}
        <FindBox view={view} onView={onView} />
        {mayAdd && <AddMenu courseId={view.courseId} onText={() => setOpen({ action: 'text', of: [] })} />}
      </header>
      <div className="library-body">
        <Courses view={view} courses={all ?? []} counts={counts} />
        <div className="shelf">
          {!hasNone && <Toolbar view={view} found={state === 'ready' ? found : null} selecting={selecting} onView={onView}
            onSelecting={(on) => { setSelecting(on); if (!on) setSelection(NOTHING); }} />}
          <Sendings courseId={view.courseId} />
          {state === 'loading' && <span className="spin" role="img" aria-label={t('loading')} />}
          {problem && (
            <p className="notice bad" role="alert"><span className="grow">
              {isNotFound(documents.error) ? w('missing') : <><b>{problem.what}</b> {problem.todo}</>}</span>
              <button type="button" className="button" onClick={() => void documents.retry()}>{t('tryAgain')}</button></p>
          )}
          {hasNone && <FirstDocument courseId={view.courseId} mayAdd={mayAdd} hasCourse={Boolean(all?.length)}
            onText={() => setOpen({ action: 'text', of: [] })} />}
          {isEmpty && isFiltered(view) && (
            <div className="none"><p>{view.q ? w('nothingNamed', { q: view.q }) : w('nothingHere')}</p>
              <button type="button" className="button strong" onClick={() => showDialog({ what: 'find' })}>{w('searchInside')}</button></div>
          )}
          {list.length > 0 && (
            <Table view={view} list={list} found={found} selection={selection} courseName={(id) => byId.get(id)?.title ?? null}
              mayEdit={isOurs} onView={onView} onSelection={setSelection} onAction={act} onMore={documents.more} />
          )}
        </div>
      </div>
      <SelectionBar n={selected.length} mayEdit={selected.some(isOurs)} mayAsk={selected.length === 1 && selected[0]!.searchableVersion !== null}
        hasFailed={selected.some((d) => d.status === 'failed')} onAction={(action) => act(action, selected)} onClear={() => setSelection(NOTHING)} />
      {open?.action === 'text' && <TextForm onDone={reload} onClose={close} />}
      {open?.action === 'rename' && <RenameDialog {...props!} />}
      {open?.action === 'move' && <MoveDialog {...props!} />}
      {open?.action === 'delete' && <DeleteDialog {...props!} />}
      {open?.action === 'replace' && <ReplaceDialog {...props!} />}
      {open?.action === 'entry' && <EntryForm of={open.of[0]!} onDone={done} onClose={close} />}
    </main>
  );
}
