// A passage as it was when it was cited, the words that carry the claim marked.
import { Fragment } from 'react';
import type { Source } from '@footnote/client';
import { useClaimSpans, type Claims } from '../data/marks.ts';
import { useLocale } from '../i18n/index.ts';
import { excerptAround } from './evidence.ts';

export function Passage({ source, claims, short }: { source: Source; claims: Claims; short?: boolean }) {
  const { t, words } = useLocale();
  const spans = useClaimSpans(source, claims);
  const text = source.contentPreview ?? '';
  if (!text)
    return <>{source.state === 'redacted' ? t('state_redacted') : words.labels.noPassage}</>;
  const around = { start: spans[0]?.[0] ?? 0, end: spans.at(-1)?.[1] ?? 0 };
  const { start, end } = short ? excerptAround(text, around) : { start: 0, end: text.length };
  return (
    <>
      {start > 0 && '… '}
      {spans.map(([from, to], i) => (
        <Fragment key={from}>
          {text.slice(spans[i - 1]?.[1] ?? start, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(spans.at(-1)?.[1] ?? start, end)}
      {end < text.length && ' …'}
    </>
  );
}
