// Renaming, moving, deleting, replacing: each says what it does to old answers
// before one says yes.
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { LibraryDocument } from '@footnote/client';
import { client } from '../data/api.ts';
import { courses, mayEdit } from '../data/courses.ts';
import { errorText } from '../data/describe_error.ts';
import { useLoaded } from '../data/loaded.ts';
import { useStore } from '../data/store.ts';
import { replaceWithFile } from '../data/uploads.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { toast } from '../ui/toast.ts';
import { lengthText, nameOf } from './facts.ts';
import { useWords } from './words/index.ts';

interface FrameProps {
  title: string;
  yes: string;
  danger?: boolean;
  may?: boolean;
  onYes: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: stays open, and says why, when it is refused. */
function Form({ title, yes, danger, may = true, onYes, onClose, children }: FrameProps) {
  const { t } = useLocale();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    setError('');
    onYes().then(onClose, (problem: unknown) => { setError(errorText(problem, t)); setBusy(false); });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="dialog-body" onSubmit={submit}>
        {children}
        {error && <p className="notice bad" role="alert">{error}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className={danger ? 'button outlined danger' : 'button primary'} disabled={busy || !may}>{yes}</button>
        </div>
      </form>
    </Dialog>
  );
}

interface Props { of: LibraryDocument[]; onDone: () => void; onClose: () => void }

export function RenameDialog({ of, onDone, onClose }: Props) {
  const { w } = useWords();
  const [title, setTitle] = useState(nameOf(of[0]!));
  return (
    <Form title={w('renameTitle')} yes={w('save')} may={Boolean(title.trim())} onClose={onClose}
      onYes={() => client.updateDocument(of[0]!.id, { title: title.trim() }).then(onDone)}>
      <label className="field">{w('name')}
        <input data-focus required dir="auto" maxLength={400} value={title} onFocus={(e) => e.target.select()} onChange={(e) => setTitle(e.target.value)} />
      </label>
      <p className="quiet">{w('renameText')}</p>
    </Form>
  );
}

/** One after the other; what was done before one was refused stays done. */
async function each(of: LibraryDocument[], call: (d: LibraryDocument) => Promise<unknown>, onDone: () => void) {
  try {
    for (const d of of) await call(d);
  } finally {
    onDone();
  }
}

export function MoveDialog({ of, onDone, onClose }: Props) {
  const { w, count } = useWords();
  const all = (useStore(courses) ?? []).filter((c) => mayEdit(c) && !of.every((d) => d.courseId === c.id));
  const [to, setTo] = useState(all[0]?.id ?? '');
  return (
    <Form title={count('moveTitle', of.length)} yes={w('move')} may={Boolean(to)} onClose={onClose}
      onYes={() => each(of.filter((d) => d.courseId !== to), (d) => client.updateDocument(d.id, { courseId: to }), onDone)
        .then(() => toast(count('moved', of.length)))}>
      <label className="field">{w('moveTo')}
        <select data-focus value={to} onChange={(e) => setTo(e.target.value)}>
          {all.map((c) => <option key={c.id} value={c.id}>{c.title ?? c.id}</option>)}
        </select>
      </label>
      <p>{w('moveText')}</p>
    </Form>
  );
}

export function DeleteDialog({ of, onDone, onClose }: Props) {
  const { w, count } = useWords();
  const [redact, setRedact] = useState(false);
  const citing = of.reduce((n, d) => n + d.citedBy, 0);
  const title = of.length === 1 ? w('deleteOne', { name: nameOf(of[0]!) }) : count('deleteTitle', of.length);
  return (
    <Form title={title} yes={w('remove')} danger onClose={onClose}
      onYes={() => each(of, (d) => client.deleteDocument(d.id, { citations: redact ? 'redact' : 'keep' }), onDone)
        .then(() => toast(count('deleted', of.length)))}>
      <p>{w('deleteGone')} <b>{count('deleteCiting', citing)}</b></p>
      {citing > 0 && (
        <label className="tick"><input type="checkbox" checked={redact} onChange={(e) => setRedact(e.target.checked)} />
          <span><b>{w('deleteRedact')}</b><small>{w('deleteRedactText')}</small></span></label>
      )}
    </Form>
  );
}

/** What a new version does to old answers is told before there is one. */
export function ReplaceDialog({ of: [of], onDone, onClose }: Props) {
  const locale = useLocale();
  const words = useWords();
  const { w, count } = words;
  const picker = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const document = of!;
  const impact = useLoaded(document.id, (signal) => client.documentImpact(document.id, { limit: 200 }, { signal }));
  const yours = impact.value?.answers.filter((a) => a.ifReplaced && a.cited).length ?? 0;
  return (
    <Form title={w('replaceTitle')} yes={w('replace')} may={file !== null} onClose={onClose}
      onYes={async () => { replaceWithFile(document, file!); toast(w('replaceDone')); onDone(); }}>
      <div className="versions">
        <div className="version"><KindIcon of={kindOfDocument(document)} />
          <span className="grow"><b>{w('replaceNow', { n: document.version })}</b>
            <small dir="auto">{[document.filename, lengthText(document, locale, words), locale.date(document.changedAt)].filter(Boolean).join(' · ')}</small></span></div>
        <Icon name="forth" />
        <label className="version next"><KindIcon of={kindOfDocument(document)} />
          <span className="grow"><b>{file ? w('replaceNow', { n: document.version + 1 }) : w('replaceNext', { n: document.version + 1 })}</b>
            <small dir="auto">{file?.name ?? w('chooseFile')}</small></span>
          <input ref={picker} type="file" className="hidden-visually" data-focus onChange={(e) => setFile(e.target.files?.[0] ?? null)} /></label>
      </div>
      {impact.state === 'loading' && <p className="quiet" role="status">{w('counting')}</p>}
      {impact.state === 'failed' && <p className="notice bad" role="alert">{errorText(impact.error, locale.t)}</p>}
      {impact.value && (
        <p><b>{count('replaceCiting', impact.value.ifReplaced.cited)}</b>{' '}
          {yours > 0 && `${count('replaceYours', yours)}. `}{impact.value.ifReplaced.cited > 0 && w('replaceKept')}</p>
      )}
      <p className="quiet">{w('replaceUntil')}</p>
    </Form>
  );
}
