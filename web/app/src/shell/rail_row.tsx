// One conversation in the rail: a link, and a menu to rename or delete it.
import { useState, type KeyboardEvent } from 'react';
import { deleteSession, renameSession, type Session } from '../data/sessions.ts';
import { errorText } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { followLink, navigate } from '../router.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toast.ts';

function TitleEditor({ session, onDone }: { session: Session; onDone: () => void }) {
  const { t } = useLocale();
  const [text, setText] = useState(session.title ?? '');
  const save = () => {
    const title = text.trim();
    if (title && title !== session.title)
      renameSession(session.id, title).catch((e: unknown) => toast(errorText(e, t)));
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
  const { t } = useLocale();
  const [editing, setEditing] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const title = session.title || t('newQuestion');
  const deleteRow = async () => {
    try {
      await deleteSession(session.id);
      if (current) navigate(null, 'replace');
    } catch (e) {
      toast(errorText(e, t));
    }
  };

  if (editing)
    return <li className="rail-row"><TitleEditor session={session} onDone={() => setEditing(false)} /></li>;
  return (
    <li className={current ? 'rail-row current' : 'rail-row'}>
      <a href={`/c/${encodeURIComponent(session.id)}`} dir="auto" title={title}
        aria-current={current ? 'page' : undefined}
        onClick={(e) => followLink(e, { sessionId: session.id })}>
        {title}
      </a>
      {session.status === 'running' &&
        <span className="running" role="img" aria-label={t('running')} title={t('running')} />}
      <Menu className="icon-button" label={t('sessionMenu', { title })} trigger={<Icon name="dots" />}>
        {(close) => (
          <>
            <MenuItem onSelect={() => { close(); setEditing(true); }}><Icon name="edit" />{t('rename')}</MenuItem>
            <MenuItem danger onSelect={() => { close(); setConfirming(true); }}><Icon name="trash" />{t('remove')}</MenuItem>
          </>
        )}
      </Menu>
      {confirming && <ConfirmDialog title={t('removeTitle')} text={t('removeText', { title })} confirmLabel={t('remove')}
        onConfirm={() => void deleteRow()} onClose={() => setConfirming(false)} />}
    </li>
  );
}
