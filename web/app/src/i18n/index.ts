// Words, numbers and dates in the language of the person.
//
//     const { t, n } = useWords();
//     t('rename')    t('nOf', { n: 1, count: 6 })    n('references', 6)
import { createContext, useContext } from 'react';
import { en, type Words } from './en.ts';

export type { Words };
export const languages = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof languages;

type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type PlainKey = { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words];
type PluralKey = { [K in keyof Words]: Words[K] extends { other: string } ? K : never }[keyof Words];
type Values = Record<string, string | number>;

const fill = (text: string, values: Values = {}) =>
  text.replace(/\{(\w+)\}/g, (all, key) => String(values[key] ?? all));

export interface Speech {
  language: Language;
  words: Words;
  t(key: PlainKey, values?: Values): string;
  n(key: PluralKey, count: number): string;
  number(value: number): string;
  percent(part: number): string;
  date(value: string | Date): string;
  ago(value: string | Date): string;
  list(items: string[]): string;
}

const steps: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000],
];

export function speak(language: Language, words: Words): Speech {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const percents = new Intl.NumberFormat(language, { style: 'percent' });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const lists = new Intl.ListFormat(language, { type: 'conjunction' });

  const date = (value: string | Date) => {
    const at = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
      ? new Date(`${value}T12:00:00`) : new Date(value);
    return Number.isNaN(at.getTime()) ? String(value) : dates.format(at);
  };
  return {
    language,
    words,
    t: (key, values) => fill(words[key], values),
    n: (key, count) => {
      const forms = words[key] as Plural;
      const form = (count === 0 && forms.zero) || forms[rules.select(count)] || forms.other;
      return fill(form, { count: numbers.format(count) });
    },
    number: (value) => numbers.format(value),
    percent: (part) => percents.format(part),
    date,
    ago: (value) => {
      const gone = new Date(value).getTime() - Date.now();
      if (Math.abs(gone) > 7 * 86_400_000) return date(value);
      for (const [unit, size] of steps)
        if (Math.abs(gone) >= size) return relative.format(Math.round(gone / size), unit);
      return relative.format(0, 'minute');
    },
    list: (items) => lists.format(items),
  };
}

export async function loadSpeech(language: Language): Promise<Speech> {
  const words = language === 'es' ? (await import('./es.ts')).default : en;
  return speak(language, words);
}

/** What the browser asks for; right-to-left readers get their direction even
 *  where their words are not here yet. */
export function guessLanguage(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const base = tag.split('-')[0] as Language;
    if (base in languages) return base;
  }
  return 'en';
}
export function guessDirection(): 'ltr' | 'rtl' {
  const base = (navigator.language ?? '').split('-')[0] ?? '';
  return ['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'dv', 'ckb'].includes(base) ? 'rtl' : 'ltr';
}

export const WordsContext = createContext<Speech>(speak('en', en));
export const useWords = () => useContext(WordsContext);
