// A passage as it was when it was cited, the words that carry the claim marked.
import type { Source } from '@footnote/client';
import { useWords } from '../i18n/index.ts';
import { carryingSpan } from './evidence.ts';

const SHORT = 280;

/** The carrying sentence with what fits around it. */
function window(text: string, from: number, to: number): [number, number] {
  if (text.length <= SHORT) return [0, text.length];
  const room = Math.max(0, SHORT - (to - from));
  const start = Math.max(0, from - Math.floor(room / 3));
  return [start, Math.min(text.length, Math.max(to, start + SHORT))];
}

export function Passage({ source, claim, short }: { source: Source; claim: string; short?: boolean }) {
  const { t, words } = useWords();
  const text = source.contentPreview ?? '';
  if (!text)
    return <>{source.state === 'redacted' ? t('state_redacted') : words.labels.noPassage}</>;
  const carrying = carryingSpan(text, claim);
  const { start, end } = carrying ?? { start: 0, end: 0 };
  const [from, to] = short ? window(text, start, end) : [0, text.length];
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
