// The rail: a new question, search, the conversations, what is being read, who.
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { loadMore, refresh, sessions, type Session } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useWords, type Speech } from '../i18n/index.ts';
import { follow } from '../router.ts';
import { Icon, Logo } from '../ui/icon.tsx';
import { Account } from './account.tsx';
import { over, show } from './over.ts';
import { RailCard } from './rail_card.tsx';
import { RailRow } from './rail_row.tsx';
import { command } from './shortcuts.ts';

interface Props {
  current: string | null;
  open: boolean;
  onClose: () => void;
  onNew: () => void;
}

/** In order, under the days people think in. */
function byDay(list: Session[], t: Speech['t']): Array<[string, Session[]]> {
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
  const { t } = useWords();
  const { state, list, cursor } = useStore(sessions);
  const ref = useRef<HTMLElement>(null);

  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (!open) return;
    ref.current?.querySelector<HTMLElement>('a, button')?.focus();
    const onKey = (e: KeyboardEvent) => {
      if (e.key === 'Escape' && !over.get()) close();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);

  return (
    <nav ref={ref} className={open ? 'rail open' : 'rail'} aria-label={t('sessions')}>
      <a className="brand" href="/" onClick={(e) => follow(e, null)}><Logo />{t('appName')}</a>
      <button type="button" className="rail-new" onClick={onNew}>
        <Icon name="plus" />{t('newQuestion')}<kbd aria-hidden="true">{command} J</kbd>
      </button>
      <button type="button" className="rail-find" onClick={() => show({ what: 'find' })}>
        <Icon name="search" />{t('searchEverything')}<kbd aria-hidden="true">{command} K</kbd>
      </button>
      <div className="rail-list">
        {state === 'failed' && (
          <div className="rail-empty" role="alert">
            {t('sessionsFailed')}
            <button type="button" className="button strong" onClick={() => void refresh()}>{t('tryAgain')}</button>
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
          <button type="button" className="button" onClick={() => void loadMore()}>{t('moreSessions')}</button>
        )}
      </div>
      <RailCard />
      <Account />
    </nav>
  );
}
