// useWords(): what sharing and administration say, in the language of the page.
import { useLocale, type Language } from '../../i18n/index.ts';
import { en, type PeopleWords } from './en.ts';
import { es } from './es.ts';

type KeyOf<Form> = { [K in keyof PeopleWords]: PeopleWords[K] extends Form ? K : never }[keyof PeopleWords];
export type TextKey = KeyOf<string>;
type PluralKey = KeyOf<{ other: string }>;
type Values = Record<string, string | number>;

const all: Record<Language, PeopleWords> = { en, es };

export interface PeopleLocale {
  w(key: TextKey, values?: Values): string;
  count(key: PluralKey, n: number): string;
}

export function wordsOf(language: Language): PeopleLocale {
  const words = all[language];
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const fill = (text: string, values: Values) =>
    text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
  return {
    w: (key, values = {}) => fill(words[key], values),
    count: (key, n) => {
      const forms: { other: string; zero?: string } & Partial<Record<Intl.LDMLPluralRule, string>> = words[key];
      return fill((n === 0 && forms.zero) || forms[rules.select(n)] || forms.other, { count: numbers.format(n) });
    },
  };
}

const made = new Map<Language, PeopleLocale>();
export function useWords(): PeopleLocale {
  const { language } = useLocale();
  if (!made.has(language)) made.set(language, wordsOf(language));
  return made.get(language)!;
}
