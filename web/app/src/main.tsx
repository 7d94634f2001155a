// Starts the app: first the theme, so that nothing flashes, then the texts, then
// React.
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/chat.css';
import './styles/answer.css';
import './styles/evidence.css';
import './styles/dialogs.css';
import './styles/touch.css';
import './styles/print.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { language, applyAppearance } from './data/appearance.ts';
import { loadLocale } from './i18n/index.ts';

applyAppearance();
// Not awaited: the texts import this file, and would wait for it in turn.
void loadLocale(language.get()).then((locale) =>
  createRoot(document.getElementById('app')!).render(<App locale={locale} />));

/** Loads what will be needed soon, while there is a connection. */
const preloadChunks = () => Promise.allSettled(
  [import('./viewer/viewer.tsx'), import('./shell/dialogs.tsx'), import('./add/uploads.tsx')]);

// Our two typefaces (SIL Open Font License, embedded) are loaded after the first
// frame; until then the page uses the system's.
const idle = window.requestIdleCallback ?? ((fn: () => void) => setTimeout(fn, 200));
idle(() => {
  void import('./styles/fonts.css').catch(() => {}); // keeps the system's typefaces
  void preloadChunks();
});
