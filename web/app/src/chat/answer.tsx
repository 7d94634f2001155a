// An answer: the passages read for it, its text with chips, how it ended, and
// the documents it cites.
import { lazy, memo, Suspense, useCallback, useLayoutEffect, useRef } from 'react';
import { CitedMarkdown } from '@footnote/react';
import { registryOf, type CitedMessage } from '@footnote/client';
import { markCurrentChips } from '../cite/claim_highlight.ts';
import { titleOf } from '../cite/source_text.ts';
import { verdictsOf } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { AnswerTools, type AnswerActions } from './answer_tools.tsx';
import { Ending } from './ending.tsx';
import { drawMathAndCode } from './math_and_code.ts';
import { QuotedNote } from './quoted_note.tsx';

/** Loaded with the first answer that was judged. */
const Verdicts = lazy(async () => ({ default: (await import('./verdicts.tsx')).Verdicts }));

/** Opens the list below the answer at the sentence of a sign that names no source. */
function showException(sign: HTMLElement) {
  const list = sign.closest('.answer')?.querySelector<HTMLDetailsElement>('details.verdicts');
  if (!list) return;
  list.open = true;
  list.querySelector<HTMLElement>(`[data-at="${sign.dataset.sentence}"]`)?.focus();
}

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
  const locale = useLocale();
  const { t, words } = locale;
  const text = useRef<HTMLDivElement>(null);
  const sources = message.sources ?? [];
  const cite = useCallback((n: number, chip: HTMLElement) => {
    if (n) onCite(message, n, chip);
    else showException(chip); // it names no source
  }, [message, onCite]);
  const peek = useCallback((n: number | null, chip: HTMLElement | null) => onPeek(message, n, chip), [message, onPeek]);

  // A new text, new sources or another language bring new chips.
  useLayoutEffect(() => {
    const root = text.current;
    if (!root || message.isStreaming || !verdictsOf(message)) return;
    let undo = () => {};
    let isGone = false;
    void import('../cite/verdict_marks.ts').then(({ markVerdicts, unmarkVerdicts }) => {
      if (isGone) return;
      markVerdicts(root, message, locale);
      undo = () => unmarkVerdicts(root);
    });
    return () => {
      isGone = true;
      undo();
    };
  }, [message, locale]);
  useLayoutEffect(() => {
    markCurrentChips(text.current, current);
  }, [current, message, locale]);
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
          {verdictsOf(message) && <Suspense><Verdicts message={message} onCite={onCite} /></Suspense>}
          <Documents message={message} onCite={onCite} />
          <AnswerTools {...props} />
        </>
      )}
    </article>
  );
});
