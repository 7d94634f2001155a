// The page of one conversation: transcript, question box, and the evidence
// beside it or, where there is one column, from below.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { CitedMessage, Place } from '@footnote/client';
import { Pane, type PaneProps } from '../cite/pane.tsx';
import { Preview } from '../cite/preview.tsx';
import { Sheet } from '../cite/sheet.tsx';
import { useCiting } from '../cite/use_citing.ts';
import { scope, setScope } from '../data/courses.ts';
import { oneColumn } from '../data/looks.ts';
import { sessions } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useWords } from '../i18n/index.ts';
import { Composer } from './composer.tsx';
import { useConversation } from './conversation.ts';
import { Empty } from './empty.tsx';
import { useFollow } from './follow.ts';
import { Topbar } from './topbar.tsx';
import { Transcript } from './transcript.tsx';
import { Trouble } from './trouble.tsx';
import { useTaking } from './use_taking.ts';

interface Props {
  sessionId: string;
  place: Place | null;
  isNew: boolean;
  onMade: () => void;
  onRail: () => void;
  banner: ReactNode;
  rail: ReactNode;
}

/** The conversation's own course is where its questions look. */
function useOwnCourse(sessionId: string) {
  const session = useStore(sessions).list.find((s) => s.id === sessionId) ?? null;
  useEffect(() => {
    if (session?.courseId && scope.get().courseId !== session.courseId)
      setScope({ courseId: session.courseId, document: null });
  }, [session?.id]);
  return session;
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

/** Keys that concern the conversation; shell/shortcuts.ts says which. */
function useCalls(calls: Record<string, () => void>) {
  const latest = useRef(calls);
  latest.current = calls;
  useLayoutEffect(() => {
    const call = (e: Event) => latest.current[e.type]?.();
    const names = Object.keys(latest.current);
    for (const name of names) addEventListener(name, call);
    return () => {
      for (const name of names) removeEventListener(name, call);
    };
  }, []);
}

export function Chat({ sessionId, place, isNew, onMade, onRail, banner, rail }: Props) {
  const { t } = useWords();
  const narrow = useStore(oneColumn);
  const where = useStore(scope);
  const session = useOwnCourse(sessionId);
  const talk = useConversation(sessionId, isNew, onMade);
  const { chat, busy, shown } = talk;
  const scroll = useRef<HTMLDivElement>(null);
  const begun = shown.length > 0 || chat.status === 'loading' || busy;
  const { away, toEnd, release } = useFollow(scroll, begun, chat.messages);

  const answers = shown.map((s) => s.message).filter((m) => m.role === 'assistant');
  const last = answers.at(-1) ?? null;
  const spoken = useSpoken(busy, last);
  const take = useTaking(sessionId, session?.title || t('newQuestion'));
  const citing = useCiting({ sessionId, place, chat, answers, narrow, release });
  const { inPane, open, lit, peek } = citing;
  const cited = (inPane?.sources ?? []).filter((s) => s.cited);

  const retry = useCallback((id: string) => void chat.regenerate(id).catch(() => {}), [chat.regenerate]);
  const goOn = useCallback((id: string) => void chat.continueAnswer(id).catch(() => {}), [chat.continueAnswer]);
  const edit = useCallback((id: string, text: string) => void chat.edit(id, text).catch(() => {}), [chat.edit]);
  const version = useCallback((id: string, by: 1 | -1) => void talk.page(id, by), [talk.page]);
  useCalls({
    'footnote:copy': () => last && void take.copy(last, true),
    'footnote:pane': citing.toggle,
  });

  const pane: PaneProps = {
    message: inPane,
    n: open && open.messageId === inPane?.id ? open.n : null,
    lit: lit && lit.messageId === inPane?.id ? lit.n : null,
    onOpen: (n) => inPane && citing.cite(inPane, n),
    onPeek: citing.lookBack,
    onAskPage: (page) => { if (narrow) citing.close(); talk.setAttached(page); },
    onCopyAll: () => take.lines(cited),
    onCopy: (source) => take.lines([source]),
    onClose: citing.close,
  };
  const beside = citing.shown && !narrow && inPane !== null;
  return (
    <div className={beside ? 'shell with-pane' : 'shell'}>
      {rail}
      <main className="main">
        {banner}
        <Topbar session={session} courseId={session?.courseId ?? where.courseId} last={last} count={cited.length}
          paneOpen={citing.shown} onRail={onRail} onPane={citing.toggle}
          onCopy={(references) => last && void take.copy(last, references)}
          onSaveAnswer={() => last && take.save(last)}
          onSaveAll={() => take.saveAll(shown.map((s) => s.message))} />
        <p className="hidden-visually" role="status" aria-live="polite">{spoken}</p>
        {begun ? (
          <Transcript scroll={scroll} shown={shown} busy={busy} open={open} error={talk.error}
            waiting={chat.status === 'submitted' || chat.status === 'loading'}
            onEdit={edit} onAgain={talk.again} onCite={citing.cite} onPeek={citing.look} onCopy={take.copy}
            onSave={take.save} onLink={take.link} onRetry={retry} onGoOn={goOn} onVersion={version} />
        ) : (
          <>
            {talk.error != null && <div className="turns"><Trouble error={talk.error} onAgain={talk.again} /></div>}
            <Empty onAsk={(text) => void talk.ask(text)} />
          </>
        )}
        <Composer text={talk.text} onText={talk.type} begun={begun} busy={busy} waiting={talk.queued}
          attached={talk.attached} onDetach={() => talk.setAttached(null)} away={away && begun} onEnd={toEnd}
          onSend={() => void talk.ask(talk.text)} onStop={() => void chat.stop()} />
      </main>
      {beside && <Pane {...pane} />}
      {citing.shown && narrow && open && <Sheet {...pane} />}
      {peek.peek && (
        <Preview peek={peek.peek} onHold={peek.hold} onClose={peek.close}
          onCopy={() => take.lines([peek.peek!.source])}
          onOpen={() => {
            const message = answers.find((m) => m.id === peek.peek!.messageId);
            if (message) citing.cite(message, peek.peek!.source.chunkNumber);
          }} />
      )}
    </div>
  );
}
