// The list of uploads: the progress of each, and why one failed.
import { retryUpload, clearFinished, progressOf, uploads, type Upload } from '../data/uploads.ts';
import { useStore } from '../data/store.ts';
import { useLocale, type Locale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';

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

function statusText(u: Upload, { t, n, number, language }: Locale): string {
  const size = (bytes: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / MB);
  const p = u.document?.progress;
  const left = timeLeft(u, progressOf(u), language);
  const after = left ? ` · ${t('timeLeft', { time: left })}` : '';
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

function UploadRow({ of: u }: { of: Upload }) {
  const speech = useLocale();
  const part = progressOf(u);
  const busy = u.phase !== 'ready' && u.phase !== 'failed';
  return (
    <li>
      <KindIcon of={kindOf(u)} />
      <b dir="auto">{u.name}</b>
      {u.phase === 'ready' ? <span className="ok"><Icon name="check" /></span>
        : u.phase === 'failed' ? <span className="not-ok"><Icon name="warn" /></span>
          : <bdi className="quiet">{speech.percent(part)}</bdi>}
      <span className={u.phase === 'failed' ? 'subtitle bad' : 'subtitle'}>
        {busy && (
          <div className="bar" role="progressbar" aria-label={u.name} aria-valuemin={0} aria-valuemax={100}
            aria-valuenow={Math.round(part * 100)}><i style={{ inlineSize: `${part * 100}%` }} /></div>
        )}
        <span>{statusText(u, speech)}</span>
        {u.phase === 'failed' && !u.document &&
          <button type="button" className="button strong" onClick={() => retryUpload(u.key)}>{speech.t('uploadAgain')}</button>}
      </span>
    </li>
  );
}

export function Uploads() {
  const { t, n } = useLocale();
  const list = useStore(uploads);
  if (!list.length) return null;
  return (
    <section className="uploads" aria-label={n('adding', list.length)}>
      <header>
        <h2>{n('adding', list.length)}</h2>
        <button type="button" className="icon-button" aria-label={t('close')} onClick={clearFinished}><Icon name="close" /></button>
      </header>
      <ul className="plain">{list.map((u) => <UploadRow key={u.key} of={u} />)}</ul>
    </section>
  );
}
