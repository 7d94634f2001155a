// An answer: the passages read for it, its text with chips, how it ended, and
// the documents it cites.
import { memo, useCallback, useLayoutEffect, useRef } from 'react';
import { CitedMarkdown } from '@footnote/react';
import { registryOf, type CitedMessage } from '@footnote/client';
import { markCurrentChips } from '../cite/claim_highlight.ts';
import { titleOf } from '../cite/source_text.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { AnswerTools, type AnswerActions } from './answer_tools.tsx';
import { Ending } from './ending.tsx';
import { drawMathAndCode } from './math_and_code.ts';
import { QuotedNote } from './quoted_note.tsx';
import { Verdicts } from './verdicts.tsx';

export interface AnswerProps extends AnswerActions {
  message: CitedMessage;
  last: boolean;
  busy: boolean;
  /** The number of the reference that is open in the pane, if it is this answer's. */
  current: number | null;
  onCite: (message: CitedMessage, n: number, chip?: HTMLElement | null) => void;
  onPeek: (message: CitedMessage, n: number | null, chip: HTMLElement | null) => void;
}

function Progress({ message }: { message: CitedMessage }) {
  const { t, n } = useLocale();
  const sources = message.sources ?? [];
  return (
    <ul className="plain steps" aria-hidden="true">
      {sources.length > 0 && (
        <li><Icon name="check" />{n('readPassages', sources.length)} {n('inSources', registryOf(sources).groups.length)}</li>
      )}
      <li><span className="spin" />{sources.length || message.content ? t('writing') : t('searching')}</li>
    </ul>
  );
}

function ReadLine({ message, onOpen }: { message: CitedMessage; onOpen: () => void }) {
  const { n } = useLocale();
  const sources = message.sources ?? [];
  const { groups } = registryOf(sources);
  const kinds = [...new Set(groups.map((g) => g.kind))];
  if (!sources.length) return null;
  return (
    <button type="button" className="read-line" onClick={onOpen}>
      <span className="kinds">{kinds.map((k) => <KindIcon key={k} of={k} small />)}</span>
      {n('readPassages', sources.length)} {n('inSources', groups.length)}
      <Icon name="down" />
    </button>
  );
}

function Documents({ message, onCite }: Pick<AnswerProps, 'message' | 'onCite'>) {
  const { t, words } = useLocale();
  const { groups } = registryOf((message.sources ?? []).filter((s) => s.cited));
  if (!groups.length) return null;
  return (
    <div className="docs">
      <h3>{t('documentsReferenced')}</h3>
      {groups.map((g) => (
        <button key={g.key} type="button" className="doc-button"
          aria-label={t('openDocument', { name: titleOf(g, words.labels) })}
          onClick={() => onCite(message, g.sources[0]!.chunkNumber)}>
          <KindIcon of={g.kind} small /><span dir="auto">{titleOf(g, words.labels)}</span>
        </button>
      ))}
    </div>
  );
}

export const Answer = memo(function Answer(props: AnswerProps) {
  const { message, current, onCite, onPeek } = props;
  const { t, words } = useLocale();
  const text = useRef<HTMLDivElement>(null);
  const sources = message.sources ?? [];
  const cite = useCallback((n: number, chip: HTMLElement) => onCite(message, n, chip), [message, onCite]);
  const peek = useCallback((n: number | null, chip: HTMLElement | null) => onPeek(message, n, chip), [message, onPeek]);

  // A new text or new sources bring new chips.
  useLayoutEffect(() => {
    markCurrentChips(text.current, current);
  }, [current, message.content, message.sources]);
  const first = sources.find((s) => s.cited) ?? sources[0];
  return (
    <article className="answer" data-id={message.id} aria-label={t('answer')} tabIndex={-1}
      aria-busy={message.isStreaming}>
      <h2 className="hidden-visually">{t('answer')}</h2>
      {message.isStreaming ? <Progress message={message} />
        : <ReadLine message={message} onOpen={() => first && onCite(message, first.chunkNumber)} />}
      <div ref={text}>
        <CitedMarkdown className="prose" text={message.content} sources={sources} streaming={message.isStreaming}
          words={words.labels} onCite={cite} onPeek={peek} onBlock={drawMathAndCode} />
      </div>
      {!message.isStreaming && (
        <>
          <Ending {...props} />
          <QuotedNote message={message} />
          <Verdicts message={message} onCite={onCite} />
          <Documents message={message} onCite={onCite} />
          <AnswerTools {...props} />
        </>
      )}
    </article>
  );
});
