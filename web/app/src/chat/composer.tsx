// The question box.  Every change is saved as a draft; the draft is deleted when
// the server has the question.
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { pickFiles, addFilesToCourse } from '../add/pick_files.ts';
import { Uploads } from '../add/uploads.tsx';
import { useLocale } from '../i18n/index.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ModelPicker } from './model_picker.tsx';
import { ScopePicker } from './scope_picker.tsx';

export interface Attached { documentId: string; courseId: string | null; title: string; n: number }

interface Props {
  text: string;
  onText: (text: string) => void;
  begun: boolean;
  busy: boolean;
  waiting: boolean;
  attached: Attached | null;
  away: boolean;
  onDetach: () => void;
  onSend: () => void;
  onStop: () => void;
  onEnd: () => void;
}

export function Composer(props: Props) {
  const { t } = useLocale();
  const { text, onText, busy, attached } = props;
  const [dropping, setDropping] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (matchMedia('(hover: hover)').matches || attached) box.current?.focus({ preventScroll: true });
  }, [attached]);
  const key = (e: KeyboardEvent) => {
    if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
    e.preventDefault();
    if (!busy) props.onSend();
  };
  const drop = (e: DragEvent) => {
    e.preventDefault();
    setDropping(false);
    addFilesToCourse([...e.dataTransfer.files]);
  };
  const over = (e: DragEvent) => {
    if (!e.dataTransfer.types.includes('Files')) return;
    e.preventDefault();
    setDropping(true);
  };
  return (
    <div className="composer" onDragOver={over} onDragLeave={() => setDropping(false)} onDrop={drop}>
      {props.away && (
        <button type="button" className="button to-end" onClick={props.onEnd}><Icon name="down" />{t('toEnd')}</button>
      )}
      <Uploads />
      <form className={dropping ? 'composer-box dropping' : 'composer-box'}
        onSubmit={(e) => { e.preventDefault(); if (!busy) props.onSend(); }}>
        {attached && (
          <div className="attached">
            <Icon name="image" /><span dir="auto">{t('about', { name: `${attached.title}, ${attached.n}` })}</span>
            <button type="button" className="icon-button" aria-label={t('aboutRemove')} onClick={props.onDetach}><Icon name="close" /></button>
          </div>
        )}
        <textarea id="question" ref={box} rows={1} dir="auto" value={text} aria-label={t('question')}
          placeholder={dropping ? t('dropHere') : props.begun ? t('askMore') : t('ask')}
          onChange={(e) => onText(e.target.value)} onKeyDown={key}
          onPaste={(e) => {
            const files = [...e.clipboardData.files];
            if (!files.length) return;
            e.preventDefault();
            addFilesToCourse(files);
          }} />
        <div className="composer-row">
          <Menu className="icon-button" label={t('addMenu')} trigger={<Icon name="clip" />}>
            {(close) => (
              <>
                <MenuItem onSelect={() => { close(); pickFiles(); }}><Icon name="clip" />{t('addFiles')}</MenuItem>
                <MenuItem onSelect={() => { close(); showDialog({ what: 'journal' }); }}><Icon name="journal" />{t('newJournal')}</MenuItem>
                <MenuItem onSelect={() => { close(); showDialog({ what: 'page' }); }}><Icon name="web" />{t('addPage')}</MenuItem>
              </>
            )}
          </Menu>
          <ScopePicker />
          <ModelPicker />
          {busy ? (
            <button type="button" className="send" aria-label={t('stop')} title={t('stop')} onClick={props.onStop}><Icon name="stop" /></button>
          ) : (
            <button type="submit" className="send" aria-label={t('send')} title={t('send')} disabled={!text.trim() || props.waiting}>
              {props.waiting ? <span className="spin" /> : <Icon name="up" />}</button>
          )}
        </div>
      </form>
      <p className="fine-print">{props.waiting ? t('queued') : t('finePrint')}</p>
    </div>
  );
}
