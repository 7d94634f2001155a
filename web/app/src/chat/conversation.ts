// The state of one conversation.  useCitedChat asks and streams; this adds what
// a page needs: the draft, waiting for a connection, other tabs, and steps to
// other versions.
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useCitedChat } from '@footnote/react';
import { client, isNotFound, checkReachable, reachable } from '../data/api.ts';
import { limitsOf, scope } from '../data/courses.ts';
import { loadDraft, saveDraft } from '../data/browser_storage.ts';
import { model } from '../data/models.ts';
import { onSessionChange, announceChange, refreshSessions } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { closePlace, type Place } from '../router.ts';
import type { Attached } from './composer.tsx';

const THROTTLE_MS = 50;
/** Time for a question of another tab to reach the server. */
const OTHER_TAB_DELAY_MS = 150;

/** All new conversations share one draft: their ids change with every visit. */
const draftKey = (id: string, isNew: boolean) => (isNew ? 'new' : id);

/** What is sent with a question about a page: its picture and its document. */
async function pageContext(page: Attached | null) {
  if (!page) return undefined;
  const { documentId, courseId } = page;
  const snapshot = courseId === null ? undefined
    : await client.createSnapshot(courseId, { slideId: documentId, pageNumber: page.n })
      .catch((e: unknown) => {
        if (isNotFound(e)) return undefined; // the question is asked without a picture
        throw e;
      });
  return { scope: { courseId, documentIds: [documentId] }, ...(snapshot && { snapshot: { ...snapshot } }) };
}

export function useConversation(sessionId: string, place: Place | null, isNew: boolean, onCreated: () => void) {
  const where = useStore(scope);
  const chosen = useStore(model);
  const online = useStore(reachable);
  const key = draftKey(sessionId, isNew);
  const [load] = useState(!isNew);
  const [text, setText] = useState(() => loadDraft(key));
  const [attached, setAttached] = useState<Attached | null>(null);
  const [queued, setQueued] = useState(false);
  const [askError, setAskError] = useState<unknown>(null);

  const chat = useCitedChat({
    sessionId, client, load, at: place?.messageId, courseId: where.courseId,
    model: chosen, throttle: THROTTLE_MS, onFinish: () => announceChange(sessionId, 'changed'),
  });
  const busy = chat.status === 'submitted' || chat.status === 'streaming';

  const changeText = useCallback((next: string) => {
    setText(next);
    saveDraft(key, next);
  }, [key]);

  // ---- Asking ---------------------------------------------------------------

  const ask = useCallback(async (question: string) => {
    const asked = question.trim();
    if (!asked) return;
    if (!navigator.onLine && !(await checkReachable())) {
      changeText(asked);
      setQueued(true);
      return;
    }
    setAskError(null);
    setQueued(false);
    try {
      const about = await pageContext(attached) ?? { scope: limitsOf(where) };
      setText('');
      saveDraft('new', '');
      saveDraft(sessionId, asked); // kept until the server has the question
      onCreated();
      announceChange(sessionId, 'asked');
      await chat.sendMessage(asked, about);
      setAttached(null);
    } catch (e) {
      setAskError(e);
      setText(asked);
    }
  }, [attached, where, chat, onCreated, sessionId, changeText]);

  const askQueued = useEffectEvent(() => {
    if (text) void ask(text);
  });
  useEffect(() => {
    if (queued && online) askQueued();
  }, [queued, online]);

  // When an answer has begun, the server has the question: the conversation has
  // its title, and the draft is deleted.
  const latest = chat.messages.at(-1);
  const asked = chat.messages.findLast((m) => m.role === 'user')?.content;
  const answerId = latest?.role === 'assistant' ? latest.id : null;
  useEffect(() => {
    if (answerId !== null) void refreshSessions();
  }, [answerId]);
  useEffect(() => {
    if (answerId === null || loadDraft(sessionId) !== asked) return;
    saveDraft(sessionId, '');
    setText((now) => (now === asked ? '' : now));
  }, [answerId, asked, sessionId]);

  // ---- Other tabs -------------------------------------------------------------

  const reload = useEffectEvent(() => void chat.reload());
  useEffect(() => {
    let timer = 0;
    const stop = onSessionChange((change) => {
      if (change.session !== sessionId) return;
      if (change.what === 'asked') timer = window.setTimeout(reload, OTHER_TAB_DELAY_MS);
      else if (!busy) reload();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [sessionId, busy]);

  // ---- Versions ---------------------------------------------------------------

  /** Another message is about to stand at this one's place: what the address
   *  names may go with it. */
  const leavePlace = useCallback((id: string) => {
    const list = chat.messages.map((m) => m.id);
    if (place?.messageId !== undefined && list.indexOf(place.messageId) >= list.indexOf(id))
      closePlace(sessionId);
  }, [chat.messages, place?.messageId, sessionId]);

  /** Returns whether it is shown. */
  const { showVersion: show } = chat;
  const showVersion = useCallback(async (id: string, to: string) => {
    setAskError(null);
    try {
      leavePlace(id);
      await show(to);
      announceChange(sessionId, 'changed');
      return true;
    } catch (e) {
      setAskError(e);
      return false;
    }
  }, [show, leavePlace, sessionId]);

  const error = askError ?? (chat.status === 'error' || chat.error ? chat.error : null);
  const tryAgain = useCallback(() => {
    setAskError(null);
    chat.clearError();
    // A question without an answer is sent again.  Otherwise the stored
    // messages are loaded again.
    if (latest?.role === 'user') void chat.regenerate(latest.id);
    else if (askError && text) void ask(text);
    else void chat.reload();
  }, [chat, latest, askError, text, ask]);

  return {
    chat, busy, text, changeText, ask, tryAgain, error, attached, setAttached, queued, showVersion, leavePlace,
  };
}
