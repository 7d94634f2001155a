// A passage that a search found, in the pane or in the sheet, without an answer.
import { Suspense, useLayoutEffect, useRef } from 'react';
import type { Source } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import type { AskPage } from '../viewer/view_props.ts';
import { Viewer } from './pane.tsx';
import { PaneFrame } from './pane_frame.tsx';

interface Props {
  source: Source;
  onAskPage: AskPage;
  onClose: () => void;
}

function Content({ source, onAskPage }: Omit<Props, 'onClose'>) {
  return (
    <div className="pane-scroll" tabIndex={-1}>
      <Suspense>
        <Viewer key={source.sourceId} source={source} message={null} onOpen={() => {}} onAskPage={onAskPage} />
      </Suspense>
    </div>
  );
}

function PassageSheet(props: Props) {
  const { t } = useLocale();
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const el = ref.current;
    if (el && !el.open) el.showModal();
    return () => el?.close();
  }, []);
  return (
    <dialog ref={ref} className="sheet" aria-label={t('foundPassage')}
      onCancel={(e) => { e.preventDefault(); props.onClose(); }}
      onClick={(e) => { if (e.target === ref.current) props.onClose(); }}>
      <div className="grip" aria-hidden="true" />
      <div className="pane-head">
        <h2>{t('foundPassage')}</h2>
        <button type="button" className="icon-button" aria-label={t('close')} onClick={props.onClose}><Icon name="close" /></button>
      </div>
      <Content {...props} />
    </dialog>
  );
}

export function FoundPassage({ narrow, ...props }: Props & { narrow: boolean }) {
  const { t } = useLocale();
  if (narrow) return <PassageSheet {...props} />;
  return (
    <PaneFrame label={t('foundPassage')} heading={<h2>{t('foundPassage')}</h2>} closeLabel={t('close')} onClose={props.onClose}>
      <Content {...props} />
    </PaneFrame>
  );
}
