// What limits say, in the languages of the page: it comes with them.
import { useLocale, type Language } from '../../i18n/index.ts';

const en = {
  limitedTo: 'Limited to',
  kinds: 'Kinds',
  slides: 'Slides and papers',
  lectures: 'Recordings',
  journal: 'Journal entries',
  pages: 'Web pages',
  texts: 'Texts',
  days: 'Journal entries by day',
  from: 'From',
  to: 'To',
  span: '{from} to {to}',
  fromDay: 'from {day}',
  toDay: 'up to {day}',
  backwards: 'The last day is before the first.',
  changed: 'Added or replaced',
  since: 'Since',
  sinceDay: 'new since {day}',
  clear: 'Look everywhere',
  remove: 'Not only {name}',
  gone: 'a document that is gone',
};
const es: Record<keyof typeof en, string> = {
  limitedTo: 'Limitada a',
  kinds: 'Tipos',
  slides: 'Diapositivas y artículos',
  lectures: 'Grabaciones',
  journal: 'Entradas del diario',
  pages: 'Páginas web',
  texts: 'Textos',
  days: 'Entradas del diario por día',
  from: 'Desde',
  to: 'Hasta',
  span: 'del {from} al {to}',
  fromDay: 'desde el {day}',
  toDay: 'hasta el {day}',
  backwards: 'El último día es anterior al primero.',
  changed: 'Añadido o sustituido',
  since: 'Desde',
  sinceDay: 'nuevo desde el {day}',
  clear: 'Buscar en todo',
  remove: 'No solo {name}',
  gone: 'un documento que ya no está',
};
const all: Record<Language, Record<keyof typeof en, string>> = { en, es };

export function useLimitWords() {
  const locale = useLocale();
  const words = all[locale.language];
  return {
    locale,
    w: (key: keyof typeof en, values: Record<string, string> = {}) =>
      words[key].replace(/\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole),
  };
}
export type LimitWords = ReturnType<typeof useLimitWords>;
