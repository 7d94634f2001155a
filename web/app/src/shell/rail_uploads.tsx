// The progress of all uploads, in one line of the rail.
import { useStore } from '../data/store.ts';
import { isFinished, progressOf } from '../data/upload.ts';
import { uploads } from '../data/uploads.ts';
import { useLocale } from '../i18n/index.ts';

export function RailUploads() {
  const { t, percent } = useLocale();
  const list = useStore(uploads);
  const busy = list.filter((u) => !isFinished(u));
  if (!busy.length) return null;
  const progress = list.reduce((sum, u) => sum + progressOf(u), 0) / list.length;
  return (
    <div className="rail-uploads">
      <b>{t('indexing', { done: list.length - busy.length, total: list.length })}<bdi>{percent(progress)}</bdi></b>
      <div className="bar" aria-hidden="true"><i style={{ inlineSize: `${progress * 100}%` }} /></div>
      <span>{busy[0]?.name}</span>
    </div>
  );
}
