// A web page by its address; the server fetches and reads it.
import { useState, type FormEvent } from 'react';
import { client } from '../data/api.ts';
import { useWords } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { CourseField, useCourseChoice } from './course_field.tsx';

export function PageForm({ onClose }: { onClose: () => void }) {
  const { t } = useWords();
  const [url, setUrl] = useState('');
  const [wrong, setWrong] = useState('');
  const course = useCourseChoice();
  const add = async (e: FormEvent) => {
    e.preventDefault();
    try {
      await client.createDocument(course.id, { kind: 'page', url: url.trim() });
      toast(t('waiting'));
      onClose();
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return (
    <Dialog title={t('addPage')} onClose={onClose}>
      <form className="dialog-body" onSubmit={add}>
        <CourseField choice={course} />
        <label className="field">{t('pageUrl')}
          <input type="url" required autoFocus placeholder="https://" value={url} onChange={(e) => setUrl(e.target.value)} />
        </label>
        {wrong && <p className="notice bad" role="alert">{wrong}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!course.id}>{t('pageAdd')}</button>
        </div>
      </form>
    </Dialog>
  );
}
