// Theme, language and direction of the page.
import { guessDirection, guessLanguage, type Language, languages } from '../i18n/index.ts';
import { keep, recall } from './kept.ts';
import { createStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');
export const theme = createStore<Theme>((recall('theme') as Theme | null) ?? 'system');
export const language = createStore<Language>(
  languages[recall('language') as Language] ? (recall('language') as Language) : guessLanguage());

function show() {
  const now = theme.get();
  document.documentElement.dataset.theme =
    now === 'dark' || (now === 'system' && dark.matches) ? 'dark' : 'light';
}
dark.addEventListener('change', show);

export function setTheme(next: Theme) {
  keep('theme', next);
  theme.set(next);
  show();
}
export function setLanguage(next: Language) {
  keep('language', next);
  language.set(next);
}

export function showLooks() {
  show();
  document.documentElement.lang = language.get();
  document.documentElement.dir = guessDirection();
}

/** Whether the evidence comes from below instead of standing beside. */
const narrow = matchMedia('(max-width: 820px)');
export const oneColumn = createStore(narrow.matches);
narrow.addEventListener('change', () => oneColumn.set(narrow.matches));
