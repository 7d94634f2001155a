// The account menu: theme, language, shortcuts, sign out.
import { client, signedIn } from '../data/api.ts';
import { language, setLanguage, setTheme, theme, type Theme } from '../data/appearance.ts';
import { errorText } from '../data/describe_error.ts';
import { useStore } from '../data/store.ts';
import { languages, useLocale, type Language } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../ui/menu.tsx';
import { toast } from '../ui/toast.ts';
import { me } from './me.ts';
import { showDialog } from './open_dialog.ts';

export function Account() {
  const { t } = useLocale();
  const user = useStore(me);
  const chosenTheme = useStore(theme);
  const chosenLanguage = useStore(language);
  const local = !user || user.auth === 'none';
  const name = local ? t('localUser') : user.userId;
  const themes: Array<[Theme, string]> = [
    ['system', t('themeSystem')], ['light', t('themeLight')], ['dark', t('themeDark')],
  ];
  // A login that could not be ended is not shown as if it were.
  const signOut = () => void client.logout().then(
    (out) => {
      me.set(null);
      signedIn.set(false);
      if (out?.logoutUrl) location.assign(out.logoutUrl);
    },
    (e: unknown) => toast(errorText(e, t)),
  );
  const trigger = (
    <>
      <span className="avatar" aria-hidden="true">{name.slice(0, 2).toUpperCase()}</span>
      <span className="grow"><bdi>{name}</bdi></span>
      <Icon name="dots" />
    </>
  );
  return (
    <Menu className="account" trigger={trigger}>
      {(close) => (
        <>
          <MenuTitle>{t('theme')}</MenuTitle>
          {themes.map(([value, label]) => (
            <MenuItem key={value} checked={chosenTheme === value} onSelect={() => setTheme(value)}>
              <span className="grow">{label}</span>{chosenTheme === value && <Icon name="check" />}
            </MenuItem>
          ))}
          <MenuTitle>{t('language')}</MenuTitle>
          {(Object.keys(languages) as Language[]).map((value) => (
            <MenuItem key={value} checked={chosenLanguage === value} onSelect={() => setLanguage(value)}>
              <span className="grow" lang={value}>{languages[value]}</span>{chosenLanguage === value && <Icon name="check" />}
            </MenuItem>
          ))}
          <MenuLine />
          <MenuItem onSelect={() => { close(); showDialog({ what: 'help' }); }}>{t('shortcuts')}</MenuItem>
          <MenuItem href="/docs">{t('apiDocs')}</MenuItem>
          {!local && user.auth !== 'proxy' && (
            <MenuItem onSelect={() => { close(); showDialog({ what: 'logins' }); }}>{t('logins')}</MenuItem>
          )}
          {user?.admin && (
            <MenuItem onSelect={() => { close(); showDialog({ what: 'admin' }); }}>{t('administration')}</MenuItem>
          )}
          {!local && <MenuItem onSelect={() => { close(); signOut(); }}>{t('signOut')}</MenuItem>}
        </>
      )}
    </Menu>
  );
}
