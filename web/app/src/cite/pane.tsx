// The pane beside an answer: the evidence of the open reference, the list of
// cited documents, and apart from it the sources that were only read.
import { lazy, Suspense } from 'react';
import { registryOf, type CitedMessage, type Source } from '@footnote/client';
import { claimsIn } from '../data/marks.ts';
import { worstOf } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { PaneFrame } from './pane_frame.tsx';
import { Reference } from './reference.tsx';

/** Loaded with the first answer. */
export const Viewer = lazy(async () => ({ default: (await import('../viewer/viewer.tsx')).Viewer }));

export interface PaneProps {
  message: CitedMessage | null;
  n: number | null;
  /** Which of its markers was followed, from 0. */
  at: number;
  /** Grows when a number is followed, even the one that is open: it shows its place
   *  again, however far the reader has turned from it. */
  visit: number;
  highlighted: number | null;
  onOpen: (n: number) => void;
  onPeek: (n: number | null) => void;
  onAskPage: (page: { documentId: string; courseId: string | null; title: string; n: number }) => void;
  onCopyAll: () => void;
  onCopy: (source: Source) => void;
  onClose: () => void;
  /** Gives the focus back to the number that opened the pane. */
  onLeave: () => void;
}

export function Pane(props: PaneProps) {
  const { t } = useLocale();
  const { message, n, at, visit } = props;
  const registry = registryOf(message?.sources ?? []);
  const open = n === null ? undefined : registry.byNumber.get(n);
  return (
    <PaneFrame label={t('references')} closeLabel={t('closePane')} onClose={props.onClose} onLeave={props.onLeave} heading={
      <>
        <h2>{t('references')}{registry.cited.length > 0 && <span className="count">{registry.cited.length}</span>}</h2>
        {registry.cited.length > 0 && (
          <button type="button" className="button" onClick={props.onCopyAll}><Icon name="copy" />{t('copyAll')}</button>
        )}
      </>
    }>
      <div className="pane-scroll" tabIndex={-1}>
        {open && message && (
          <Suspense>
            <Viewer key={`${message.id}/${open.sourceId}/${at}/${visit}`} source={open} message={message} at={at} onOpen={props.onOpen}
              onAskPage={props.onAskPage} />
          </Suspense>
        )}
        <References {...props} />
      </div>
    </PaneFrame>
  );
}

/** The list of references; the sheet shows it too. */
export function References({ message, n, at, highlighted, onOpen, onPeek }: Omit<PaneProps, 'visit' | 'onClose' | 'onLeave'>) {
  const { t } = useLocale();
  const sources = message?.sources ?? [];
  const cited = registryOf(sources.filter((s) => s.cited));
  const read = registryOf(sources.filter((s) => !s.cited));
  if (!message || !sources.length)
    return <p className="pane-empty">{t('noReferences')}</p>;
  const shared = {
    n, highlighted, onOpen, onPeek, verdictOf: (s: Source) => worstOf(message, s),
    claimsOf: (s: Source) => claimsIn(message, s, s.chunkNumber === n ? at : 0),
  };
  return (
    <div className="references" data-message={message.id}>
      <ul className="plain">
        {cited.groups.map((g) => <Reference key={g.key} group={g} {...shared} />)}
      </ul>
      {read.sources.length > 0 && (
        <details className="more" open={!cited.sources.length}>
          <summary><Icon name="forth" />{t('readNotCited')} <span className="quiet">{read.sources.length}</span></summary>
          <ul className="plain">
            {read.groups.map((g) => <Reference key={g.key} group={g} {...shared} />)}
          </ul>
        </details>
      )}
      <p className="saved-note"><Icon name="check" />{t('referencesSaved')}</p>
    </div>
  );
}
