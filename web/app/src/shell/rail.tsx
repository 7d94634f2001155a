// The navigation rail: new question, search, conversations, uploads, account.
import { useLayoutEffect, useRef } from 'react';
import { loadMoreSessions, refreshSessions, sessions } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { followLink, useLibraryUrl } from '../router.ts';
import { Icon, Logo } from '../ui/icon.tsx';
import { Account } from './account.tsx';
import { byDay } from './by_day.ts';
import { showDialog } from './open_dialog.ts';
import { useEscape } from '../ui/use_escape.ts';
import { useLayer } from '../ui/use_layer.ts';
import { RailUploads } from './rail_uploads.tsx';
import { RailRow } from './rail_row.tsx';
import { commandKey } from './shortcuts.ts';

interface Props {
  current: string | null;
  open: boolean;
  onClose: () => void;
  onNew: () => void;
}

export function Rail({ current, open, onClose, onNew }: Props) {
  const { t } = useLocale();
  const { state, list, cursor } = useStore(sessions);
  const ref = useRef<HTMLElement>(null);
  const inLibrary = useLibraryUrl() !== null;

  useLayer(onClose, open);
  useLayoutEffect(() => {
    if (!open) return;
    ref.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [open]);
  useEscape(onClose, open);

  return (
    <nav ref={ref} className={open ? 'rail open' : 'rail'} aria-label={t('sessions')}>
      <a className="brand" href="/" onClick={(e) => followLink(e, null)}><Logo />{t('appName')}</a>
      <button type="button" className="rail-new" onClick={onNew}>
        <Icon name="plus" />{t('newQuestion')}<kbd aria-hidden="true">{commandKey} J</kbd>
      </button>
      <button type="button" className="rail-find" onClick={() => showDialog({ what: 'find' })}>
        <Icon name="search" />{t('searchEverything')}<kbd aria-hidden="true">{commandKey} K</kbd>
      </button>
      <a className="rail-library" href="/library" aria-current={inLibrary ? 'page' : undefined}
        onClick={(e) => followLink(e, '/library')}><Icon name="books" />{t('library')}</a>
      <div className="rail-list">
        {state === 'failed' && (
          <div className="rail-empty" role="alert">
            {t('sessionsFailed')}
            <button type="button" className="button strong" onClick={() => void refreshSessions()}>{t('tryAgain')}</button>
          </div>
        )}
        {state === 'ready' && !list.length && <p className="rail-empty">{t('noSessions')}</p>}
        {byDay(list, new Date()).map(([name, group]) => (
          <section key={name}>
            <h2>{t(name)}</h2>
            <ul className="plain">
              {group.map((s) => <RailRow key={s.id} session={s} current={s.id === current} />)}
            </ul>
          </section>
        ))}
        {cursor && (
          <button type="button" className="button" onClick={() => void loadMoreSessions()}>{t('moreSessions')}</button>
        )}
      </div>
      <RailUploads />
      <Account />
    </nav>
  );
}
