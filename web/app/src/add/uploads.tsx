// The list of files on their way: what happens to each, and why one failed.
import { again, clearDone, partOf, uploads, type Upload } from '../data/uploads.ts';
import { useStore } from '../data/store.ts';
import { useWords, type Speech } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Kind } from '../ui/kind.tsx';

const MB = 1024 * 1024;
const kinds: Array<[RegExp, 'slides' | 'lecture' | 'journal' | 'page' | 'text']> = [
  [/\.(pdf|pptx?|odp|key)$/i, 'slides'],
  [/\.(mp4|m4v|mov|webm|mkv|mp3|m4a|wav|ogg|vtt|srt)$/i, 'lecture'],
  [/\.html?$/i, 'page'],
];
const kindOf = (u: Upload) => u.document?.kind ??
  ('kind' in u.input && u.input.kind ? u.input.kind : null) ?? kinds.find(([ends]) => ends.test(u.name))?.[1] ?? 'text';

/** Guessed from how fast it has gone so far; null while that says little. */
function timeLeft(u: Upload, part: number, language: string): string | null {
  const gone = (Date.now() - u.readingSince) / 1000;
  if (u.phase !== 'reading' || !u.readingSince || part < 0.05 || gone < 3) return null;
  const seconds = Math.round((gone * (1 - part)) / part);
  return new Intl.NumberFormat(language, seconds < 90
    ? { style: 'unit', unit: 'second' } : { style: 'unit', unit: 'minute' })
    .format(seconds < 90 ? Math.max(5, seconds) : Math.round(seconds / 60));
}

function words(u: Upload, { t, n, number, language }: Speech): string {
  const size = (bytes: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / MB);
  const p = u.document?.progress;
  const left = timeLeft(u, partOf(u), language);
  const after = left ? ` · ${t('left', { time: left })}` : '';
  switch (u.phase) {
    case 'uploading': return !u.total ? t('waiting') : t('uploading', { done: size(u.sent), total: size(u.total) });
    case 'waiting': return t('waiting');
    case 'ready': return u.document?.pages ? n('readyPages', u.document.pages) : t('readyNow');
    case 'failed': return u.error || t('uploadFailed');
    case 'reading':
      if (p?.unit === 'pages' && p.total)
        return t('readingPages', { done: number(p.done), total: number(p.total) }) + after;
      if (p?.unit === 'seconds' && p.total)
        return t('readingSeconds', { done: number(Math.round(p.done / 60)), total: number(Math.round(p.total / 60)) }) + after;
      return t('reading') + after;
  }
}

function Row({ of: u }: { of: Upload }) {
  const speech = useWords();
  const part = partOf(u);
  const busy = u.phase !== 'ready' && u.phase !== 'failed';
  return (
    <li>
      <Kind of={kindOf(u)} />
      <b dir="auto">{u.name}</b>
      {u.phase === 'ready' ? <span className="ok"><Icon name="check" /></span>
        : u.phase === 'failed' ? <span className="not-ok"><Icon name="warn" /></span>
          : <bdi className="quiet">{speech.percent(part)}</bdi>}
      <span className={u.phase === 'failed' ? 'under bad' : 'under'}>
        {busy && (
          <div className="bar" role="progressbar" aria-label={u.name} aria-valuemin={0} aria-valuemax={100}
            aria-valuenow={Math.round(part * 100)}><i style={{ inlineSize: `${part * 100}%` }} /></div>
        )}
        <span>{words(u, speech)}</span>
        {u.phase === 'failed' && !u.document &&
          <button type="button" className="button strong" onClick={() => again(u.key)}>{speech.t('uploadAgain')}</button>}
      </span>
    </li>
  );
}

export function Uploads() {
  const { t, n } = useWords();
  const list = useStore(uploads);
  if (!list.length) return null;
  return (
    <section className="uploads" aria-label={n('adding', list.length)}>
      <header>
        <h2>{n('adding', list.length)}</h2>
        <button type="button" className="icon-button" aria-label={t('close')} onClick={clearDone}><Icon name="close" /></button>
      </header>
      <ul className="plain">{list.map((u) => <Row key={u.key} of={u} />)}</ul>
    </section>
  );
}
