// What a row says of its document, in words.
import type { LibraryDocument } from '@footnote/client';
import type { Locale } from '../i18n/index.ts';
import type { LibraryLocale } from './words/index.ts';

/** Of a folder, a file has its path there. */
const fileOf = (d: LibraryDocument) => d.filename?.replace(/^.*\//, '');
export const nameOf = (d: LibraryDocument) => d.title || fileOf(d) || d.url || d.id;

/** Pages, slides or minutes; null when it has none. */
export function lengthText(d: LibraryDocument, { language }: Locale, { count }: LibraryLocale): string | null {
  if (d.durationSeconds) {
    const minutes = Math.max(1, Math.round(d.durationSeconds / 60));
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute' }).format(minutes);
  }
  if (!d.pages) return null;
  return count(d.kind === 'slides' && d.layout === 'wide' ? 'slides' : 'pages', d.pages);
}

export function sizeText(bytes: number | null, { language }: Locale): string {
  if (bytes === null) return '';
  const [unit, value] = bytes < 1_000_000 ? ['kilobyte', bytes / 1000] as const : ['megabyte', bytes / 1_000_000] as const;
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: value < 9.95 && unit === 'megabyte' ? 1 : 0 })
    .format(unit === 'kilobyte' ? Math.max(1, value) : value);
}

/** A day this year, a date before. */
export function changedText(at: string, { language }: Locale, { w }: LibraryLocale, now = new Date()): string {
  const then = new Date(at);
  if (now.getTime() - then.getTime() < 60_000) return w('now');
  if (then.toDateString() === now.toDateString()) return w('today');
  return new Intl.DateTimeFormat(language, {
    day: 'numeric', month: 'short', ...(then.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  }).format(then);
}

const hostOf = (url: string | null) => {
  try {
    return url && new URL(url).host;
  } catch {
    return null;
  }
};

/** Beneath the name: what it came as, its course, its version. */
export function originText(d: LibraryDocument, course: string | null, { date }: Locale, { w }: LibraryLocale): string {
  const base = fileOf(d);
  const file = base && base !== nameOf(d) && d.kind !== 'journal' && !(d.kind === 'text' && base === 'text.txt')
    ? base : null;
  return [d.kind === 'page' ? hostOf(d.url) : file, course, d.date && date(d.date),
    d.version > 1 && w('version', { n: d.version })].filter(Boolean).join(' · ');
}
