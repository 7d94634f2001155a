// The question box.  Every change is saved as a draft; the draft is deleted when
// the server has the question.
import { lazy, Suspense, useEffect, useRef, type KeyboardEvent } from 'react';
import { pickFiles, addFilesToCourse } from '../add/pick_files.ts';
import { courses, mayEdit, scope } from '../data/courses.ts';
import { isWithoutModel } from '../data/models.ts';
import { useStore } from '../data/store.ts';
import { uploads } from '../data/uploads.ts';
import { useLocale } from '../i18n/index.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { LimitsPicker, NextWithin } from './limits/picker.tsx';
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

/** Loaded when it is needed. */
const Uploads = lazy(() => import('../add/uploads.tsx'));

function AddMenu() {
  const { t } = useLocale();
  return (
    <Menu className="icon-button" label={t('addMenu')} trigger={<Icon name="clip" />}>
      {(close) => (
        <>
          <MenuItem onSelect={() => { close(); pickFiles(); }}><Icon name="clip" />{t('addFiles')}</MenuItem>
          <MenuItem onSelect={() => { close(); showDialog({ what: 'journal' }); }}><Icon name="journal" />{t('newJournal')}</MenuItem>
          <MenuItem onSelect={() => { close(); showDialog({ what: 'page' }); }}><Icon name="web" />{t('addPage')}</MenuItem>
        </>
      )}
    </Menu>
  );
}

export function Composer(props: Props) {
  const { t } = useLocale();
  const { text, onText, busy, attached } = props;
  const adding = useStore(uploads).length > 0;
  const withoutModel = useStore(isWithoutModel);
  const courseId = useStore(scope).courseId;
  const course = useStore(courses)?.find((c) => c.id === courseId);
  const box = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (matchMedia('(hover: hover)').matches || attached) box.current?.focus({ preventScroll: true });
  }, [attached]);
  const key = (e: KeyboardEvent) => {
    if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
    e.preventDefault();
    if (!busy) props.onSend();
  };
  return (
    <div className="composer">
      {props.away && (
        <button type="button" className="button to-end" onClick={props.onEnd}><Icon name="down" />{t('toEnd')}</button>
      )}
      {adding && <Suspense><Uploads /></Suspense>}
      <form className="composer-box"
        onSubmit={(e) => { e.preventDefault(); if (!busy) props.onSend(); }}>
        {attached && (
          <div className="attached">
            <Icon name="image" /><span dir="auto">{t('about', { name: `${attached.title}, ${attached.n}` })}</span>
            <button type="button" className="icon-button" aria-label={t('aboutRemove')} onClick={props.onDetach}><Icon name="close" /></button>
          </div>
        )}
        <NextWithin />
        <textarea id="question" ref={box} rows={1} dir="auto" value={text} aria-label={t('question')}
          placeholder={props.begun ? t('askMore') : t('ask')}
          onChange={(e) => onText(e.target.value)} onKeyDown={key}
          onPaste={(e) => {
            const files = [...e.clipboardData.files];
            if (!files.length) return;
            e.preventDefault();
            addFilesToCourse(files);
          }} />
        <div className="composer-row">
          {(!course || mayEdit(course)) && <AddMenu />}
          <ScopePicker />
          <LimitsPicker />
          <ModelPicker />
          {busy ? (
            <button type="button" className="send" aria-label={t('stop')} title={t('stop')} onClick={props.onStop}><Icon name="stop" /></button>
          ) : (
            <button type="submit" className="send" aria-label={t('send')} title={t('send')} disabled={!text.trim() || props.waiting}>
              {props.waiting ? <span className="spin" /> : <Icon name="up" />}</button>
          )}
        </div>
      </form>
      <p className="fine-print">{props.waiting ? t('queued') : withoutModel ? t('finePrintNoModel') : t('finePrint')}</p>
    </div>
  );
}
