// A sentence of an answer that its source does not carry, and the words of the source,
// side by side: what is missing there, or differs.
import { Fragment, type ReactNode } from 'react';
import { locatorOf, type Source } from '@footnote/client';
import type { Claims } from '../data/marks.ts';
import { missingIn, plainText, reasonOf, textOf } from '../data/verdict_text.ts';
import { isExceptional, SIGNS, verdictLabel, type Said } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Passage } from './passage.tsx';
import { titleOf } from './source_text.ts';
import './verdict_words.css';

interface Props {
  said: Said;
  /** Of the answer. */
  content: string;
  source: Source | null;
  claims: Claims;
}

/** The sentence, with the word that differs struck out. */
function Sentence({ said, content }: Pick<Props, 'said' | 'content'>): ReactNode {
  const [from = 0, to = 0] = said.word ?? [];
  if (said.verdict !== 'contradicts' || !to) return textOf(content, said);
  return (
    <Fragment>
      {plainText(content.slice(said.start, from))} <del>{content.slice(from, to)}</del> {plainText(content.slice(to, said.end))}
    </Fragment>
  );
}

export function VerdictHead({ said, source, children }: Pick<Props, 'said' | 'source'> & { children?: ReactNode }) {
  const { t, words } = useLocale();
  if (!isExceptional(said)) return null;
  return (
    <div className="preview-head">
      <span className={`verdict-sign ${said.verdict}`} aria-hidden="true">{SIGNS[said.verdict]}</span>
      <span><b>{verdictLabel(said.verdict, t)}</b>
        {source && <span className="where" dir="auto">{[titleOf(source, words.labels), locatorOf(source, words.labels)].filter(Boolean).join(', ')}</span>}
      </span>
      {children}
    </div>
  );
}

export function VerdictWords({ said, content, source, claims }: Props) {
  const { t } = useLocale();
  const missing = said.verdict === 'partly' ? missingIn(content, said) : [];
  const reason = missing.length ? null : reasonOf(said, content, t);
  return (
    <div className="verdict-words">
      {source && (
        <>
          <h3>{said.verdict === 'not_found' ? t('sourceSaysInstead') : t('sourceSays')}</h3>
          <blockquote className="quote" dir="auto"><Passage source={source} claims={claims} short /></blockquote>
        </>
      )}
      <h3>{missing.length ? t('notFoundThere') : t('answerSays')}</h3>
      {missing.length
        ? missing.map((piece, i) => <q key={i} className={`not-there ${said.verdict}`} dir="auto">{piece}</q>)
        : <q className={`not-there ${said.verdict}`} dir="auto"><Sentence said={said} content={content} /></q>}
      {reason && <p className="verdict-reason">{reason.charAt(0).toUpperCase() + reason.slice(1)}.</p>}
    </div>
  );
}
