// A notice for answers that were cut off or that the sources hardly support.
import type { CitedMessage } from '@footnote/client';
import { describeCode } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

interface Props {
  message: CitedMessage;
  last: boolean;
  busy: boolean;
  onRetry: (id: string) => void;
  onContinue: (id: string) => void;
}

export function Ending({ message, last, busy, onRetry, onContinue }: Props) {
  const { t } = useLocale();
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
  const cause = status === 'failed' && message.failure ? describeCode(message.failure, t) : null;
  const what = cause?.what ?? (status === 'stopped' ? t('stopped') : status === 'failed' ? t('failed') : t('interrupted'));
  return (
    <div className={status === 'stopped' ? 'notice' : 'notice bad'} role="note">
      <Icon name={status === 'stopped' ? 'stop' : 'warn'} />
      <span className="grow"><b>{what}</b> {cause?.todo} {message.content && t('interruptedText')}</span>
      {last && (
        <span>
          {message.content && <button type="button" className="button" disabled={busy} onClick={() => onContinue(message.id)}>{t('continueAnswer')}</button>}
          <button type="button" className="button" disabled={busy} onClick={() => onRetry(message.id)}>{t('retry')}</button>
        </span>
      )}
    </div>
  );
}
