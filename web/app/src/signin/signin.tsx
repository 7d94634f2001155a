// The sign-in page: one field for a key or a token.
import { useState, type FormEvent } from 'react';
import { client, codeOf } from '../data/api.ts';
import { errorText } from '../data/describe_error.ts';
import { useLocale } from '../i18n/index.ts';
import { me } from '../shell/me.ts';
import { Logo } from '../ui/icon.tsx';

export function SignIn({ onDone }: { onDone: () => void }) {
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
    <main className="sign-in">
      <form onSubmit={submit}>
        <span className="brand"><Logo />{t('appName')}</span>
        <h1>{t('signInTitle')}</h1>
        <p className="quiet">{me.get() ? t('signedOut') : t('signInText')}</p>
        <label className="field">
          {t('signInKey')}
          <input type="password" autoComplete="current-password" autoFocus required value={secret}
            aria-invalid={!!wrong} aria-describedby={wrong ? 'wrong' : undefined}
            onChange={(e) => { setSecret(e.target.value); setWrong(null); }} />
        </label>
        {wrong && <p id="wrong" className="notice bad" role="alert">{wrong}</p>}
        <button type="submit" className="button primary" disabled={busy}>{t('signIn')}</button>
      </form>
    </main>
  );
}
