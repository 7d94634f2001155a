// Below an answer: how many of its sentences their sources carry, and which they
// do not.  What is carried is not mentioned further; a sign stands beside each
// exception, so that colour is never all that tells it.
import type { Api, CitedMessage } from '@footnote/client';
import { EXTRACTIVE } from '../data/models.ts';
import { useLocale, type Locale } from '../i18n/index.ts';

interface Props {
  message: CitedMessage;
  onCite: (message: CitedMessage, n: number) => void;
}

const SIGNS = { partly: '≈', not_found: '?', contradicts: '≠', no_source: '–' } as const;
type Exception = Api.SentenceVerdict & { verdict: keyof typeof SIGNS };

const isException = (s: Api.SentenceVerdict): s is Exception => s.verdict !== 'carried';

function labelOf(verdict: keyof typeof SIGNS, t: Locale['t']) {
  switch (verdict) {
    case 'partly': return t('verdictPartly');
    case 'not_found': return t('verdictNotFound');
    case 'contradicts': return t('verdictContradicts');
    case 'no_source': return t('verdictNoSource');
  }
}

/** What speaks most against the sentence, in words; null: it goes without saying. */
function reasonOf(s: Exception, content: string, t: Locale['t']) {
  const [start = 0, end = 0] = s.word ?? [];
  const word = content.slice(start, end);
  if (s.reason === 'unknown_number') return t('reasonUnknown', { n: s.number ?? 0 });
  if (s.verdict === 'no_source') return s.number ? t('reasonCarriedBy', { n: s.number }) : null;
  if (!word) return null;
  switch (s.reason) {
    case 'number': case 'name': return t('reasonMissing', { word });
    case 'clash': return t('reasonClash', { word });
    case 'apart': return t('reasonApart', { word });
    case 'denies': case 'dropped': return t('reasonDenial', { word });
    case 'opposite': return t('reasonOpposite', { word });
    default: return null;
  }
}

export function Verdicts({ message, onCite }: Props) {
  const { t } = useLocale();
  const record = message.verdicts?.find((v) => v.judge === 'text');
  // Quoted sentences carry themselves.
  if (!record?.of || message.model === EXTRACTIVE) return null;
  const exceptions = record.sentences.filter(isException);
  const sources = message.sources ?? [];
  const summary = t('sentencesCarried', { carried: record.carried, of: record.of });
  if (!exceptions.length) return <p className="verdicts">{summary}</p>;
  return (
    <details className="verdicts">
      <summary>{summary}</summary>
      <ul className="plain">
        {exceptions.map((s) => {
          const reason = reasonOf(s, message.content, t);
          const text = message.content.slice(s.start, s.end);
          const known = sources.some((source) => source.chunkNumber === s.number);
          return (
            <li key={s.start} className={s.verdict}>
              <span className="sign" aria-hidden="true">{SIGNS[s.verdict]}</span>
              <span className="grow">
                <b>{labelOf(s.verdict, t)}</b>{reason && <> · {reason}</>}
                {known && s.number ? (
                  <button type="button" className="said" dir="auto" onClick={() => onCite(message, s.number!)}>{text}</button>
                ) : <q className="said" dir="auto">{text}</q>}
              </span>
            </li>
          );
        })}
      </ul>
      <p>{t('verdictsAre')}</p>
    </details>
  );
}
