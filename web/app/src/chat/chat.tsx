// The page of one conversation: transcript, question box, and the evidence
// beside it or, where there is one column, from below.
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { CitedMessage, Place, Source } from '@footnote/client';
import { Pane, type PaneProps } from '../cite/pane.tsx';
import { Sheet } from '../cite/sheet.tsx';
import { claimTextOf } from '../cite/evidence.ts';
import { light } from '../cite/light.ts';
import { Preview, type Peek } from '../cite/preview.tsx';
import { usePeek } from '../cite/use_peek.ts';
import { lineOf } from '../cite/words.ts';
import { scope, setScope } from '../data/courses.ts';
import { oneColumn } from '../data/looks.ts';
import { sessions } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useWords } from '../i18n/index.ts';
import { go } from '../router.ts';
import { toast } from '../ui/toast.ts';
import { Composer } from './composer.tsx';
import { useConversation } from './conversation.ts';
import { Empty } from './empty.tsx';
import { useFollow } from './follow.ts';
import { copyAnswer, copyText, saveAnswer, saveConversation } from './take.ts';
import { Topbar } from './topbar.tsx';
import { Transcript } from './transcript.tsx';
import { Trouble } from './trouble.tsx';

interface Props {
  sessionId: string;
  place: Place | null;
  isNew: boolean;
  onMade: () => void;
  onRail: () => void;
  banner: ReactNode;
  rail: ReactNode;
}

const answerElement = (id: string) =>
  document.querySelector<HTMLElement>(`.answer[data-id="${CSS.escape(id)}"]`);

/** The conversation's own course is where its questions look. */
function useOwnCourse(sessionId: string) {
  const session = useStore(sessions).list.find((s) => s.id === sessionId) ?? null;
  useEffect(() => {
    if (session?.courseId && scope.get().courseId !== session.courseId)
      setScope({ courseId: session.courseId, document: null });
  }, [session?.id]);
  return session;
}

/** What was chosen; else, beside the text, the first that is cited. */
function useOpen(chosen: { messageId: string; n: number } | null, inPane: CitedMessage | null) {
  const messageId = chosen?.messageId ?? inPane?.id;
  const n = chosen?.n ?? inPane?.sources?.find((s) => s.cited)?.chunkNumber;
  return useMemo(() => (messageId === undefined || n === undefined ? null : { messageId, n }), [messageId, n]);
}

/** Words for those who cannot see: that it answers, and that it has. */
function useSpoken(busy: boolean, last: CitedMessage | null): string {
  const { t, n } = useWords();
  const [spoken, setSpoken] = useState('');
  const was = useRef(busy);
  useEffect(() => {
    if (busy && !was.current) setSpoken(t('answering'));
    if (!busy && was.current && last)
      setSpoken(n('answerReady', (last.sources ?? []).filter((s) => s.cited).length));
    was.current = busy;
  }, [busy]);
  return spoken;
}

export function Chat({ sessionId, place, isNew, onMade, onRail, banner, rail }: Props) {
  const { t, words } = useWords();
  const narrow = useStore(oneColumn);
  const where = useStore(scope);
  const session = useOwnCourse(sessionId);
  const talk = useConversation(sessionId, isNew, onMade);
  const { chat, busy, shown } = talk;
  const scroll = useRef<HTMLDivElement>(null);
  const begun = shown.length > 0 || chat.status === 'loading' || busy;
  const { away, toEnd, release } = useFollow(scroll, begun, chat.messages);
  const [pane, setPane] = useState(!narrow);
  const [lit, setLit] = useState<{ messageId: string; n: number } | null>(null);
  const peek = usePeek<Peek>();

  const answers = shown.map((s) => s.message).filter((m) => m.role === 'assistant');
  const last = answers.at(-1) ?? null;
  const chosen = chat.citation;
  const inPane = answers.find((m) => m.id === chosen?.messageId) ??
    answers.findLast((m) => m.sources?.length) ?? null;
  const open = useOpen(chosen, narrow ? null : inPane);
  const spoken = useSpoken(busy, last);
  const title = session?.title || t('newQuestion');
  const options = useMemo(() => ({ words: words.labels, baseUrl: location.origin }), [words]);

  // ---- References -------------------------------------------------------------

  const cite = useCallback((message: CitedMessage, n: number) => {
    peek.close();
    chat.openCitation(message.id, n);
    setPane(true);
    go({ sessionId, messageId: message.id, n }, 'replace');
  }, [chat.openCitation, sessionId]);
  const look = useCallback((message: CitedMessage, n: number | null, chip: HTMLElement | null) => {
    const source = n === null ? undefined : message.sources?.find((s) => s.chunkNumber === n);
    light(answerElement(message.id), n, chip);
    setLit(n === null ? null : { messageId: message.id, n });
    if (!source || !chip) return peek.leave();
    peek.open({
      messageId: message.id, source, chip, claim: claimTextOf(message.content, source),
      count: message.sources!.filter((s) => s.cited).length,
    }, chip);
  }, []);
  const closePane = () => {
    setPane(false);
    chat.closeCitation();
    if (place) go({ sessionId }, 'replace');
  };

  // An address that names an answer leads to it, once it is there.
  const wanted = useRef(place?.messageId ? place : null);
  useEffect(() => {
    const to = wanted.current;
    if (!to?.messageId || chat.status === 'loading' || !shown.length) return;
    wanted.current = null;
    release();
    const found = answers.find((m) => m.id === to.messageId);
    requestAnimationFrame(() => document.querySelector(`[data-id="${CSS.escape(to.messageId!)}"]`)?.scrollIntoView());
    if (found && to.n !== undefined) cite(found, to.n);
  }, [chat.status, shown.length]);

  // ---- Taking along -----------------------------------------------------------

  const copy = useCallback(async (message: CitedMessage, references: boolean) => {
    const done = await copyAnswer(message, { ...options, references });
    toast(!done ? t('copyFailed') : references ? t('copied') : t('copiedPlain'));
  }, [options]);
  const say = async (text: string, done: string) => toast((await copyText(text)) ? done : t('copyFailed'));
  const link = useCallback((id: string) =>
    void say(location.origin + chat.linkTo(id), t('linkCopied')), [chat.linkTo]);
  const cite1 = (source: Source) => void say(lineOf(source, words.labels), t('cited'));
  const save = useCallback((m: CitedMessage) => saveAnswer(m, title, options), [title, options]);
  const retry = useCallback((id: string) => void chat.regenerate(id).catch(() => {}), [chat.regenerate]);
  const goOn = useCallback((id: string) => void chat.continueAnswer(id).catch(() => {}), [chat.continueAnswer]);
  const edit = useCallback((id: string, text: string) => void chat.edit(id, text).catch(() => {}), [chat.edit]);
  const version = useCallback((id: string, by: 1 | -1) => void talk.page(id, by), [talk.page]);

  useEffect(() => {
    const copyLast = () => last && void copy(last, true);
    const toggle = () => setPane((now) => !now);
    addEventListener('footnote:copy', copyLast);
    addEventListener('footnote:pane', toggle);
    return () => {
      removeEventListener('footnote:copy', copyLast);
      removeEventListener('footnote:pane', toggle);
    };
  }, [last, copy]);

  const paneProps: PaneProps = {
    message: inPane, n: open && open.messageId === inPane?.id ? open.n : null,
    lit: lit && lit.messageId === inPane?.id ? lit.n : null,
    onOpen: (n) => inPane && cite(inPane, n),
    onPeek: (n) => {
      light(n === null || !inPane ? null : answerElement(inPane.id), n);
      setLit(n === null || !inPane ? null : { messageId: inPane.id, n });
    },
    onAskPage: (page) => { if (narrow) closePane(); talk.setAttached(page); },
    onCopyAll: () => inPane && void say((inPane.sources ?? []).filter((s) => s.cited)
      .map((s) => lineOf(s, words.labels)).join('\n'), t('cited')),
    onCopy: cite1,
    onClose: closePane,
  };
  const beside = pane && !narrow && inPane !== null;
  return (
    <div className={beside ? 'shell with-pane' : 'shell'}>
      {rail}
      <main className="main">
        {banner}
        <Topbar session={session} courseId={session?.courseId ?? where.courseId} last={last} paneOpen={pane}
          count={(inPane?.sources ?? []).filter((s) => s.cited).length} onRail={onRail}
          onPane={() => (pane ? closePane() : inPane?.sources?.[0] && narrow
            ? cite(inPane, (inPane.sources.find((s) => s.cited) ?? inPane.sources[0]).chunkNumber) : setPane(true))}
          onCopy={(references) => last && void copy(last, references)}
          onSaveAnswer={() => last && save(last)}
          onSaveAll={() => saveConversation(shown.map((s) => s.message), title, options)} />
        <p className="hidden-visually" role="status" aria-live="polite">{spoken}</p>
        {!begun ? (
          <>
            {talk.error != null && <div className="turns"><Trouble error={talk.error} onAgain={talk.again} /></div>}
            <Empty onAsk={(text) => void talk.ask(text)} />
          </>
        ) : (
          <Transcript scroll={scroll} shown={shown} busy={busy} waiting={chat.status === 'submitted' || chat.status === 'loading'}
            open={open} error={talk.error} onEdit={edit} onAgain={talk.again} onCite={cite} onPeek={look}
            onCopy={copy} onSave={save} onLink={link} onRetry={retry} onGoOn={goOn} onVersion={version} />
        )}
        <Composer text={talk.text} onText={talk.type} begun={begun} busy={busy} waiting={talk.queued}
          attached={talk.attached} onDetach={() => talk.setAttached(null)} away={away && begun} onEnd={toEnd}
          onSend={() => void talk.ask(talk.text)} onStop={() => void chat.stop()} />
      </main>
      {beside && <Pane {...paneProps} />}
      {pane && narrow && open && <Sheet {...paneProps} />}
      {peek.peek && (
        <Preview peek={peek.peek} onHold={peek.hold} onClose={peek.close} onCopy={() => cite1(peek.peek!.source)}
          onOpen={() => {
            const message = answers.find((m) => m.id === peek.peek!.messageId);
            if (message) cite(message, peek.peek!.source.chunkNumber);
          }} />
      )}
    </div>
  );
}
