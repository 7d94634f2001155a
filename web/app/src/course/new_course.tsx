// A course is a name at first; files that waited for one go in.
import { useState, type FormEvent } from 'react';
import { makeCourse, setScope } from '../data/courses.ts';
import { addFiles } from '../data/uploads.ts';
import { useWords } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';

export function NewCourse({ files, onClose }: { files?: File[]; onClose: () => void }) {
  const { t } = useWords();
  const [title, setTitle] = useState('');
  const [wrong, setWrong] = useState('');
  const make = async (e: FormEvent) => {
    e.preventDefault();
    try {
      const course = await makeCourse(title.trim());
      setScope({ courseId: course.id, document: null });
      if (files?.length) addFiles(course.id, files);
      onClose();
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return (
    <Dialog title={t('newCourse')} onClose={onClose}>
      <form className="dialog-body" onSubmit={make}>
        {files && <p>{t('needCourse')}</p>}
        <label className="field">
          {t('courseTitle')}
          <input value={title} required autoFocus dir="auto" maxLength={400}
            onChange={(e) => setTitle(e.target.value)} />
        </label>
        {wrong && <p className="notice bad" role="alert">{wrong}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!title.trim()}>{t('make')}</button>
        </div>
      </form>
    </Dialog>
  );
}
