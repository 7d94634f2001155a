// The documents of a course, and how often answers cite them.
import { useEffect, useState } from 'react';
import type { DocumentInfo } from '@footnote/client';
import { client } from '../data/api.ts';
import { documentsOf, courseTitle, mayEditCourse } from '../data/courses.ts';
import { errorText } from '../data/describe_error.ts';
import { useLoaded } from '../data/loaded.ts';
import { followReading, isBeingRead, isFirstReading } from '../data/reading.ts';
import { pickFiles } from '../add/pick_files.ts';
import { failureText, readingText } from '../add/upload_status.ts';
import { useLocale } from '../i18n/index.ts';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { KindIcon } from '../ui/kind_icon.tsx';
import { toast } from '../ui/toast.ts';
import { CitationCounts } from './citation_counts.tsx';
import { Meaning } from './meaning.tsx';

const documentName = (d: DocumentInfo) => d.title || d.filename || d.url || d.id;

/** The document as it is now, while the server reads it. */
function useDocumentNow(listed: DocumentInfo): DocumentInfo {
  const [now, setNow] = useState(listed);
  useEffect(() => {
    const controller = new AbortController();
    followReading(listed, setNow, controller.signal).catch(() => {}); // it stays as it was
    return () => controller.abort();
  }, [listed]);
  return now;
}

function DocumentFacts({ of }: { of: DocumentInfo }) {
  const locale = useLocale();
  const { t, n, date } = locale;
  if (of.status === 'failed')
    return <small className="bad">{[t('statusFailed'), failureText(of, locale)].filter(Boolean).join(': ')}</small>;
  const facts = [
    of.status === 'queued' && t('statusQueued'),
    of.status === 'indexing' && readingText(of, locale),
    of.pages && n('pages', of.pages),
    of.version > 1 && t('newVersion', { n: of.version }),
    date(of.createdAt),
  ].filter(Boolean);
  return <small>{facts.join(' · ')}</small>;
}

interface RowProps { of: DocumentInfo; mayEdit: boolean; onDeleted: () => void }

function DocumentRow({ of: listed, mayEdit, onDeleted }: RowProps) {
  const { t } = useLocale();
  const of = useDocumentNow(listed);
  const [confirming, setConfirming] = useState(false);
  const name = documentName(of);
  const deleteDocument = () => client.deleteDocument(of.id).then(onDeleted, (e: unknown) => toast(errorText(e, t)));
  return (
    <li className="document">
      <KindIcon of={kindOfDocument(of)} />
      <span className="grow">
        <b dir="auto">{name}</b><DocumentFacts of={of} />
        {isBeingRead(of) && of.progress?.total && (
          <progress className="bar" aria-label={name} value={of.progress.done} max={of.progress.total} />
        )}
      </span>
      <a className="icon-button" href={`/api/documents/${encodeURIComponent(of.id)}/download`} download
        aria-label={`${t('download')}: ${name}`}><Icon name="download" /></a>
      {mayEdit && (isFirstReading(of) ? (
        <button type="button" className="button outlined" aria-label={t('uploadCancel', { name })}
          onClick={() => void deleteDocument()}>{t('cancel')}</button>
      ) : (
        <button type="button" className="icon-button" aria-label={t('removeDocument', { name })}
          onClick={() => setConfirming(true)}><Icon name="trash" /></button>
      ))}
      {confirming && <ConfirmDialog title={t('removeDocument', { name })} text={t('removeDocumentText')} confirmLabel={t('remove')}
        onConfirm={() => void deleteDocument()} onClose={() => setConfirming(false)} />}
    </li>
  );
}

export function CourseDialog({ courseId, onClose }: { courseId: string; onClose: () => void }) {
  const { t } = useLocale();
  const documents = useLoaded(courseId, (signal) => documentsOf(courseId, signal));
  const mayEdit = mayEditCourse(courseId);
  return (
    <Dialog title={courseTitle(courseId) ?? t('documents')} className="wide" onClose={onClose}>
      <div className="dialog-body">
        <div>
          <div className="dialog-foot" style={{ justifyContent: 'space-between', alignItems: 'center' }}>
            <h3 className="section-title">{t('documents')}</h3>
            {mayEdit && (
              <button type="button" className="button outlined"
                onClick={() => { onClose(); pickFiles(courseId); }}><Icon name="plus" />{t('addFiles')}</button>
            )}
          </div>
          <Meaning courseId={courseId} />
          {documents.state === 'loading' && <span className="spin" role="img" aria-label={t('loading')} />}
          {documents.state === 'failed' && (
            <p className="notice bad" role="alert"><span className="grow">{errorText(documents.error, t)}</span>
              <button type="button" className="button" onClick={documents.reload}>{t('tryAgain')}</button></p>
          )}
          {documents.value && (documents.value.length
            ? <ul className="plain">{documents.value.map((d) => <DocumentRow key={d.id} of={d} mayEdit={mayEdit} onDeleted={documents.reload} />)}</ul>
            : <p className="quiet">{t('noDocuments')}</p>)}
        </div>
        <CitationCounts courseId={courseId} />
      </div>
    </Dialog>
  );
}
