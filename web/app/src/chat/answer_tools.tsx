// The buttons below an answer: versions, references, copy, retry, save.
import { lazy, Suspense } from 'react';
import type { CitedMessage } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Versions, type OnVersion } from './versions.tsx';

/** Loaded with the first answer. */
const Feedback = lazy(async () => ({ default: (await import('./feedback.tsx')).Feedback }));

export interface AnswerActions {
  onCopy: (message: CitedMessage, references: boolean) => void;
  onSave: (message: CitedMessage) => void;
  onLink: (id: string) => void;
  onRetry: (id: string) => void;
  onContinue: (id: string) => void;
  onVersion: OnVersion;
}
interface Props extends AnswerActions {
  message: CitedMessage;
  busy: boolean;
  onCite: (message: CitedMessage, n: number) => void;
}

export function AnswerTools({ message, busy, onCite, ...act }: Props) {
  const { t, n } = useLocale();
  const cited = (message.sources ?? []).filter((s) => s.cited);
  return (
    <div className="tools" role="group" aria-label={t('answerTools')}>
      <Versions message={message} busy={busy} onVersion={act.onVersion} />
      {cited.length > 0 && (
        <button type="button" className="button" onClick={() => onCite(message, cited[0]!.chunkNumber)}>
          <Icon name="books" />{n('showReferences', cited.length)}</button>
      )}
      <button type="button" className="icon-button" aria-label={t('copyWithReferences')} title={t('copyWithReferences')}
        onClick={() => act.onCopy(message, true)}><Icon name="copy" /></button>
      <button type="button" className="icon-button" aria-label={t('retry')} title={t('retry')} disabled={busy}
        onClick={() => act.onRetry(message.id)}><Icon name="retry" /></button>
      <Suspense><Feedback message={message} /></Suspense>
      <Menu className="icon-button" label={t('menu')} trigger={<Icon name="dots" />}>
        {(close) => (
          <>
            <MenuItem onSelect={() => { close(); act.onCopy(message, false); }}>{t('copyPlain')}</MenuItem>
            <MenuItem onSelect={() => { close(); act.onSave(message); }}>{t('asMarkdown')}</MenuItem>
            <MenuItem onSelect={() => { close(); act.onLink(message.id); }}>{t('link')}</MenuItem>
          </>
        )}
      </Menu>
    </div>
  );
}
