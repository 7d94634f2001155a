// The bar above the conversation: its title, course and age, and the export menu.
import type { CitedMessage } from '@footnote/client';
import { courses } from '../data/courses.ts';
import type { Session } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuTitle } from '../ui/menu.tsx';

interface Props {
  session: Session | null;
  courseId: string | null;
  last: CitedMessage | null;
  count: number;
  paneOpen: boolean;
  onRail: () => void;
  onPane: () => void;
  onCopy: (references: boolean) => void;
  onSaveAnswer: () => void;
  onSaveAll: () => void;
}

export function Topbar(props: Props) {
  const { t, n, ago } = useLocale();
  const { session, last, count, paneOpen } = props;
  const course = useStore(courses)?.find((c) => c.id === props.courseId)?.title ?? t('allCourses');
  const fresh = session && Date.now() - new Date(session.updatedAt).getTime() < 60_000;
  const saved = session && (fresh ? t('savedNow') : t('saved', { when: ago(session.updatedAt) }));
  return (
    <header className="topbar">
      <button type="button" className="icon-button only-narrow" aria-label={t('openRail')} onClick={props.onRail}>
        <Icon name="menu" /></button>
      <div className="titles">
        <h1 dir="auto">{session?.title || t('newQuestion')}</h1>
        <p className="subtitle"><bdi>{course}</bdi>{saved && ` · ${saved}`}</p>
      </div>
      {last && session && (
        <button type="button" className="button" aria-label={t('share')}
          onClick={() => showDialog({ what: 'share', sessionId: session.id, messageId: last.id })}>
          <Icon name="link" /><span className="only-wide">{t('share')}</span></button>
      )}
      {last && (
        <Menu trigger={<><Icon name="download" /><span className="only-wide">{t('export')}</span><Icon name="down" /></>} label={t('export')}>
          {(close) => (
            <>
              <MenuTitle>{t('exportAnswer')}</MenuTitle>
              <MenuItem onSelect={() => { close(); props.onCopy(true); }}><span className="grow">{t('copyWithReferences')}</span></MenuItem>
              <MenuItem onSelect={() => { close(); props.onCopy(false); }}><span className="grow">{t('copyPlain')}</span></MenuItem>
              <MenuItem onSelect={() => { close(); props.onSaveAnswer(); }}><span className="grow">{t('asMarkdown')}</span><span className="quiet">.md</span></MenuItem>
              <MenuTitle>{t('exportAll')}</MenuTitle>
              <MenuItem onSelect={() => { close(); props.onSaveAll(); }}><span className="grow">{t('asMarkdown')}</span><span className="quiet">.md</span></MenuItem>
            </>
          )}
        </Menu>
      )}
      {last && (
        <button type="button" className="button" aria-pressed={paneOpen} onClick={props.onPane}
          aria-label={`${paneOpen ? t('closePane') : t('openPane')}${count ? `: ${n('showReferences', count)}` : ''}`}>
          <Icon name="pane" />{count > 0 && !paneOpen && <span className="count">{count}</span>}</button>
      )}
    </header>
  );
}
