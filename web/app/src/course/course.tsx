// The documents of a course, and which of them answers rest on.
import { useState } from 'react';
import type { DocumentInfo } from '@footnote/client';
import { client } from '../data/api.ts';
import { documentsOf, titleOf } from '../data/courses.ts';
import { useLoaded } from '../data/loaded.ts';
import { pickFiles } from '../add/pick.ts';
import { useWords } from '../i18n/index.ts';
import { Ask, Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kind } from '../ui/kind.tsx';
import { toast } from '../ui/toast.ts';
import { Tally } from './tally.tsx';

const nameOf = (d: DocumentInfo) => d.title || d.filename || d.id;

function Facts({ of }: { of: DocumentInfo }) {
  const { t, n, date } = useWords();
  if (of.status === 'failed')
    return <small className="bad">{t('statusFailed')}{of.error && `: ${of.error}`}</small>;
  const facts = [
    of.status === 'queued' && t('statusQueued'),
    of.status === 'indexing' && t('statusIndexing'),
    of.pages && n('pages', of.pages),
    of.version > 1 && t('newVersion', { n: of.version }),
    date(of.createdAt),
  ].filter(Boolean);
  return <small>{facts.join(' · ')}</small>;
}

function Row({ of, onGone }: { of: DocumentInfo; onGone: () => void }) {
  const { t } = useWords();
  const [asking, setAsking] = useState(false);
  const name = nameOf(of);
  const gone = () => client.deleteDocument(of.id).then(onGone, (e: Error) => toast(e.message));
  return (
    <li className="document">
      <Kind of={of.kind} />
      <span className="grow"><b dir="auto">{name}</b><Facts of={of} /></span>
      <a className="icon-button" href={`/api/documents/${encodeURIComponent(of.id)}/download`} download
        aria-label={`${t('download')}: ${name}`}><Icon name="download" /></a>
      <button type="button" className="icon-button" aria-label={t('removeDocument', { name })}
        onClick={() => setAsking(true)}><Icon name="trash" /></button>
      {asking && <Ask title={t('removeDocument', { name })} text={t('removeDocumentText')} yes={t('remove')}
        onYes={() => void gone()} onClose={() => setAsking(false)} />}
    </li>
  );
}

export function CourseDialog({ courseId, onClose }: { courseId: string; onClose: () => void }) {
  const { t } = useWords();
  const documents = useLoaded(courseId, (signal) => documentsOf(courseId, signal));
  return (
    <Dialog title={titleOf(courseId) ?? t('documents')} className="wide" onClose={onClose}>
      <div className="dialog-body">
        <div>
          <div className="dialog-foot" style={{ justifyContent: 'space-between', alignItems: 'center' }}>
            <h3 className="section-title">{t('documents')}</h3>
            <button type="button" className="button outlined"
              onClick={() => { onClose(); pickFiles(courseId); }}><Icon name="plus" />{t('addFiles')}</button>
          </div>
          {documents.state === 'loading' && <span className="spin" role="img" aria-label={t('loading')} />}
          {documents.state === 'failed' && (
            <p className="notice bad" role="alert"><span className="grow">{(documents.error as Error).message}</span>
              <button type="button" className="button" onClick={documents.again}>{t('tryAgain')}</button></p>
          )}
          {documents.value && (documents.value.length
            ? <ul className="plain">{documents.value.map((d) => <Row key={d.id} of={d} onGone={documents.again} />)}</ul>
            : <p className="quiet">{t('noDocuments')}</p>)}
        </div>
        <Tally courseId={courseId} />
      </div>
    </Dialog>
  );
}
