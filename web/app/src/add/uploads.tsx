// The list of uploads: the progress of each, and why one failed.
import { errorText } from '../data/describe_error.ts';
import { isFirstReading } from '../data/reading.ts';
import { useStore } from '../data/store.ts';
import { isFinished, progressOf, type Upload } from '../data/upload.ts';
import { cancelUpload, clearFinished, retryUpload, uploads } from '../data/uploads.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { toast } from '../ui/toast.ts';
import { kindOf, statusText } from './upload_status.ts';

function UploadRow({ of: u }: { of: Upload }) {
  const locale = useLocale();
  const progress = progressOf(u);
  const mayCancel = !isFinished(u) && (!u.document || isFirstReading(u.document));
  const cancel = () => cancelUpload(u).catch((e: unknown) => toast(errorText(e, locale.t)));
  return (
    <li>
      <KindIcon of={kindOf(u)} />
      <b dir="auto">{u.name}</b>
      {u.phase === 'ready' ? <span className="ok"><Icon name="check" /></span>
        : u.phase === 'failed' ? <span className="not-ok"><Icon name="warn" /></span>
          : (
            <span className="of-running"><bdi className="quiet">{locale.percent(progress)}</bdi>
              {mayCancel && (
                <button type="button" className="icon-button" aria-label={locale.t('uploadCancel', { name: u.name })}
                  title={locale.t('cancel')} onClick={() => void cancel()}><Icon name="close" /></button>
              )}
            </span>
          )}
      <span className={u.phase === 'failed' ? 'subtitle bad' : 'subtitle'}>
        {!isFinished(u) && (
          <div className="bar" role="progressbar" aria-label={u.name} aria-valuemin={0} aria-valuemax={100}
            aria-valuenow={Math.round(progress * 100)}><i style={{ inlineSize: `${progress * 100}%` }} /></div>
        )}
        <span>{statusText(u, locale)}</span>
        {u.phase === 'failed' && u.input && !u.document &&
          <button type="button" className="button strong" onClick={() => retryUpload(u.key)}>{locale.t('uploadAgain')}</button>}
      </span>
    </li>
  );
}

export default function Uploads() {
  const { t, n } = useLocale();
  const list = useStore(uploads);
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
