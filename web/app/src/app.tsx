// The root component: loads who is signed in, provides the language, and shows
// the app or the sign-in page.
import { Component, lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { client, signedIn } from './data/api.ts';
import { refreshCourses } from './data/courses.ts';
import { language } from './data/appearance.ts';
import { refreshModels } from './data/models.ts';
import { refreshSessions } from './data/sessions.ts';
import { useStore } from './data/store.ts';
import { findUploads } from './data/uploads.ts';
import { loadLocale, useLocale, LocaleContext, type Locale } from './i18n/index.ts';
import { Shell } from './shell/shell.tsx';
import { me } from './shell/me.ts';

/** Most who come are signed in. */
const SignIn = lazy(() => import('./signin/signin.tsx'));

async function loadUserData() {
  try {
    me.set(await client.me());
    signedIn.set(true);
  } catch {
    if (signedIn.get() === false) return;
    signedIn.set(true); // another failure, which each part of the page reports
  }
  void refreshSessions();
  void refreshCourses().catch(() => {});
  void refreshModels();
  void findUploads();
}

/** Shows a text and a reload button instead of a white page. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError = () => ({ broken: true });
  override render() {
    return this.state.broken ? <CrashPage /> : this.props.children;
  }
}
function CrashPage() {
  const { t } = useLocale();
  return (
    <main className="sign-in" role="alert">
      <form>
        <h1>{t('crashed')}</h1>
        <p>{t('crashedText')}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>{t('reload')}</button>
      </form>
    </main>
  );
}

export function App({ locale: first }: { locale: Locale }) {
  const [locale, setLocale] = useState(first);
  const chosenLanguage = useStore(language);
  const isSignedIn = useStore(signedIn);

  useEffect(() => {
    if (chosenLanguage !== locale.language) void loadLocale(chosenLanguage).then(setLocale);
    document.documentElement.lang = chosenLanguage;
  }, [chosenLanguage, locale.language]);
  useEffect(() => {
    void loadUserData();
  }, []);

  return (
    <LocaleContext value={locale}>
      <ErrorBoundary>
        {isSignedIn === false ? <Suspense><SignIn onDone={loadUserData} /></Suspense> : <Shell />}
      </ErrorBoundary>
    </LocaleContext>
  );
}
