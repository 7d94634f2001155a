// The navigation rail: new question, search, conversations, uploads, account.
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { loadMoreSessions, refreshSessions, sessions, type Session } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useLocale, type Locale } from '../i18n/index.ts';
import { followLink } from '../router.ts';
import { Icon, Logo } from '../ui/icon.tsx';
import { Account } from './account.tsx';
import { openDialog, showDialog } from './open_dialog.ts';
import { RailUploads } from './rail_uploads.tsx';
import { RailRow } from './rail_row.tsx';
import { commandKey } from './shortcuts.ts';

interface Props {
  current: string | null;
  open: boolean;
  onClose: () => void;
  onNew: () => void;
}

/** Groups of today, yesterday, the last seven days, and earlier. */
function byDay(list: Session[], t: Locale['t']): Array<[string, Session[]]> {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const day = 86_400_000;
  const groups = new Map<string, Session[]>();
  for (const s of list) {
    const at = new Date(s.updatedAt).getTime();
    const name = at >= midnight ? t('today') : at >= midnight - day ? t('yesterday')
      : at >= midnight - 7 * day ? t('thisWeek') : t('earlier');
    groups.set(name, [...(groups.get(name) ?? []), s]);
  }
  return [...groups];
}

export function Rail({ current, open, onClose, onNew }: Props) {
  const { t } = useLocale();
  const { state, list, cursor } = useStore(sessions);
  const ref = useRef<HTMLElement>(null);

  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (!open) return;
    ref.current?.querySelector<HTMLElement>('a, button')?.focus();
    const onKey = (e: KeyboardEvent) => {
      if (e.key === 'Escape' && !openDialog.get()) close();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);

  return (
    <nav ref={ref} className={open ? 'rail open' : 'rail'} aria-label={t('sessions')}>
      <a className="brand" href="/" onClick={(e) => followLink(e, null)}><Logo />{t('appName')}</a>
      <button type="button" className="rail-new" onClick={onNew}>
        <Icon name="plus" />{t('newQuestion')}<kbd aria-hidden="true">{commandKey} J</kbd>
      </button>
      <button type="button" className="rail-find" onClick={() => showDialog({ what: 'find' })}>
        <Icon name="search" />{t('searchEverything')}<kbd aria-hidden="true">{commandKey} K</kbd>
      </button>
      <div className="rail-list">
        {state === 'failed' && (
          <div className="rail-empty" role="alert">
            {t('sessionsFailed')}
            <button type="button" className="button strong" onClick={() => void refreshSessions()}>{t('tryAgain')}</button>
          </div>
        )}
        {state === 'ready' && !list.length && <p className="rail-empty">{t('noSessions')}</p>}
        {byDay(list, t).map(([name, group]) => (
          <section key={name}>
            <h2>{name}</h2>
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
