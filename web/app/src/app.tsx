// Who is there, in which language, and which page that makes.
import { Component, useEffect, useState, type ReactNode } from 'react';
import { client, signedIn } from './data/api.ts';
import { refreshCourses } from './data/courses.ts';
import { language } from './data/looks.ts';
import { refreshModels } from './data/models.ts';
import { refresh } from './data/sessions.ts';
import { useStore } from './data/store.ts';
import { loadSpeech, useWords, WordsContext, type Speech } from './i18n/index.ts';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './signin/signin.tsx';
import { me } from './shell/me.ts';

async function begin() {
  try {
    me.set(await client.me());
    signedIn.set(true);
  } catch {
    if (signedIn.get() === false) return;
    signedIn.set(true); // not a question of who: the parts say what is wrong
  }
  void refresh();
  void refreshCourses().catch(() => {});
  void refreshModels();
}

/** What a bug of ours looks like: words and a way on, not a white page. */
class Guard extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError = () => ({ broken: true });
  override render() {
    return this.state.broken ? <Crashed /> : this.props.children;
  }
}
function Crashed() {
  const { t } = useWords();
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

export function App({ speech: first }: { speech: Speech }) {
  const [speech, setSpeech] = useState(first);
  const wanted = useStore(language);
  const known = useStore(signedIn);

  useEffect(() => {
    if (wanted !== speech.language) void loadSpeech(wanted).then(setSpeech);
    document.documentElement.lang = wanted;
  }, [wanted, speech.language]);
  useEffect(() => {
    void begin();
  }, []);

  return (
    <WordsContext value={speech}>
      <Guard>
        {known === false ? <SignIn onDone={begin} /> : <Shell />}
      </Guard>
    </WordsContext>
  );
}
