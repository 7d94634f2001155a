// What is on its way into the course in view and has no row of its own yet.
import { errorText } from '../data/describe_error.ts';
import { useStore } from '../data/store.ts';
import { isFinished, progressOf, type Upload } from '../data/upload.ts';
import { cancelUpload, retryUpload, uploads } from '../data/uploads.ts';
import { kindOf, statusText } from '../add/upload_status.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { toast } from '../ui/toast.ts';

function Sending({ of: u }: { of: Upload }) {
  const locale = useLocale();
  const { t, percent } = locale;
  const progress = progressOf(u);
  return (
    <li className="document">
      <KindIcon of={kindOf(u)} />
      <span className="grow"><b dir="auto">{u.name}</b>
        {!isFinished(u) && <progress className="bar" aria-label={u.name} value={progress} max={1} />}
        <small className={u.phase === 'failed' ? 'bad' : undefined}>{statusText(u, locale)}</small></span>
      {!isFinished(u) && <bdi className="quiet">{percent(progress)}</bdi>}
      {u.phase === 'failed' && <button type="button" className="button strong" onClick={() => retryUpload(u.key)}>{t('uploadAgain')}</button>}
      <button type="button" className="icon-button" aria-label={t('uploadCancel', { name: u.name })}
        onClick={() => void cancelUpload(u).catch((e: unknown) => toast(errorText(e, t)))}><Icon name="close" /></button>
    </li>
  );
}

/** Those that the server has are in the table. */
export function Sendings({ courseId }: { courseId: string | null }) {
  const list = useStore(uploads).filter((u) => !u.document && u.input && (courseId === null || u.courseId === courseId));
  if (!list.length) return null;
  return <ul className="plain sendings">{list.map((u) => <Sending key={u.key} of={u} />)}</ul>;
}
