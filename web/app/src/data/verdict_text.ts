// A verdict in words: what is missing of a sentence, and what speaks against it.
import type { Locale } from '../i18n/index.ts';
import type { Said } from './verdicts.ts';

/** A piece of the answer as text: without markers, and links are their words. */
export const plainText = (text: string) => text.replace(/\[(?:\d[^\][]*|\^Page)\]/g, '')
  .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1').replace(/(\*\*|__|[*`])/g, '').replace(/\s+([.,;:!?])/g, '$1').trim();

export const textOf = (content: string, said: Said) => plainText(content.slice(said.start, said.end));

/** The pieces of a sentence that its source has not. */
export const missingIn = (content: string, said: Said) =>
  (said.missing ?? []).map(([start = 0, end = 0]) => plainText(content.slice(start, end)));

/** What speaks most against a sentence, in words; null: it goes without saying. */
export function reasonOf(said: Said, content: string, t: Locale['t']): string | null {
  const [start = 0, end = 0] = said.word ?? [];
  const word = content.slice(start, end);
  if (said.reason === 'unknown_number') return t('reasonUnknown', { n: said.number ?? 0 });
  if (said.verdict === 'no_source') return said.number ? t('reasonCarriedBy', { n: said.number }) : null;
  const missing = missingIn(content, said);
  if (said.verdict === 'partly' && missing.length && said.reason !== 'apart')
    return t('reasonMissing', { word: missing.join(' … ') });
  if (!word) return null;
  switch (said.reason) {
    case 'number': case 'name': return t('reasonMissing', { word });
    case 'clash': return t('reasonClash', { word });
    case 'apart': return t('reasonApart', { word });
    case 'denies': case 'dropped': return t('reasonDenial', { word });
    case 'opposite': return t('reasonOpposite', { word });
    default: return null;
  }
}

/** What is marked of a sentence in the answer, as places in its content. */
export function markedIn(said: Said): Array<readonly [number, number]> {
  if (said.verdict === 'carried') return [];
  if (said.verdict === 'partly') {
    if (said.missing?.length) return said.missing.map(([start, end]) => [start!, end!] as const);
    if (said.word) return [[said.word[0]!, said.word[1]!]];
  }
  return [[said.start, said.end]];
}
