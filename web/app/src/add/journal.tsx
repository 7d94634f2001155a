// A new journal entry.  What was typed stays until it is saved.
import { useState, type FormEvent } from 'react';
import { client } from '../data/api.ts';
import { keep, recall } from '../data/kept.ts';
import { useWords } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { CourseField, useCourseChoice } from './course_field.tsx';

interface Entry { date: string; title: string; text: string }
const today = () => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};
function begun(): Entry {
  try {
    return { date: today(), title: '', text: '', ...JSON.parse(recall('journal') ?? '{}') as Partial<Entry> };
  } catch {
    return { date: today(), title: '', text: '' };
  }
}

export function JournalForm({ onClose }: { onClose: () => void }) {
  const { t } = useWords();
  const [entry, setEntry] = useState(begun);
  const [wrong, setWrong] = useState('');
  const course = useCourseChoice();
  const change = (part: Partial<Entry>) => {
    const next = { ...entry, ...part };
    setEntry(next);
    keep('journal', JSON.stringify(next));
  };
  const save = async (e: FormEvent) => {
    e.preventDefault();
    try {
      await client.createDocument(course.id, { kind: 'journal', ...entry, title: entry.title.trim() });
      keep('journal', null);
      toast(t('journalSaved'));
      onClose();
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return (
    <Dialog title={t('newJournal')} onClose={onClose}>
      <form className="dialog-body" onSubmit={save}>
        <CourseField choice={course} />
        <label className="field">{t('journalTitle')}
          <input required autoFocus dir="auto" maxLength={400} value={entry.title} onChange={(e) => change({ title: e.target.value })} />
        </label>
        <label className="field">{t('journalDate')}
          <input type="date" required value={entry.date} onChange={(e) => change({ date: e.target.value })} />
        </label>
        <label className="field">{t('journalText')}
          <textarea required dir="auto" value={entry.text} onChange={(e) => change({ text: e.target.value })} />
        </label>
        {wrong && <p className="notice bad" role="alert">{wrong}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!course.id}>{t('journalSave')}</button>
        </div>
      </form>
    </Dialog>
  );
}
