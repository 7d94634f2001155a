// What is being read, in a few words, while the files' own list is closed.
import { partOf, uploads } from '../data/uploads.ts';
import { useStore } from '../data/store.ts';
import { useWords } from '../i18n/index.ts';

export function RailCard() {
  const { t, percent } = useWords();
  const list = useStore(uploads);
  const busy = list.filter((u) => u.phase !== 'ready' && u.phase !== 'failed');

  if (!busy.length) return null;
  const part = list.reduce((sum, u) => sum + partOf(u), 0) / list.length;
  return (
    <div className="rail-card">
      <b>{t('indexing', { done: list.length - busy.length, total: list.length })}<bdi>{percent(part)}</bdi></b>
      <div className="bar" aria-hidden="true"><i style={{ inlineSize: `${part * 100}%` }} /></div>
      <span>{busy[0]?.name}</span>
    </div>
  );
}
