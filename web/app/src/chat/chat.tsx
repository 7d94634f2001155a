// The page of one conversation: transcript, question box, and the references
// in a pane beside it.  On narrow screens they are in a sheet from below.
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { FootnoteError, type CitedMessage, type Place } from '@footnote/client';
import { Pane, type PaneProps } from '../cite/pane.tsx';
import { usePageNames } from '../cite/page_names.ts';
import { useReferencePane } from '../cite/use_reference_pane.ts';
import { scope, setCourse } from '../data/courses.ts';
import { oneColumn } from '../data/appearance.ts';
import { useSession } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { closePassage, usePassage } from '../router.ts';
import { Icon } from '../ui/icon.tsx';
import { Composer, type Attached } from './composer.tsx';
import { useConversation } from './conversation.ts';
import { Empty } from './empty.tsx';
import { useFollowEnd } from './use_follow_end.ts';
import { Topbar } from './topbar.tsx';
import { Transcript } from './transcript.tsx';
import { ErrorNotice } from './error_notice.tsx';
import { useExporter } from './use_exporter.ts';
import { useVersionSteps } from './versions.tsx';

/** Loaded when they are needed. */
const FoundPassage = lazy(async () => ({ default: (await import('../cite/found_passage.tsx')).FoundPassage }));
const Preview = lazy(async () => ({ default: (await import('../cite/preview.tsx')).Preview }));
const Sheet = lazy(async () => ({ default: (await import('../cite/sheet.tsx')).Sheet }));

interface Props {
  sessionId: string;
  place: Place | null;
  isNew: boolean;
  onCreated: () => void;
  onRail: () => void;
  banner: ReactNode;
  rail: ReactNode;
}

const NO_SESSION = new FootnoteError({ status: 404, code: 'session_not_found', message: '' });

/** Sets the scope to the course of the conversation, and its title as the page's;
 *  returns its session, and whether there is none. */
function useOpenSession(sessionId: string, isNew: boolean) {
  const { t } = useLocale();
  const { session, isMissing } = useSession(sessionId, isNew);
  const courseId = session?.courseId;
  const title = session?.title;
  useEffect(() => {
    if (courseId && scope.get().courseId !== courseId) setCourse(courseId);
  }, [courseId]);
  useEffect(() => {
    document.title = title ? `${title} · ${t('appName')}` : t('appName');
  }, [title, t]);
  return { session, isMissing };
}

/** What a screen reader says when an answer starts and when it is complete. */
function useStatusAnnouncement(busy: boolean, last: CitedMessage | null): string {
  const { t, n } = useLocale();
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

export function Chat({ sessionId, place, isNew, onCreated, onRail, banner, rail }: Props) {
  const { t } = useLocale();
  const narrow = useStore(oneColumn);
  const where = useStore(scope);
  const { session, isMissing } = useOpenSession(sessionId, isNew);
  const passage = usePassage();
  const conversation = useConversation(sessionId, place, isNew, onCreated);
  const { chat, busy } = conversation;
  const messages = usePageNames(chat.messages);
  const scroll = useRef<HTMLDivElement>(null);
  const begun = messages.length > 0 || chat.status === 'loading' || busy;
  const { away, scrollToEnd, stopFollowing } = useFollowEnd(scroll, begun, messages);

  const answers = messages.filter((m) => m.role === 'assistant');
  const last = answers.at(-1) ?? null;
  const announcement = useStatusAnnouncement(busy, last);
  const exporter = useExporter(sessionId, session?.title || t('newQuestion'));
  const references = useReferencePane({ sessionId, place, chat, answers, narrow, stopFollowing });
  const { paneMessage, open, highlighted, preview } = references;
  const cited = (paneMessage?.sources ?? []).filter((s) => s.cited);

  // Stable functions: an answer that did not change is not drawn again.
  const { regenerate, continueAnswer, edit } = chat;
  const { showVersion, leavePlace } = conversation;
  const onRetry = useCallback((id: string) => {
    leavePlace(id);
    void regenerate(id).catch(() => {});
  }, [leavePlace, regenerate]);
  const onContinue = useCallback((id: string) => void continueAnswer(id).catch(() => {}), [continueAnswer]);
  const onEdit = useCallback((id: string, text: string) => {
    leavePlace(id);
    void edit(id, text).catch(() => {});
  }, [leavePlace, edit]);
  const onStep = useCallback(async (id: string, to: string) => {
    stopFollowing();
    return !busy && showVersion(id, to);
  }, [busy, stopFollowing, showVersion]);
  const versions = useVersionSteps(scroll, messages, onStep);
  useWindowEvent('footnote:copy', () => {
    if (last) void exporter.copyAnswer(last, true);
  });
  useWindowEvent('footnote:pane', references.togglePane);

  const askPage = (page: Attached, close: () => void) => {
    if (narrow) close();
    conversation.setAttached(page);
  };
  const pane: PaneProps = {
    message: paneMessage,
    n: open && open.messageId === paneMessage?.id ? open.n : null,
    at: references.at,
    visit: references.visit,
    highlighted: highlighted && highlighted.messageId === paneMessage?.id ? highlighted.n : null,
    onOpen: (n) => paneMessage && references.openReference(paneMessage, n),
    onPeek: references.pointAtReference,
    onAskPage: (page) => askPage(page, references.closePane),
    onCopyAll: () => paneMessage && exporter.copyReferences(paneMessage.id, cited),
    onCopy: (source) => paneMessage && exporter.copyReferences(paneMessage.id, [source]),
    onClose: references.closePane,
    onLeave: references.leavePane,
  };
  const beside = references.paneShown && !narrow && paneMessage !== null && !passage;
  return (
    <div className={beside || (passage && !narrow) ? 'shell with-pane' : 'shell'}>
      {rail}
      <main className="main">
        {banner}
        <Topbar session={session} courseId={session?.courseId ?? where.courseId} last={last} count={cited.length}
          paneOpen={references.paneShown || passage !== null} onRail={onRail} onPane={passage ? closePassage : references.togglePane}
          onCopy={(withReferences) => last && void exporter.copyAnswer(last, withReferences)}
          onSaveAnswer={() => last && exporter.saveAnswer(last)}
          onSaveAll={() => exporter.saveConversation(messages)} />
        <p className="hidden-visually" role="status" aria-live="polite">{announcement}</p>
        {references.isMissing && (
          <p className="notice warn" role="alert"><Icon name="warn" /><span className="grow">{t('linkMissing')}</span></p>
        )}
        {begun ? (
          <Transcript scroll={scroll} messages={messages} busy={busy} open={open} error={conversation.error}
            waiting={chat.status === 'submitted' || chat.status === 'loading'}
            onEdit={onEdit} onTryAgain={conversation.tryAgain}
            onCite={references.openReference} onPeek={references.pointAtChip} onCopy={exporter.copyAnswer}
            onSave={exporter.saveAnswer} onLink={exporter.copyLink}
            onRetry={onRetry} onContinue={onContinue} {...versions} />
        ) : (
          <>
            {conversation.error != null ? (
              <div className="turns"><ErrorNotice error={conversation.error} onTryAgain={conversation.tryAgain} /></div>
            ) : isMissing && <div className="turns"><ErrorNotice error={NO_SESSION} /></div>}
            <Empty onAsk={(text) => void conversation.ask(text)} />
          </>
        )}
        <Composer text={conversation.text} onText={conversation.changeText} begun={begun} busy={busy}
          waiting={conversation.queued} attached={conversation.attached}
          onDetach={() => conversation.setAttached(null)} away={away && begun} onEnd={scrollToEnd}
          onSend={() => void conversation.ask(conversation.text)} onStop={() => void chat.stop()} />
      </main>
      {beside && <Pane {...pane} />}
      {references.paneShown && narrow && open && !passage && <Suspense><Sheet {...pane} /></Suspense>}
      {passage && (
        <Suspense>
          <FoundPassage source={passage} narrow={narrow} onClose={closePassage}
            onAskPage={(page) => askPage(page, closePassage)} />
        </Suspense>
      )}
      {preview.content && (
        <Suspense><Preview content={preview.content} onPointerInside={preview.pointerInside} onClose={preview.close}
          onCopy={() => {
            const { messageId, source } = preview.content!;
            if (source) exporter.copyReferences(messageId, [source]);
          }}
          onOpen={(from) => {
            const { messageId, source, chip } = preview.content!;
            const message = answers.find((m) => m.id === messageId);
            if (message && source) references.openReference(message, source.chunkNumber, chip, from);
          }} /></Suspense>
      )}
    </div>
  );
}
