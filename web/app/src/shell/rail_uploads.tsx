// The progress of all uploads, in one line of the rail.
import { progressOf, uploads } from '../data/uploads.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';

export function RailUploads() {
  const { t, percent } = useLocale();
  const list = useStore(uploads);
  const busy = list.filter((u) => u.phase !== 'ready' && u.phase !== 'failed');

  if (!busy.length) return null;
  const part = list.reduce((sum, u) => sum + progressOf(u), 0) / list.length;
  return (
    <div className="rail-uploads">
      <b>{t('indexing', { done: list.length - busy.length, total: list.length })}<bdi>{percent(part)}</bdi></b>
      <div className="bar" aria-hidden="true"><i style={{ inlineSize: `${part * 100}%` }} /></div>
      <span>{busy[0]?.name}</span>
    </div>
  );
}
