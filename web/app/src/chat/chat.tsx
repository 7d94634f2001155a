// The page of one conversation: transcript, question box, and the evidence
// beside it or, where there is one column, from below.
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
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
  const courseId = session?.courseId;
  useEffect(() => {
    if (courseId && scope.get().courseId !== courseId) setScope({ courseId, document: null });
  }, [courseId]);
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
  }, [busy, last, t, n]);
  return spoken;
}

/** shell/shortcuts.ts sends these events for keys that concern the conversation. */
function useWindowEvent(name: `footnote:${string}`, handler: () => void) {
  const handle = useEffectEvent(handler);
  useLayoutEffect(() => {
    const listener = () => handle();
    addEventListener(name, listener);
    return () => removeEventListener(name, listener);
  }, [name]);
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

  // Stable functions: an answer that did not change is not drawn again.
  const { regenerate, continueAnswer, edit } = chat;
  const { page } = talk;
  const onRetry = useCallback((id: string) => void regenerate(id).catch(() => {}), [regenerate]);
  const onGoOn = useCallback((id: string) => void continueAnswer(id).catch(() => {}), [continueAnswer]);
  const onEdit = useCallback((id: string, text: string) => void edit(id, text).catch(() => {}), [edit]);
  const onVersion = useCallback((id: string, by: 1 | -1) => void page(id, by), [page]);
  useWindowEvent('footnote:copy', () => {
    if (last) void take.copy(last, true);
  });
  useWindowEvent('footnote:pane', citing.toggle);

  const pane: PaneProps = {
    message: inPane,
    n: open && open.messageId === inPane?.id ? open.n : null,
    lit: lit && lit.messageId === inPane?.id ? lit.n : null,
    onOpen: (n) => inPane && citing.cite(inPane, n),
    onPeek: citing.lookBack,
    onAskPage: (asked) => { if (narrow) citing.close(); talk.setAttached(asked); },
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
            onEdit={onEdit} onAgain={talk.again} onCite={citing.cite} onPeek={citing.look} onCopy={take.copy}
            onSave={take.save} onLink={take.link} onRetry={onRetry} onGoOn={onGoOn} onVersion={onVersion} />
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
