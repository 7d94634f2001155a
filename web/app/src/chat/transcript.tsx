// The conversation itself: questions and answers, oldest first.
import type { KeyboardEvent, RefObject } from 'react';
import { FootnoteError, type CitedMessage } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Answer, type AnswerProps } from './answer.tsx';
import { Question } from './question.tsx';
import { ErrorNotice } from './error_notice.tsx';

type Shared = Pick<AnswerProps, 'onCite' | 'onPeek' | 'onCopy' | 'onSave' | 'onLink' | 'onRetry' | 'onContinue' | 'onVersion'>;

interface Props extends Shared {
  scroll: RefObject<HTMLDivElement | null>;
  messages: CitedMessage[];
  busy: boolean;
  /** A question was asked and no answer has begun. */
  waiting: boolean;
  open: { messageId: string; n: number } | null;
  error: unknown;
  onEdit: (id: string, text: string) => void;
  onTryAgain: () => void;
  onKeyDown: (e: KeyboardEvent) => void;
}

/** What an answer says itself, below its text, is not said again. */
const isSaidByAnswer = (error: unknown, last: CitedMessage | undefined) =>
  (!(error instanceof FootnoteError) || error.code === 'stream') && (last?.status === 'failed' || last?.status === 'interrupted');

export function Transcript({ scroll, messages, busy, waiting, open, error, onEdit, onTryAgain, onKeyDown, ...shared }: Props) {
  const { t } = useLocale();
  const last = messages.at(-1);
  return (
    <div className="transcript" ref={scroll} role="log" aria-live="off" aria-label={t('transcript')} tabIndex={0}
      onKeyDown={onKeyDown}>
      <div className="turns">
        {messages.map((message) => (message.role === 'user'
          ? <Question key={message.id} message={message} busy={busy} onEdit={onEdit} onVersion={shared.onVersion} />
          : <Answer key={message.id} message={message} last={message === last} busy={busy}
              current={open?.messageId === message.id ? open.n : null} {...shared} />
        ))}
        {waiting && (
          <ul className="plain steps" aria-hidden="true"><li><span className="spin" />{t('searching')}</li></ul>
        )}
        {error != null && !isSaidByAnswer(error, last) && <ErrorNotice error={error} onTryAgain={onTryAgain} />}
      </div>
    </div>
  );
}
