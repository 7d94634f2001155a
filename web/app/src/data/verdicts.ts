// What is known of the sentences of an answer: which of them their sources carry.
// What a judge of words has found is stored with the answer; nothing is measured here.
import type { Api, CitedMessage, Source } from '@footnote/client';
import type { Locale } from '../i18n/index.ts';
import { EXTRACTIVE } from './extractive.ts';

export type Said = Api.SentenceVerdict;
export type Exceptional = Exclude<Said['verdict'], 'carried'>;

/** A sign beside each exception, so that colour is never all that tells it. */
export const SIGNS: Readonly<Record<Exceptional, string>> = { partly: '≈', not_found: '?', contradicts: '≠', no_source: '–' };
export const isExceptional = (said: Said): said is Said & { verdict: Exceptional } => said.verdict !== 'carried';

/** The measure of words; absent of answers that were not judged.  Quoted sentences
 *  carry themselves. */
export const verdictsOf = (message: CitedMessage) =>
  (message.model === EXTRACTIVE ? undefined : message.verdicts?.find((v) => v.judge === 'text'));

/** What a model has said that was asked afterwards; it stands beside the measure. */
export const secondOf = (message: CitedMessage) => message.verdicts?.find((v) => v.judge !== 'text');

/** Between a sentence and a marker of it stand other markers at most. */
const ONLY_MARKERS = /^(?:\s|\[[^\][]*\]|【[^【】]*】|［[^［］]*］)*$/;

/** The sentence that a marker at this place stands in, or behind. */
export function sentenceAt(message: CitedMessage, at: number): Said | null {
  const said = verdictsOf(message)?.sentences.findLast((s) => s.start <= at);
  return said && (at < said.end || ONLY_MARKERS.test(message.content.slice(said.end, at))) ? said : null;
}

/** The same of the nth marker of a source, from 0. */
export function sentenceOf(message: CitedMessage, source: Source, nth: number): Said | null {
  const span = source.spans?.[nth];
  return span ? sentenceAt(message, span[0]!) : null;
}

/** What a number of a list stands for: the worst of its sentences. */
export function worstOf(message: CitedMessage, source: Source): Exceptional | null {
  const order: Exceptional[] = ['contradicts', 'not_found', 'partly'];
  const found = (source.spans ?? []).map((_, i) => sentenceOf(message, source, i)?.verdict);
  return order.find((verdict) => found.includes(verdict)) ?? null;
}

export function verdictLabel(verdict: Said['verdict'], t: Locale['t']): string {
  switch (verdict) {
    case 'carried': return t('verdictCarried');
    case 'partly': return t('verdictPartly');
    case 'not_found': return t('verdictNotFound');
    case 'contradicts': return t('verdictContradicts');
    case 'no_source': return t('verdictNoSource');
  }
}
