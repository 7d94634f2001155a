// A modal <dialog>: the browser keeps the focus inside and restores it after.
// It begins at what has data-focus; autoFocus comes before it is shown.
import { useLayoutEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { useLayer } from './use_layer.ts';
import { useLocale } from '../i18n/index.ts';

interface Props {
  title: string;
  className?: string;
  /** Without the visible head; `title` is still its accessible name. */
  headless?: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, className = '', headless, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { t } = useLocale();

  useLayoutEffect(() => {
    const el = ref.current;
    if (el && !el.open) el.showModal();
    // Else it is on the first button, which closes.
    el?.querySelector<HTMLElement>('[data-focus]')?.focus();
    return () => el?.close();
  }, []);
  const closeOnBackdrop = (e: MouseEvent) => {
    if (e.target === ref.current) onClose();
  };
  useLayer(onClose);
  return (
    <dialog ref={ref} className={`dialog ${className}`} onClick={closeOnBackdrop}
      onCancel={(e) => { e.preventDefault(); onClose(); }}
      {...(headless ? { 'aria-label': title } : { 'aria-labelledby': id })}>
      {!headless && (
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

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirmLabel: string;
  onConfirm: () => void;
  onClose: () => void;
}
export function ConfirmDialog({ title, text, confirmLabel, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useLocale();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <p>{text}</p>
        <div className="dialog-foot">
          <button type="button" className="button outlined" data-focus onClick={onClose}>{t('cancel')}</button>
          <button type="button" className="button outlined danger" onClick={() => { onConfirm(); onClose(); }}>{confirmLabel}</button>
        </div>
      </div>
    </Dialog>
  );
}
