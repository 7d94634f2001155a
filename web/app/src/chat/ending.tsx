// How an answer ended, when that needs saying.
import type { CitedMessage } from '@footnote/client';
import { useWords } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

interface Props {
  message: CitedMessage;
  last: boolean;
  busy: boolean;
  onRetry: (id: string) => void;
  onGoOn: (id: string) => void;
}

export function Ending({ message, last, busy, onRetry, onGoOn }: Props) {
  const { t } = useWords();
  const { status } = message;
  const cut = status === 'interrupted' || status === 'failed' || status === 'stopped';
  const empty = !message.sources?.length && status === 'complete';
  if (!cut) {
    if (!message.lowConfidence) return null;
    return (
      <p className="notice warn" role="note"><Icon name="warn" />
        <span className="grow">{empty ? t('noSources') : t('lowConfidence')}</span></p>
    );
  }
  const what = status === 'stopped' ? t('stopped') : status === 'failed' ? t('failed') : t('interrupted');
  return (
    <div className={status === 'stopped' ? 'notice' : 'notice bad'} role="note">
      <Icon name={status === 'stopped' ? 'stop' : 'warn'} />
      <span className="grow"><b>{what}</b> {message.content && t('interruptedText')}</span>
      {last && (
        <span>
          {message.content && <button type="button" className="button" disabled={busy} onClick={() => onGoOn(message.id)}>{t('goOn')}</button>}
          <button type="button" className="button" disabled={busy} onClick={() => onRetry(message.id)}>{t('retry')}</button>
        </span>
      )}
    </div>
  );
}
