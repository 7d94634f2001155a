// Theme, language and direction of the page.
import { guessDirection, guessLanguage, type Language, languages } from '../i18n/index.ts';
import { saveItem, loadItem } from './browser_storage.ts';
import { createStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');
export const theme = createStore<Theme>((loadItem('theme') as Theme | null) ?? 'system');
export const language = createStore<Language>(
  languages[loadItem('language') as Language] ? (loadItem('language') as Language) : guessLanguage());

function applyTheme() {
  const now = theme.get();
  document.documentElement.dataset.theme =
    now === 'dark' || (now === 'system' && dark.matches) ? 'dark' : 'light';
}
dark.addEventListener('change', applyTheme);

export function setTheme(next: Theme) {
  saveItem('theme', next);
  theme.set(next);
  applyTheme();
}
export function setLanguage(next: Language) {
  saveItem('language', next);
  language.set(next);
}

export function applyAppearance() {
  applyTheme();
  document.documentElement.lang = language.get();
  document.documentElement.dir = guessDirection();
}

/** Narrow screens show the references in a sheet instead of a pane. */
const narrow = matchMedia('(max-width: 820px)');
export const oneColumn = createStore(narrow.matches);
narrow.addEventListener('change', () => oneColumn.set(narrow.matches));
