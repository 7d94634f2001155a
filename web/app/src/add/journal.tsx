// The form for a journal entry.  A draft is kept until the entry is saved.
import { useState, type FormEvent } from 'react';
import { client } from '../data/api.ts';
import { saveItem, loadItem } from '../data/browser_storage.ts';
import { errorText } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { CourseField, useCourseChoice } from './course_field.tsx';

interface Entry { date: string; title: string; text: string }
const today = () => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};
function loadEntry(): Entry {
  try {
    return { date: today(), title: '', text: '', ...JSON.parse(loadItem('journal') ?? '{}') as Partial<Entry> };
  } catch {
    return { date: today(), title: '', text: '' };
  }
}

export function JournalForm({ onClose }: { onClose: () => void }) {
  const { t } = useLocale();
  const [entry, setEntry] = useState(loadEntry);
  const [error, setError] = useState('');
  const course = useCourseChoice();
  const change = (part: Partial<Entry>) => {
    const next = { ...entry, ...part };
    setEntry(next);
    saveItem('journal', JSON.stringify(next));
  };
  const save = async (e: FormEvent) => {
    e.preventDefault();
    try {
      await client.createDocument(course.id, { kind: 'journal', ...entry, title: entry.title.trim() });
      saveItem('journal', null);
      toast(t('journalSaved'));
      onClose();
    } catch (error) {
      setError(errorText(error, t));
    }
  };
  return (
    <Dialog title={t('newJournal')} onClose={onClose}>
      <form className="dialog-body" onSubmit={save}>
        <CourseField choice={course} />
        <label className="field">{t('journalTitle')}
          <input required data-focus dir="auto" maxLength={400} value={entry.title} onChange={(e) => change({ title: e.target.value })} />
        </label>
        <label className="field">{t('journalDate')}
          <input type="date" required value={entry.date} onChange={(e) => change({ date: e.target.value })} />
        </label>
        <label className="field">{t('journalText')}
          <textarea required dir="auto" value={entry.text} onChange={(e) => change({ text: e.target.value })} />
        </label>
        {error && <p className="notice bad" role="alert">{error}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!course.id}>{t('journalSave')}</button>
        </div>
      </form>
    </Dialog>
  );
}
