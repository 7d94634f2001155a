// Where one is signed in, and signing out there.
import type { Api } from '@footnote/client';
import { client } from '../data/api.ts';
import { errorText } from '../data/describe_error.ts';
import { useLoaded } from '../data/loaded.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';

function Row({ of, onEnded }: { of: Api.SignedIn; onEnded: () => void }) {
  const { t, ago } = useLocale();
  const name = of.agent ?? t('unknownBrowser');
  const signOutThere = () => client.revokeLogin(of.id).then(onEnded, (e: unknown) => toast(errorText(e, t)));
  return (
    <li className="document">
      <span className="grow">
        <b dir="auto">{name}</b>
        <small>{of.current ? t('thisBrowser') : t('lastSeen', { when: ago(of.seenAt) })}</small>
      </span>
      {!of.current && (
        <button type="button" className="button outlined" aria-label={`${t('signOutThere')}: ${name}`}
          onClick={() => void signOutThere()}>{t('signOutThere')}</button>
      )}
    </li>
  );
}

export function Logins({ onClose }: { onClose: () => void }) {
  const { t } = useLocale();
  const logins = useLoaded('logins', (signal) => client.listLogins({}, { signal }));
  return (
    <Dialog title={t('logins')} className="wide" onClose={onClose}>
      <div className="dialog-body">
        {logins.state === 'loading' && <span className="spin" role="img" aria-label={t('loading')} />}
        {logins.state === 'failed' && (
          <p className="notice bad" role="alert"><span className="grow">{errorText(logins.error, t)}</span>
            <button type="button" className="button" onClick={logins.reload}>{t('tryAgain')}</button></p>
        )}
        {logins.value && (
          <ul className="plain">
            {logins.value.logins.map((l) => <Row key={l.id} of={l} onEnded={logins.reload} />)}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
