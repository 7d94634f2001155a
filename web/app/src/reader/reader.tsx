// A document at a page or a second, without an answer: /d/{id}?version=&page=&t=
import { useEffect } from 'react';
import type { DocumentInfo, ReaderPlace, Source } from '@footnote/client';
import { isNotFound } from '../data/api.ts';
import { useDocument } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { followLink } from '../router.ts';
import { Icon } from '../ui/icon.tsx';
import { Viewer } from '../viewer/viewer.tsx';

interface Props {
  place: Required<ReaderPlace>;
  onRail: () => void;
}

const typeOf: Record<DocumentInfo['kind'], Source['sourceType']> = {
  slides: 'slide', lecture: 'lecture', journal: 'journal', page: 'web', text: 'text',
};

/** The place as a source that nobody cites. */
function sourceAt({ version, page, seconds }: Required<ReaderPlace>, d: DocumentInfo): Source {
  return {
    sourceId: d.id, sourceType: typeOf[d.kind], chunkNumber: 0, contentPreview: null, documentId: d.id,
    slideNumber: d.kind === 'slides' ? Math.min(page ?? 1, d.pages ?? Infinity) : null,
    lectureId: d.kind === 'lecture' ? d.id : null, startSeconds: d.kind === 'lecture' ? seconds ?? 0 : null,
    endSeconds: null, courseId: d.courseId, ownerId: null, title: d.title ?? d.filename, url: d.url, date: d.date,
    s3key: null, part: null, meta: null, score: null, documentVersion: version,
    state: version !== null && version < (d.searchableVersion ?? d.version) ? 'changed' : 'live',
    cited: false, support: null, spans: [],
  };
}

function NotThere({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useLocale();
  const missing = isNotFound(error);
  return (
    <div className="notice bad" role="alert">
      <Icon name="warn" />
      <span className="grow"><b>{t(missing ? 'documentMissing' : 'err_other')}</b> {t(missing ? 'documentMissingDo' : 'err_other_do')}</span>
      {missing
        ? <a className="button" href="/" onClick={(e) => followLink(e, null)}>{t('newQuestion')}</a>
        : <button type="button" className="button" onClick={onAgain}>{t('tryAgain')}</button>}
    </div>
  );
}

export default function Reader({ place, onRail }: Props) {
  const { t } = useLocale();
  const { documentId, version, page, seconds } = place;
  const document = useDocument(documentId, version);
  const title = document.value?.title ?? document.value?.filename ?? t('viewer');
  useEffect(() => {
    window.document.title = `${title} · ${t('appName')}`;
  }, [title, t]);
  return (
    <main className="main">
      <header className="topbar">
        <button type="button" className="icon-button only-narrow" aria-label={t('openRail')} onClick={onRail}><Icon name="menu" /></button>
        <div className="titles"><h1 dir="auto">{title}</h1></div>
      </header>
      <div className="reader" tabIndex={-1}>
        {document.state === 'loading' && <span className="spin" role="img" aria-label={t('loading')} />}
        {document.state === 'failed' && <NotThere error={document.error} onAgain={document.reload} />}
        {document.value && <h2 className="hidden-visually">{t('viewer')}</h2>}
        {document.value && (
          <Viewer key={`${documentId}/${version}/${page}/${seconds}`} source={sourceAt(place, document.value)} message={null}
            onOpen={() => {}} onAskPage={null} />
        )}
      </div>
    </main>
  );
}
