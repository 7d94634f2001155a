// A document at a page or a second, without an answer: /d/{id}?version=&page=&t=
import { useEffect, useState } from 'react';
import type { DocumentInfo, ReaderPlace, Source } from '@footnote/client';
import { isNotFound } from '../data/api.ts';
import { courses, limit, setCourse } from '../data/courses.ts';
import { useDocument } from '../data/documents.ts';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { useWords } from '../library/words/index.ts';
import { followLink } from '../router.ts';
import { newQuestion } from '../shell/shell.tsx';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { Viewer } from '../viewer/viewer.tsx';
import { Cited, placeOf, useCited } from './cited.tsx';
import { Contents } from './outline.tsx';
import './reader.css';

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
  const { t, n, date } = useLocale();
  const { w, count } = useWords();
  const { documentId, version, page, seconds } = place;
  const document = useDocument(documentId, version);
  const d = document.value ?? null;
  const cited = useCited(d);
  const [shown, setShown] = useState<'contents' | 'cited' | null>(null);
  const toggle = (which: 'contents' | 'cited') => setShown(shown === which ? null : which);
  const title = d?.title ?? d?.filename ?? t('viewer');
  const course = useStore(courses)?.find((c) => c.id === d?.courseId);
  const at = page ?? seconds ?? (d?.kind === 'lecture' ? 0 : 1);
  const counts = new Map<number, number>();
  for (const c of cited) counts.set(placeOf(c), (counts.get(placeOf(c)) ?? 0) + 1);
  useEffect(() => {
    window.document.title = `${title} · ${t('appName')}`;
  }, [title, t]);
  useEffect(() => {
    setShown(null);
  }, [page, seconds]);
  const shelf = d ? `/library/${encodeURIComponent(d.courseId)}` : '/library';
  const facts = d && [course?.title, d.pages && n('pages', d.pages), d.version > 1 && t('newVersion', { n: version ?? d.version }), date(d.changedAt)];
  const ask = () => {
    setCourse(d!.courseId);
    limit({ documents: [{ id: d!.id, title }] });
    newQuestion();
  };
  return (
    <main className="main">
      <header className="topbar">
        <button type="button" className="icon-button only-narrow" aria-label={t('openRail')} onClick={onRail}><Icon name="menu" /></button>
        <a className="icon-button" href={shelf} aria-label={w('backToLibrary')} title={w('backToLibrary')} onClick={(e) => followLink(e, shelf)}><Icon name="back" /></a>
        {d && <span className="only-wide"><KindIcon of={kindOfDocument(d)} /></span>}
        <div className="titles"><h1 dir="auto">{title}</h1><p className="subtitle" dir="auto">{facts?.filter(Boolean).join(' · ')}</p></div>
        {d && <button type="button" className="icon-button reader-toggle" aria-label={w('outline')} aria-expanded={shown === 'contents'} onClick={() => toggle('contents')}><Icon name="journal" /></button>}
        {cited.length > 0 && (
          <button type="button" className="icon-button reader-toggle of-cited" aria-label={count('citedIn', new Set(cited.map((c) => c.messageId)).size)} aria-expanded={shown === 'cited'}
            onClick={() => toggle('cited')}><Icon name="pane" /></button>
        )}
        {d?.searchableVersion && <button type="button" className="button outlined ask-document" aria-label={w('askDocument')} onClick={ask}><Icon name="spark" /><span>{w('askDocument')}</span></button>}
      </header>
      <div className="reader-body">
        {d && <Contents of={d} version={version} at={at} cited={counts} shown={shown === 'contents'} />}
        <div className="reader" tabIndex={-1}>
          {document.state === 'loading' && <span className="spin" role="img" aria-label={t('loading')} />}
          {document.state === 'failed' && <NotThere error={document.error} onAgain={document.reload} />}
          {d && <h2 className="hidden-visually">{t('viewer')}</h2>}
          {d && (
            <Viewer key={`${documentId}/${version}/${page}/${seconds}`} source={sourceAt(place, d)} message={null}
              onOpen={() => {}} onAskPage={null} />
          )}
        </div>
        <Cited list={cited} at={at} shown={shown === 'cited'} />
      </div>
    </main>
  );
}
