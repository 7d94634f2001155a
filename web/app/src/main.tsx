// Starts the app: looks first, so that nothing flashes, then words, then React.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/chat.css';
import './styles/answer.css';
import './styles/evidence.css';
import './styles/dialogs.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { language, showLooks } from './data/looks.ts';
import { loadSpeech } from './i18n/index.ts';

showLooks();
const speech = await loadSpeech(language.get());
createRoot(document.getElementById('app')!).render(<App speech={speech} />);

/** What will be needed soon, while there is a connection to get it by. */
const later = () => Promise.allSettled([import('./viewer/viewer.tsx'), import('./shell/dialogs.tsx')]);

// Our two typefaces (SIL Open Font License, embedded) come when the page stands; until then the system's serve.
const idle = window.requestIdleCallback ?? ((fn: () => void) => setTimeout(fn, 200));
idle(() => {
  void import('./styles/fonts.css').catch(() => {}); // then the system's stay
  void later();
});
