// The buttons below an answer: versions, references, copy, retry, save.
import type { CitedMessage } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

export interface AnswerActions {
  onCopy: (message: CitedMessage, references: boolean) => void;
  onSave: (message: CitedMessage) => void;
  onLink: (id: string) => void;
  onRetry: (id: string) => void;
  onContinue: (id: string) => void;
  onVersion: (id: string, by: 1 | -1) => void;
}
interface Props extends AnswerActions {
  message: CitedMessage;
  busy: boolean;
  versions: number;
  version: number;
  onCite: (message: CitedMessage, n: number) => void;
}

export function AnswerTools({ message, busy, versions, version, onCite, ...act }: Props) {
  const { t, n } = useLocale();
  const cited = (message.sources ?? []).filter((s) => s.cited);
  return (
    <div className="tools" role="group" aria-label={t('answerTools')}>
      {versions > 1 && (
        <span className="version">
          <button type="button" className="icon-button" aria-label={t('versionBefore')} disabled={version <= 1}
            onClick={() => act.onVersion(message.id, -1)}><Icon name="back" /></button>
          <bdi>{t('versionOf', { n: version, count: versions })}</bdi>
          <button type="button" className="icon-button" aria-label={t('versionAfter')} disabled={version >= versions}
            onClick={() => act.onVersion(message.id, 1)}><Icon name="forth" /></button>
        </span>
      )}
      {cited.length > 0 && (
        <button type="button" className="button" onClick={() => onCite(message, cited[0]!.chunkNumber)}>
          <Icon name="books" />{n('showReferences', cited.length)}</button>
      )}
      <button type="button" className="icon-button" aria-label={t('copyWithReferences')} title={t('copyWithReferences')}
        onClick={() => act.onCopy(message, true)}><Icon name="copy" /></button>
      {version === versions && (
        <button type="button" className="icon-button" aria-label={t('retry')} title={t('retry')} disabled={busy}
          onClick={() => act.onRetry(message.id)}><Icon name="retry" /></button>
      )}
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
