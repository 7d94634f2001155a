// The evidence of one reference.  Each kind of source has its own view; all of
// them show the stored passage when the document is not available.
import { useState } from 'react';
import type { CitedMessage, Source } from '@footnote/client';
import { VersionNote } from '../cite/state_note.tsx';
import { useDocument } from '../data/documents.ts';
import { claimsIn, NO_CLAIMS, useMarks } from '../data/marks.ts';
import { useLocale } from '../i18n/index.ts';
import { PageView } from './page.tsx';
import { PictureView } from './picture.tsx';
import { RecordingView } from './recording.tsx';
import { TextView } from './text.tsx';
import type { AskPage, ViewProps } from './view_props.ts';

interface Props {
  source: Source;
  /** The answer that cites it; null for a passage that a search found. */
  message: CitedMessage | null;
  /** Which of its markers was followed, from 0. */
  at?: number;
  onOpen: (n: number) => void;
  onAskPage: AskPage | null;
}

/** Whether the document can still be opened. */
const isAvailable = (s: Source) => s.state === 'live' || s.state === 'changed';

export function Viewer({ source, message, at, onOpen, onAskPage }: Props) {
  const { t } = useLocale();
  const id = (isAvailable(source) && (source.documentId ?? source.lectureId)) || null;
  const [today, setToday] = useState(false);
  const version = today ? null : source.documentVersion;
  const document = useDocument(id, version);
  const claimsOf = (s: Source) => (message ? claimsIn(message, s, s === source ? at : 0) : NO_CLAIMS);
  const claims = claimsOf(source);
  const marks = useMarks(source, claims, id, version);
  const props: ViewProps = {
    source, onOpen, onAskPage, version, claims, claimsOf, marks: marks.value,
    note: <VersionNote of={source} today={today} onToday={setToday} />,
    document: document.value ?? null,
    siblings: (message?.sources ?? []).filter((s) => s.cited && id !== null &&
      (s.documentId ?? s.lectureId) === id),
  };
  const view = source.sourceType === 'lecture' && id ? <RecordingView key={String(version)} {...props} />
    : source.sourceType === 'image' ? <PictureView {...props} />
      : source.slideNumber && id ? <PageView {...props} />
        : <TextView {...props} />;
  return <section className="viewer" aria-label={t('viewer')}>{view}</section>;
}
