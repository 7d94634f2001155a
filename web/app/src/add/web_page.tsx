// The form for a web page by its address.  The server fetches and reads it.
import { useState, type FormEvent } from 'react';
import { addPage } from '../data/uploads.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CourseField, useCourseChoice } from './course_field.tsx';

export function WebPageForm({ onClose }: { onClose: () => void }) {
  const { t } = useLocale();
  const [url, setUrl] = useState('');
  const course = useCourseChoice();
  const add = (e: FormEvent) => {
    e.preventDefault();
    addPage(course.id, url.trim());
    onClose();
  };
  return (
    <Dialog title={t('addPage')} onClose={onClose}>
      <form className="dialog-body" onSubmit={add}>
        <CourseField choice={course} />
        <label className="field">{t('pageUrl')}
          <input type="url" required data-focus placeholder="https://" value={url} onChange={(e) => setUrl(e.target.value)} />
        </label>
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!course.id}>{t('pageAdd')}</button>
        </div>
      </form>
    </Dialog>
  );
}
