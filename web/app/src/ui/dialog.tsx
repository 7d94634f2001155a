// A modal dialog on <dialog>: the browser keeps the focus in and gives it back.
import { useLayoutEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { useWords } from '../i18n/index.ts';

interface Props {
  title: string;
  className?: string;
  /** Without the head; `title` is then its name only. */
  bare?: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, className = '', bare, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { t } = useWords();

  useLayoutEffect(() => {
    const el = ref.current;
    if (el && !el.open) el.showModal();
    return () => el?.close();
  }, []);
  const ground = (e: MouseEvent) => {
    if (e.target === ref.current) onClose();
  };
  return (
    <dialog ref={ref} className={`dialog ${className}`} onClick={ground}
      onCancel={(e) => { e.preventDefault(); onClose(); }}
      {...(bare ? { 'aria-label': title } : { 'aria-labelledby': id })}>
      {!bare && (
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {children}
    </dialog>
  );
}

interface AskProps {
  title: string;
  text: string;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}
export function Ask({ title, text, yes, onYes, onClose }: AskProps) {
  const { t } = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <p>{text}</p>
        <div className="dialog-foot">
          <button type="button" className="button outlined" autoFocus onClick={onClose}>{t('cancel')}</button>
          <button type="button" className="button outlined danger" onClick={() => { onYes(); onClose(); }}>{yes}</button>
        </div>
      </div>
    </Dialog>
  );
}
