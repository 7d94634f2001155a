// Everything that can be added, and the first document of somebody who has none.
import { useState, type FormEvent } from 'react';
import { addFilesToCourse, chooseFiles } from '../add/pick_files.ts';
import { client } from '../data/api.ts';
import { courses, createCourse, mayEdit } from '../data/courses.ts';
import { errorText } from '../data/describe_error.ts';
import { addFiles } from '../data/uploads.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { CourseField, useCourseChoice } from '../add/course_field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toast.ts';
import { useWords, type TextKey } from './words/index.ts';

interface Props { courseId: string | null; onText: () => void }

type Way = 'files' | 'folder' | 'page' | 'text' | 'journal';
const WAYS: Array<[Way, TextKey, IconName, TextKey | null]> = [
  ['files', 'addFiles', 'clip', null], ['folder', 'addFolder', 'books', 'folderText'], ['page', 'addPage', 'web', 'pageText'],
  ['text', 'addText', 'text', 'pasteText'], ['journal', 'addJournal', 'journal', 'journalText'],
];

/** With no course yet, the first document makes one. */
async function courseFor(courseId: string | null, title: string): Promise<string | undefined> {
  if (courseId) return courseId;
  const mine = (courses.get() ?? []).filter(mayEdit);
  return mine.length ? undefined : (await createCourse(title)).id;
}

function useAdding({ courseId, onText }: Props) {
  const { t } = useLocale();
  const { w } = useWords();
  return (way: Way) => {
    // The window for choosing files opens only at once.
    const take = (files: File[]) => void courseFor(courseId, w('myDocuments'))
      .then((id) => (id ? addFiles(id, files) : addFilesToCourse(files)), (e: unknown) => toast(errorText(e, t)));
    if (way === 'files' || way === 'folder') chooseFiles(take, way === 'folder');
    else void courseFor(courseId, w('myDocuments')).then(() => {
      if (way === 'text') onText();
      else showDialog({ what: way });
    }, (e: unknown) => toast(errorText(e, t)));
  };
}

export function AddMenu(props: Props) {
  const { w } = useWords();
  const add = useAdding(props);
  return (
    <Menu className="button primary add" label={w('add')} trigger={<><Icon name="plus" /><span>{w('add')}</span><Icon name="down" /></>}>
      {(close) => WAYS.map(([way, text, icon]) => (
        <MenuItem key={way} onSelect={() => { close(); add(way); }}><Icon name={icon} />{w(text)}</MenuItem>
      ))}
    </Menu>
  );
}

export function FirstDocument(props: Props & { mayAdd: boolean; hasCourse: boolean }) {
  const { w } = useWords();
  const add = useAdding(props);
  if (!props.mayAdd) return <p className="none quiet">{w('emptyReader')}</p>;
  return (
    <div className="first">
      <h2>{w('emptyBefore')}<mark>{w('emptyMark')}</mark>{w('emptyAfter')}</h2>
      <div className="first-drop">
        <b>{w('dropHere')}</b>
        <button type="button" className="button primary" onClick={() => add('files')}>{w('choose')}</button>
        <p className="quiet">{props.hasCourse ? w('emptyInCourse') : w('emptyText', { course: w('myDocuments') })}</p>
      </div>
      <div className="first-ways">
        {WAYS.slice(1).map(([way, text, icon, about]) => (
          <button key={way} type="button" onClick={() => add(way)}><Icon name={icon} /><b>{w(text)}</b><small>{about && w(about)}</small></button>
        ))}
      </div>
      {!props.hasCourse && <p className="quiet">{w('onlyYou')}</p>}
    </div>
  );
}

export function TextForm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { t } = useLocale();
  const { w } = useWords();
  const course = useCourseChoice();
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const all = useStore(courses);
  const save = async (e: FormEvent) => {
    e.preventDefault();
    try {
      await client.createDocument(course.id, { kind: 'text', title: title.trim(), text });
      onDone();
      onClose();
    } catch (problem) {
      setError(errorText(problem, t));
    }
  };
  return (
    <Dialog title={w('addText')} onClose={onClose}>
      <form className="dialog-body" onSubmit={save}>
        {all && <CourseField choice={course} />}
        <label className="field">{w('textTitle')}
          <input data-focus required dir="auto" maxLength={400} value={title} onChange={(e) => setTitle(e.target.value)} /></label>
        <label className="field">{w('textBody')}
          <textarea required dir="auto" value={text} onChange={(e) => setText(e.target.value)} /></label>
        {error && <p className="notice bad" role="alert">{error}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!course.id || !title.trim() || !text.trim()}>{w('textAdd')}</button>
        </div>
      </form>
    </Dialog>
  );
}
