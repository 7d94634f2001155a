// The evidence of one reference.  Each kind of source has its own view; all of
// them show the stored passage when the document is not available.
import { useState } from 'react';
import type { CitedMessage, Source } from '@footnote/client';
import { claimTextOf } from '../cite/evidence.ts';
import { VersionNote } from '../cite/state_note.tsx';
import { useDocument } from '../data/documents.ts';
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
  onOpen: (n: number) => void;
  onAskPage: AskPage | null;
}

/** Whether the document can still be opened. */
const isAvailable = (s: Source) => s.state === 'live' || s.state === 'changed';

export function Viewer({ source, message, onOpen, onAskPage }: Props) {
  const { t } = useLocale();
  const id = (isAvailable(source) && (source.documentId ?? source.lectureId)) || null;
  const [today, setToday] = useState(false);
  const version = today ? null : source.documentVersion;
  const document = useDocument(id, version);
  const props: ViewProps = {
    source, onOpen, onAskPage, version,
    note: <VersionNote of={source} today={today} onToday={setToday} />,
    document: document.value ?? null,
    claim: message ? claimTextOf(message.content, source) : '',
    siblings: (message?.sources ?? []).filter((s) => s.cited && id !== null &&
      (s.documentId ?? s.lectureId) === id),
  };
  const view = source.sourceType === 'lecture' && id ? <RecordingView key={String(version)} {...props} />
    : source.sourceType === 'image' ? <PictureView {...props} />
      : source.slideNumber && id ? <PageView {...props} />
        : <TextView {...props} />;
  return <section className="viewer" aria-label={t('viewer')}>{view}</section>;
}
