// Chips that say what a question is limited to; loaded when there are some.
import type { Api } from '@footnote/client';
import { limit, limitsOf, scope } from '../../data/courses.ts';
import { useDocument } from '../../data/documents.ts';
import { useStore } from '../../data/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { useLimitWords, type LimitWords } from './words.ts';
import './limits.css';

export const kindNames = {
  slides: 'slides', lecture: 'lectures', journal: 'journal', page: 'pages', text: 'texts',
} as const;

function datesOf(from: string | undefined, to: string | undefined, { w, locale: { date } }: LimitWords): string | null {
  if (from && to) return w('span', { from: date(from), to: date(to) });
  if (from) return w('fromDay', { day: date(from) });
  return to ? w('toDay', { day: date(to) }) : null;
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const { w } = useLimitWords();
  return (
    <li className="limit-chip">
      <span dir="auto">{text}</span>
      <button type="button" className="icon-button" aria-label={w('remove', { name: text })} onClick={onRemove}><Icon name="close" /></button>
    </li>
  );
}

/** Of the next question: each can be taken off. */
export function LimitChips() {
  const words = useLimitWords();
  const { w, locale: { t, date } } = words;
  const where = useStore(scope);
  const dates = datesOf(where.from, where.to, words);
  if (!limitsOf(where)) return null;
  return (
    <ul className="plain limit-chips" aria-label={t('limits')}>
      {where.documents.map((d) => (
        <Chip key={d.id} text={d.title} onRemove={() => limit({ documents: where.documents.filter((x) => x.id !== d.id) })} />
      ))}
      {where.kinds.map((k) => (
        <Chip key={k} text={w(kindNames[k])} onRemove={() => limit({ kinds: where.kinds.filter((x) => x !== k) })} />
      ))}
      {dates && <Chip text={dates} onRemove={() => limit({ from: '', to: '' })} />}
      {where.since && <Chip text={w('sinceDay', { day: date(where.since) })} onRemove={() => limit({ since: '' })} />}
    </ul>
  );
}

function DocumentName({ id }: { id: string }) {
  const { w } = useLimitWords();
  const { value, state } = useDocument(id, null);
  return <span dir="auto">{value?.title || value?.filename || (state === 'failed' ? w('gone') : '…')}</span>;
}

/** Of a question that was asked. */
export function AskedWithin({ limits }: { limits: Api.Scope }) {
  const words = useLimitWords();
  const { w, locale: { date } } = words;
  const dates = datesOf(limits.dateFrom, limits.dateTo, words);
  return (
    <ul className="plain limit-chips" aria-label={w('limitedTo')}>
      {limits.documentIds?.map((id) => <li key={id} className="limit-chip"><DocumentName id={id} /></li>)}
      {limits.kinds?.map((k) => <li key={k} className="limit-chip"><span>{w(kindNames[k])}</span></li>)}
      {dates && <li className="limit-chip"><span>{dates}</span></li>}
      {limits.changedSince && <li className="limit-chip"><span>{w('sinceDay', { day: date(limits.changedSince) })}</span></li>}
    </ul>
  );
}
