// Who is there, and how the page looks to them.
import { client, signedIn } from '../data/api.ts';
import { language, setLanguage, setTheme, theme, type Theme } from '../data/looks.ts';
import { useStore } from '../data/store.ts';
import { languages, useWords, type Language } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../ui/menu.tsx';
import { me } from './me.ts';
import { show } from './over.ts';

export function Account() {
  const { t } = useWords();
  const who = useStore(me);
  const look = useStore(theme);
  const tongue = useStore(language);
  const local = !who || who.auth === 'none';
  const name = local ? t('localUser') : who.userId;
  const themes: Array<[Theme, string]> = [
    ['system', t('themeSystem')], ['light', t('themeLight')], ['dark', t('themeDark')],
  ];
  const face = (
    <>
      <span className="avatar" aria-hidden="true">{name.slice(0, 2).toUpperCase()}</span>
      <span className="grow"><bdi>{name}</bdi></span>
      <Icon name="dots" />
    </>
  );
  return (
    <Menu className="account" face={face}>
      {(close) => (
        <>
          <MenuTitle>{t('theme')}</MenuTitle>
          {themes.map(([value, label]) => (
            <MenuItem key={value} checked={look === value} onSelect={() => setTheme(value)}>
              <span className="grow">{label}</span>{look === value && <Icon name="check" />}
            </MenuItem>
          ))}
          <MenuTitle>{t('language')}</MenuTitle>
          {(Object.keys(languages) as Language[]).map((value) => (
            <MenuItem key={value} checked={tongue === value} onSelect={() => setLanguage(value)}>
              <span className="grow" lang={value}>{languages[value]}</span>{tongue === value && <Icon name="check" />}
            </MenuItem>
          ))}
          <MenuLine />
          <MenuItem onSelect={() => { close(); show({ what: 'help' }); }}>{t('shortcuts')}</MenuItem>
          <MenuItem href="/docs">{t('apiDocs')}</MenuItem>
          {!local && (
            <MenuItem onSelect={() => {
              close();
              void client.logout().finally(() => { me.set(null); signedIn.set(false); });
            }}>{t('signOut')}</MenuItem>
          )}
        </>
      )}
    </Menu>
  );
}
