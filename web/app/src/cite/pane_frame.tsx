// The frame of what stands beside a conversation: it can be made wider, and fill
// the window.  Escape leaves the full window first, then the pane.
import { useRef, useState, type ReactNode } from 'react';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { useEscape } from '../ui/use_escape.ts';
import { useLayer } from '../ui/use_layer.ts';
import { PaneEdge } from './pane_edge.tsx';

interface Props {
  label: string;
  heading: ReactNode;
  closeLabel: string;
  onClose: () => void;
  /** Gives the focus back to where it came from. */
  onLeave?: () => void;
  children: ReactNode;
}

export function PaneFrame({ label, heading, closeLabel, onClose, onLeave, children }: Props) {
  const { t } = useLocale();
  const [full, setFull] = useState(false);
  const ref = useRef<HTMLElement>(null);
  useLayer(() => setFull(false), full);
  useEscape(() => {
    if (full) setFull(false);
    else if (ref.current?.contains(document.activeElement)) onLeave?.();
  });
  return (
    <aside ref={ref} className={full ? 'pane full' : 'pane'} aria-label={label} tabIndex={-1}>
      {!full && <PaneEdge />}
      <div className="pane-head">
        {heading}
        <button type="button" className="icon-button" aria-label={t('paneFull')} title={t('paneFull')} aria-pressed={full}
          onClick={() => setFull(!full)}><Icon name="expand" /></button>
        <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}><Icon name="close" /></button>
      </div>
      {children}
    </aside>
  );
}
