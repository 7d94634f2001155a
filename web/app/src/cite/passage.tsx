// A passage as it was when it was cited, the supporting sentence marked.
import type { Source } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { excerptAround, supportingSentence } from './evidence.ts';

export function Passage({ source, claim, short }: { source: Source; claim: string; short?: boolean }) {
  const { t, words } = useLocale();
  const text = source.contentPreview ?? '';
  if (!text)
    return <>{source.state === 'redacted' ? t('state_redacted') : words.labels.noPassage}</>;
  const { start, end } = supportingSentence(text, claim) ?? { start: 0, end: 0 };
  const { start: from, end: to } = short ? excerptAround(text, { start, end }) : { start: 0, end: text.length };
  return (
    <>
      {from > 0 && '… '}
      {text.slice(from, start)}
      {end > start && <mark>{text.slice(start, end)}</mark>}
      {text.slice(Math.max(end, from), to)}
      {to < text.length && ' …'}
    </>
  );
}
