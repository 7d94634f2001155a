// A course: its name and description, keeping it aside, its end.
import { useState, type FormEvent } from 'react';
import { client } from '../data/api.ts';
import { refreshCourses, type Course } from '../data/courses.ts';
import { errorText } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { goTo } from '../router.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { toast } from '../ui/toast.ts';
import { useWords } from './words/index.ts';

function CourseForm({ course, onClose }: { course: Course; onClose: () => void }) {
  const { t } = useLocale();
  const { w } = useWords();
  const [title, setTitle] = useState(course.title ?? '');
  const [description, setDescription] = useState(course.description ?? '');
  const [error, setError] = useState('');
  const save = async (e: FormEvent) => {
    e.preventDefault();
    try {
      await client.updateCourse(course.id, { title: title.trim(), description: description.trim() });
      await refreshCourses();
      onClose();
    } catch (problem) {
      setError(errorText(problem, t));
    }
  };
  return (
    <Dialog title={w('courseEdit')} onClose={onClose}>
      <form className="dialog-body" onSubmit={save}>
        <label className="field">{w('courseTitle')}
          <input data-focus required dir="auto" maxLength={400} value={title} onChange={(e) => setTitle(e.target.value)} /></label>
        <label className="field">{w('courseDescription')}
          <textarea dir="auto" maxLength={2000} value={description} onChange={(e) => setDescription(e.target.value)} /></label>
        {error && <p className="notice bad" role="alert">{error}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!title.trim()}>{w('save')}</button>
        </div>
      </form>
    </Dialog>
  );
}

export function CourseMenu({ course, documents, onChanged }: { course: Course; documents: number; onChanged: () => void }) {
  const { t } = useLocale();
  const { w, count } = useWords();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const name = course.title ?? course.id;
  const close = () => setOpen(null);
  const keep = async () => {
    try {
      await client.updateCourse(course.id, { archived: !course.archivedAt });
      await refreshCourses();
      if (!course.archivedAt) toast(w('archived', { name }));
      onChanged();
    } catch (e) {
      toast(errorText(e, t));
    }
  };
  const remove = async () => {
    try {
      await client.deleteCourse(course.id);
      await refreshCourses();
      goTo('/library', 'replace');
    } catch (e) {
      toast(errorText(e, t));
    }
  };
  return (
    <>
      <Menu className="icon-button" label={w('courseMenu')} trigger={<Icon name="dots" />}>
        {(done) => (
          <>
            <MenuItem onSelect={() => { done(); setOpen('edit'); }}><Icon name="edit" />{w('courseEdit')}</MenuItem>
            <MenuItem onSelect={() => { done(); showDialog({ what: 'people', courseId: course.id }); }}><Icon name="link" />{t('people')}</MenuItem>
            <MenuItem onSelect={() => { done(); void keep(); }}><Icon name="books" />{course.archivedAt ? w('unarchive') : w('archive')}</MenuItem>
            <MenuLine />
            <MenuItem danger onSelect={() => { done(); setOpen('delete'); }}><Icon name="trash" />{w('courseDelete')}</MenuItem>
          </>
        )}
      </Menu>
      {open === 'edit' && <CourseForm course={course} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog title={w('courseDeleteTitle', { name })} text={count('courseDeleteText', documents)}
          confirmLabel={w('remove')} onConfirm={() => void remove()} onClose={close} />
      )}
    </>
  );
}
