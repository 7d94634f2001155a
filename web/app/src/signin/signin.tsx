// The sign-in page: a button for each provider, and a field for a key or a token.
import { useEffect, useState, type FormEvent } from 'react';
import type { Api } from '@footnote/client';
import { client, codeOf } from '../data/api.ts';
import { errorText } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { me } from '../shell/me.ts';
import { Logo } from '../ui/icon.tsx';

/** Whether a provider sent the browser back without a login; the address is
 *  cleaned of it. */
function takeFailure(): boolean {
  const url = new URL(location.href);
  if (!url.searchParams.has('signin')) return false;
  url.searchParams.delete('signin');
  history.replaceState(history.state, '', url);
  return true;
}

/** The ways in; a server that does not say takes keys. */
function useWays(): Api.LoginWays | null {
  const [ways, setWays] = useState<Api.LoginWays | null>(null);
  useEffect(() => {
    client.loginWays().then(setWays, () => setWays({ key: true, token: true, providers: [] }));
  }, []);
  return ways;
}

function KeyForm({ onDone, focus }: { onDone: () => void; focus: boolean }) {
  const { t } = useLocale();
  const [secret, setSecret] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (e: FormEvent) => {
    e.preventDefault();
    const value = secret.trim();
    if (!value) return;
    setBusy(true);
    try {
      await client.login(value.startsWith('fn_') ? { key: value } : { token: value });
      setSecret('');
      onDone();
    } catch (error) {
      setWrong(codeOf(error) === 'unauthorized' ? t('signInWrong') : errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <label className="field">
        {t('signInKey')}
        <input type="password" autoComplete="current-password" autoFocus={focus} required value={secret}
          aria-invalid={!!wrong} aria-describedby={wrong ? 'wrong' : undefined}
          onChange={(e) => { setSecret(e.target.value); setWrong(null); }} />
      </label>
      {wrong && <p id="wrong" className="notice bad" role="alert">{wrong}</p>}
      <button type="submit" className="button primary" disabled={busy}>{t('signIn')}</button>
    </form>
  );
}

export default function SignIn({ onDone }: { onDone: () => void }) {
  const { t } = useLocale();
  const [failed] = useState(takeFailure);
  const ways = useWays();
  const providers = ways?.providers ?? [];
  const here = encodeURIComponent(location.pathname + location.search + location.hash);
  const keys = ways && (ways.key || ways.token || !providers.length);
  return (
    <main className="sign-in">
      <div>
        <span className="brand"><Logo />{t('appName')}</span>
        <h1>{t('signInTitle')}</h1>
        {(me.get() || (ways && !providers.length)) && (
          <p className="quiet">{me.get() ? t('signedOut') : t('signInText')}</p>
        )}
        {failed && <p className="notice bad" role="alert">{t('signInFailed')}</p>}
        {providers.map((p) => (
          <a key={p.url} className="button primary" href={`${p.url}?to=${here}`}>{t('continueWith', { name: p.name })}</a>
        ))}
        {keys && (providers.length
          ? <details><summary>{t('useKeyInstead')}</summary><KeyForm onDone={onDone} focus={false} /></details>
          : <KeyForm onDone={onDone} focus />)}
      </div>
    </main>
  );
}
