// One conversation of the rail: a link, and what can be done with it.
import { useState, type KeyboardEvent } from 'react';
import { remove, rename, type Session } from '../data/sessions.ts';
import { useWords } from '../i18n/index.ts';
import { follow, go } from '../router.ts';
import { Ask } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toast.ts';

function Title({ session, onDone }: { session: Session; onDone: () => void }) {
  const { t } = useWords();
  const [text, setText] = useState(session.title ?? '');
  const save = () => {
    const title = text.trim();
    if (title && title !== session.title)
      rename(session.id, title).catch((e: Error) => toast(e.message));
    onDone();
  };
  const key = (e: KeyboardEvent) => {
    if (e.key === 'Enter') save();
    if (e.key === 'Escape') onDone();
  };
  return (
    <input value={text} aria-label={t('renameLabel')} autoFocus maxLength={400} dir="auto"
      onChange={(e) => setText(e.target.value)} onKeyDown={key} onBlur={save}
      onFocus={(e) => e.target.select()} />
  );
}

export function RailRow({ session, current }: { session: Session; current: boolean }) {
  const { t } = useWords();
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const title = session.title || t('newQuestion');
  const gone = async () => {
    try {
      await remove(session.id);
      if (current) go(null, 'replace');
    } catch (e) {
      toast((e as Error).message);
    }
  };

  if (editing)
    return <li className="rail-row"><Title session={session} onDone={() => setEditing(false)} /></li>;
  return (
    <li className={current ? 'rail-row current' : 'rail-row'}>
      <a href={`/c/${encodeURIComponent(session.id)}`} dir="auto" title={title}
        aria-current={current ? 'page' : undefined}
        onClick={(e) => follow(e, { sessionId: session.id })}>
        {title}
      </a>
      {session.status === 'running' &&
        <span className="running" role="img" aria-label={t('running')} title={t('running')} />}
      <Menu className="icon-button" label={t('sessionMenu', { title })} face={<Icon name="dots" />}>
        {(close) => (
          <>
            <MenuItem onSelect={() => { close(); setEditing(true); }}><Icon name="edit" />{t('rename')}</MenuItem>
            <MenuItem danger onSelect={() => { close(); setAsking(true); }}><Icon name="trash" />{t('remove')}</MenuItem>
          </>
        )}
      </Menu>
      {asking && <Ask title={t('removeTitle')} text={t('removeText', { title })} yes={t('remove')}
        onYes={() => void gone()} onClose={() => setAsking(false)} />}
    </li>
  );
}
