// What the reader says of an answer: good, with one click, or what is wrong with it or
// with one of its numbers.
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { Api, CitedMessage } from '@footnote/client';
import { complaint, feedbackOf, giveFeedback, saidJustNow, takeBack } from '../data/feedback.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { feedbackWords, type FeedbackWords } from './feedback_words.ts';
import './feedback.css';

const REASONS = ['not_true', 'wrong_source', 'not_asked', 'missing'] as const;
const NOTE_MAX = 300;

interface FormProps {
  message: CitedMessage;
  words: FeedbackWords;
  was: Api.Feedback | undefined;
  number: number | null;
  onClose: () => void;
}

/** Runs what asks the server; says when that fails. */
async function attempt(what: () => Promise<void>, done: string, failed: string): Promise<boolean> {
  try {
    await what();
    toast(done);
    return true;
  } catch {
    toast(failed);
    return false;
  }
}

function Complaint({ message, words, was, number, onClose }: FormProps) {
  const [reason, setReason] = useState<Api.Rating>(number !== null ? 'wrong_source' : was?.rating ?? 'not_true');
  const [about, setAbout] = useState(number ?? was?.number ?? null);
  const [note, setNote] = useState(was?.note ?? '');
  const form = useRef<HTMLFormElement>(null);
  const title = useId();
  const numbers = (message.sources ?? []).filter((s) => s.cited).map((s) => s.chunkNumber);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }, []);
  const send = async (e: FormEvent) => {
    e.preventDefault();
    const input = { rating: reason, ...(about !== null && { number: about }), ...(note.trim() && { note: note.trim() }) };
    if (await attempt(() => giveFeedback(message, input), words.thanks, words.failed)) onClose();
  };
  return (
    <form ref={form} className="feedback" aria-labelledby={title} onSubmit={(e) => void send(e)}
      onKeyDown={(e) => { if (e.key === 'Escape') { e.stopPropagation(); onClose(); } }}>
      <h3 id={title}>{words.whatIsWrong}</h3>
      <div className="choices" role="group" aria-labelledby={title}>
        {REASONS.map((r) => (
          <button key={r} type="button" className="button outlined" aria-pressed={reason === r} onClick={() => setReason(r)}>{words[r]}</button>
        ))}
      </div>
      {numbers.length > 0 && (
        <div className="choices" role="group" aria-label={words.whichNumber}>
          <span aria-hidden="true">{words.whichNumber}</span>
          {numbers.map((n) => (
            <button key={n} type="button" className="number-choice" aria-pressed={about === n}
              onClick={() => setAbout(about === n ? null : n)}>{n}</button>
          ))}
        </div>
      )}
      <input type="text" maxLength={NOTE_MAX} value={note} aria-label={words.note} placeholder={words.note} dir="auto"
        onChange={(e) => setNote(e.target.value)} />
      <div className="feedback-foot">
        <span>{words.seen}</span>
        {was && (
          <button type="button" className="button"
            onClick={() => void attempt(() => takeBack(message, false), words.takenBack, words.failed).then((ok) => ok && onClose())}>{words.takeBack}</button>
        )}
        <button type="submit" className="button primary">{words.send}</button>
      </div>
    </form>
  );
}

export function Feedback({ message }: { message: CitedMessage }) {
  const { language } = useLocale();
  const words = feedbackWords[language];
  const list = feedbackOf(message, useStore(saidJustNow));
  const asked = useStore(complaint);
  const down = useRef<HTMLButtonElement>(null);
  const isOpen = asked?.messageId === message.id;
  const praised = list.some((f) => f.rating === 'good');
  const wrong = list.find((f) => f.rating !== 'good' && (!asked?.number || f.number === asked.number));
  const close = () => {
    complaint.set(null);
    down.current?.focus();
  };
  return (
    <>
      <button type="button" className="icon-button" aria-pressed={praised} aria-label={words.good} title={words.good}
        onClick={() => void (praised ? attempt(() => takeBack(message, true), words.takenBack, words.failed)
          : attempt(() => giveFeedback(message, { rating: 'good' }), words.thanks, words.failed))}><Icon name="good" /></button>
      <button ref={down} type="button" className={wrong ? 'icon-button pressed' : 'icon-button'} aria-expanded={isOpen} aria-label={words.wrong}
        title={words.wrong} onClick={() => (isOpen ? close() : complaint.set({ messageId: message.id, number: null }))}><Icon name="bad" /></button>
      {isOpen && <Complaint key={asked.number} message={message} words={words} was={wrong} number={asked.number} onClose={close} />}
    </>
  );
}
