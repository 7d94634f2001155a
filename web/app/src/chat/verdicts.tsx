// Below an answer: how many of its sentences their sources carry, and which they
// do not.  What is carried is not mentioned further; a sign stands beside each
// exception, so that colour is never all that tells it.
import type { CitedMessage } from '@footnote/client';
import { reasonOf, textOf } from '../data/verdict_text.ts';
import { isExceptional, secondOf, SIGNS, verdictLabel, verdictsOf, type Said } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import './verdicts.css';

interface Props {
  message: CitedMessage;
  onCite: (message: CitedMessage, n: number, chip?: HTMLElement | null) => void;
}

const BARS_MAX = 24;

/** A bar for each sentence. */
function Bars({ sentences }: { sentences: Said[] }) {
  if (sentences.length > BARS_MAX) return null;
  return (
    <span className="bars" aria-hidden="true">
      {sentences.map((s) => <span key={s.start} className={s.verdict} />)}
    </span>
  );
}

/** The number of the text that a sentence ends with. */
const chipOf = (from: HTMLElement, index: number) =>
  from.closest('.answer')?.querySelector<HTMLElement>(`.prose .fn-chip[data-sentence="${index}"]`) ?? null;

export function Verdicts({ message, onCite }: Props) {
  const { t, n } = useLocale();
  const record = verdictsOf(message);
  if (!record?.of) return null;
  const { sentences } = record;
  const second = secondOf(message);
  /** The model's word on a sentence, where it is another one. */
  const otherOf = (s: Said) => second?.sentences.find((o) => o.start === s.start && o.verdict !== s.verdict);
  const opposed = sentences.filter((s) => s.verdict === 'contradicts').length;
  const summary = t('sentencesCarried', { carried: record.carried, of: record.of }) +
    (opposed ? `, ${n('sayOtherwise', opposed)}` : '');
  if (!sentences.some((s) => isExceptional(s) || otherOf(s))) return <p className="verdicts"><Bars sentences={sentences} />{summary}</p>;
  const isKnown = (s: Said) => message.sources?.some((source) => source.chunkNumber === s.number);
  return (
    <details className="verdicts">
      <summary><Bars sentences={sentences} /><span>{summary}</span><Icon name="down" /></summary>
      <div className="exceptions">
        <ul className="plain">
          {sentences.map((s, i) => {
            const other = otherOf(s);
            if (!isExceptional(s) && !other) return null;
            const reason = reasonOf(s, message.content, t);
            const inside = (
              <>
                <span className="sign" aria-hidden="true">{isExceptional(s) && SIGNS[s.verdict]}</span>
                <b>{verdictLabel(s.verdict, t)}</b>
                <span className="what">
                  <q dir="auto">{textOf(message.content, s)}</q>
                  {reason && <span>{reason}</span>}
                  {other && <span>{t('modelSays', { judge: second!.judge, verdict: verdictLabel(other.verdict, t) })}</span>}
                </span>
              </>
            );
            return (
              <li key={s.start} className={s.verdict}>
                {isKnown(s) ? (
                  <button type="button" className="exception" data-at={i}
                    onClick={(e) => onCite(message, s.number!, chipOf(e.currentTarget, i))}>{inside}</button>
                ) : <div className="exception" data-at={i} tabIndex={-1}>{inside}</div>}
              </li>
            );
          })}
        </ul>
        <details className="how">
          <summary>{t('howMeasured')}</summary>
          <p>{t('verdictsAre')}</p>
          {second && <p>{t('modelLooked', { judge: second.judge })}</p>}
        </details>
      </div>
    </details>
  );
}
