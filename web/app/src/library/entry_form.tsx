// An entry of the journal, changed: its new words are a new version.
import { useState, type FormEvent } from 'react';
import type { LibraryDocument } from '@footnote/client';
import { client } from '../data/api.ts';
import { errorText } from '../data/describe_error.ts';
import { fileUrl, useWholeText } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { useWords } from './words/index.ts';

interface Props { of: LibraryDocument; onDone: () => void; onClose: () => void }

export function EntryForm({ of, onDone, onClose }: Props) {
  const { t } = useLocale();
  const { w } = useWords();
  const stored = useWholeText(fileUrl(of.id, 'download', of.version));
  const [title, setTitle] = useState(of.title ?? '');
  const [changed, setText] = useState<string | null>(null);
  const [error, setError] = useState('');
  const text = changed ?? stored.value ?? '';
  const save = async (e: FormEvent) => {
    e.preventDefault();
    try {
      if (changed !== null && changed !== stored.value)
        await client.replaceDocument(of.id, { kind: 'journal', date: of.date!, title: title.trim(), text });
      else await client.updateDocument(of.id, { title: title.trim() });
      toast(t('journalSaved'));
      onDone();
      onClose();
    } catch (problem) {
      setError(errorText(problem, t));
    }
  };
  return (
    <Dialog title={w('journalTitle')} onClose={onClose}>
      <form className="dialog-body" onSubmit={save}>
        <label className="field">{t('journalTitle')}
          <input required dir="auto" maxLength={400} value={title} onChange={(e) => setTitle(e.target.value)} /></label>
        <label className="field">{t('journalText')}
          <textarea required data-focus dir="auto" disabled={stored.state !== 'ready'} value={text} onChange={(e) => setText(e.target.value)} /></label>
        {stored.state === 'failed' && <p className="notice bad" role="alert">{errorText(stored.error, t)}</p>}
        {error && <p className="notice bad" role="alert">{error}</p>}
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={onClose}>{t('cancel')}</button>
          <button type="submit" className="button primary" disabled={!title.trim() || !text.trim()}>{t('journalSave')}</button>
        </div>
      </form>
    </Dialog>
  );
}
