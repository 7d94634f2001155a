// Creates a course.  Files that were chosen before there was one go into it.
import { useState, type FormEvent } from 'react';
import { createCourse, setCourse } from '../data/courses.ts';
import { addFiles } from '../data/uploads.ts';
import { errorText } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';

export function NewCourse({ files, onClose }: { files?: File[]; onClose: () => void }) {
  const { t } = useLocale();
  const [title, setTitle] = useState('');
  const [error, setError] = useState('');
  const create = async (e: FormEvent) => {
    e.preventDefault();
    try {
      const course = await createCourse(title.trim());
      setCourse(course.id);
      if (files?.length) addFiles(course.id, files);
      onClose();
    } catch (error) {
      setError(errorText(error, t));
    }
  };
  return (
    <Dialog title={t('newCourse')} onClose={onClose}>
      <form className="dialog-body" onSubmit={create}>
        {files && <p>{t('needCourse')}</p>}
        <label className="field">
          {t('courseTitle')}
          <input value={title} required data-focus dir="auto" maxLength={400}
            onChange={(e) => setTitle(e.target.value)} />
        </label>
        {error && <p className="notice bad" role="alert">{error}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!title.trim()}>{t('create')}</button>
        </div>
      </form>
    </Dialog>
  );
}
