// A question of the user, with buttons to copy and to edit it.
import { memo, useState, type KeyboardEvent } from 'react';
import type { CitedMessage } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { AskedWithin } from './limits/picker.tsx';
import { toast } from '../ui/toast.ts';
import { Versions, type OnVersion } from './versions.tsx';

interface Props {
  message: CitedMessage;
  busy: boolean;
  onEdit: (id: string, text: string) => void;
  onVersion: OnVersion;
}

function Editor({ text, onSave, onCancel }: { text: string; onSave: (text: string) => void; onCancel: () => void }) {
  const { t } = useLocale();
  const [value, setValue] = useState(text);
  const save = () => value.trim() && onSave(value.trim());
  const key = (e: KeyboardEvent) => {
    if (e.key === 'Escape') onCancel();
    if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
    e.preventDefault();
    save();
  };
  return (
    <form onSubmit={(e) => { e.preventDefault(); save(); }}>
      <textarea aria-label={t('editLabel')} autoFocus dir="auto" rows={2} value={value}
        onChange={(e) => setValue(e.target.value)} onKeyDown={key} />
      <div className="dialog-foot">
        <button type="button" className="button outlined" onClick={onCancel}>{t('cancel')}</button>
        <button type="submit" className="button primary">{t('editAsk')}</button>
      </div>
    </form>
  );
}

export const Question = memo(function Question({ message, busy, onEdit, onVersion }: Props) {
  const { t } = useLocale();
  const [editing, setEditing] = useState(false);
  const copy = () => navigator.clipboard.writeText(message.content)
    .then(() => toast(t('copiedPlain')), () => toast(t('copyFailed')));
  return (
    <article className="question" data-id={message.id} aria-label={t('you')} tabIndex={-1}>
      <h2 className="hidden-visually">{t('you')}</h2>
      {editing ? (
        <Editor text={message.content} onCancel={() => setEditing(false)}
          onSave={(text) => { setEditing(false); onEdit(message.id, text); }} />
      ) : (
        <>
          <div className="asked">
            <div className="bubble" dir="auto">{message.content}</div>
            <AskedWithin limits={message.scope} />
          </div>
          <div className="tools">
            <Versions message={message} busy={busy} onVersion={onVersion} />
            <button type="button" className="icon-button" aria-label={t('copy')} title={t('copy')} onClick={() => void copy()}>
              <Icon name="copy" /></button>
            <button type="button" className="icon-button" aria-label={t('edit')} title={t('edit')} disabled={busy}
              onClick={() => setEditing(true)}><Icon name="edit" /></button>
          </div>
        </>
      )}
    </article>
  );
});
