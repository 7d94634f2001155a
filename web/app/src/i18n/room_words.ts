// The words of a part of the page that is loaded when it is opened: it brings them
// itself, in each language.
import { useLocale, type Language } from './index.ts';

type KeyOf<W, Form> = { [K in keyof W]: W[K] extends Form ? K : never }[keyof W];
export type TextKeyOf<W> = KeyOf<W, string>;
type Values = Record<string, string | number>;
type Forms = { other: string; zero?: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export interface RoomLocale<W> {
  w(key: TextKeyOf<W>, values?: Values): string;
  count(key: KeyOf<W, { other: string }>, n: number): string;
}

function localeOf<W>(language: Language, words: W): RoomLocale<W> {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const fill = (text: string, values: Values) =>
    text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
  return {
    w: (key, values = {}) => fill(words[key] as string, values),
    count: (key, n) => {
      const forms = words[key] as Forms;
      return fill((n === 0 && forms.zero) || forms[rules.select(n)] || forms.other, { count: numbers.format(n) });
    },
  };
}

/** The hook of such a part. */
export function roomWords<W>(all: Record<Language, W>): () => RoomLocale<W> {
  const made = new Map<Language, RoomLocale<W>>();
  return () => {
    const { language } = useLocale();
    const locale = made.get(language) ?? localeOf(language, all[language]);
    made.set(language, locale);
    return locale;
  };
}
