// Texts, numbers and dates in the user's language.
//
//     const { t, n } = useWords();
//     t('rename')    t('referenceOf', { n: 1, count: 6 })    n('references', 6)
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

export interface Locale {
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

const agoUnits: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000],
];

export function createLocale(language: Language, words: Words): Locale {
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
      for (const [unit, size] of agoUnits)
        if (Math.abs(gone) >= size) return relative.format(Math.round(gone / size), unit);
      return relative.format(0, 'minute');
    },
    list: (items) => lists.format(items),
  };
}

export async function loadLocale(language: Language): Promise<Locale> {
  const words = language === 'es' ? (await import('./es.ts')).default : en;
  return createLocale(language, words);
}

/** The first language of the browser that we have. */
export function guessLanguage(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const base = tag.split('-')[0] as Language;
    if (base in languages) return base;
  }
  return 'en';
}
/** Readers of right-to-left scripts get their direction even while our texts are
 *  not translated for them. */
export function guessDirection(): 'ltr' | 'rtl' {
  const base = (navigator.language ?? '').split('-')[0] ?? '';
  return ['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'dv', 'ckb'].includes(base) ? 'rtl' : 'ltr';
}

export const LocaleContext = createContext<Locale>(createLocale('en', en));
export const useLocale = () => useContext(LocaleContext);
