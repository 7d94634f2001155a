// What the list of uploads says about one of them.
import type { DocumentInfo } from '@footnote/client';
import { errorText } from '../data/describe_error.ts';
import { progressOf, type Upload } from '../data/upload.ts';
import type { Locale } from '../i18n/index.ts';

const MB = 1024 * 1024;
const kindsByName: Array<[RegExp, DocumentInfo['kind']]> = [
  [/\.(pdf|pptx?|odp|key)$/i, 'slides'],
  [/\.(mp4|m4v|mov|webm|mkv|mp3|m4a|wav|ogg|vtt|srt)$/i, 'lecture'],
  [/\.html?$/i, 'page'],
];

/** The server's word, else the form's, else a guess from the name. */
export const kindOf = (u: Upload): DocumentInfo['kind'] => u.document?.kind ?? u.input?.kind ??
  kindsByName.find(([pattern]) => pattern.test(u.name))?.[1] ?? 'text';

/** Estimated from the speed so far; null while that is too early. */
export function secondsLeft(u: Upload, now: number): number | null {
  const progress = progressOf(u);
  const seconds = (now - u.readingSince) / 1000;
  if (u.phase !== 'reading' || !u.readingSince || progress < 0.05 || seconds < 3) return null;
  return Math.round((seconds * (1 - progress)) / progress);
}

const durationText = (seconds: number, language: string) => (seconds < 90
  ? new Intl.NumberFormat(language, { style: 'unit', unit: 'second' }).format(Math.max(5, seconds))
  : new Intl.NumberFormat(language, { style: 'unit', unit: 'minute' }).format(Math.round(seconds / 60)));

export function readingText(document: DocumentInfo | null, { t, number }: Locale): string {
  const { unit, done, total } = document?.progress ?? {};
  if (done === undefined || !total) return t('reading');
  if (unit === 'pages') return t('readingPages', { done: number(done), total: number(total) });
  if (unit === 'seconds')
    return t('readingSeconds', { done: number(Math.round(done / 60)), total: number(Math.round(total / 60)) });
  return t('reading');
}

/** Why a document could not be read, in the reader's language. */
export const failureText = (document: DocumentInfo | null, { words }: Locale): string | null =>
  words.reasons[document?.errorCode ?? ''] ?? document?.error ?? null;

export function statusText(u: Upload, locale: Locale, now = Date.now()): string {
  const { t, n, language } = locale;
  const size = (bytes: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / MB);
  switch (u.phase) {
    case 'uploading': return !u.total ? t('waiting') : t('uploading', { done: size(u.sent), total: size(u.total) });
    case 'waiting': return t('waiting');
    case 'ready': return u.document?.pages ? n('readyPages', u.document.pages) : t('readyNow');
    case 'failed': return failureText(u.document, locale) ?? (u.error ? errorText(u.error, t) : t('uploadFailed'));
    case 'reading': {
      const left = secondsLeft(u, now);
      const estimate = left === null ? '' : ` · ${t('timeLeft', { time: durationText(left, language) })}`;
      return readingText(u.document, locale) + estimate;
    }
  }
}
