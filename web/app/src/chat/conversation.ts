// One conversation: asking and what may go wrong with it.  Over the hook that
// every user of the library has; here only what a page adds: the draft, the
// wait for a connection, other tabs, earlier versions.
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useCitedChat } from '@footnote/react';
import type { CitedMessage } from '@footnote/client';
import { client, isGone, reach, reachable } from '../data/api.ts';
import { scope } from '../data/courses.ts';
import { draftOf, keepDraft } from '../data/kept.ts';
import { model } from '../data/models.ts';
import { onNews, tell } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import type { Attached } from './composer.tsx';
import type { Shown } from './transcript.tsx';
import { loadVersion, useVersions } from './versions.ts';

const THROTTLE_MS = 50;
/** For a question of another tab to reach the server. */
const ASKED_MS = 150;

/** Drafts of new questions share one place: an id is made anew each time. */
const draftKey = (id: string, isNew: boolean) => (isNew ? 'new' : id);

/** What goes with a question about a page: its picture, and where to look. */
async function aboutPage(page: Attached | null) {
  if (!page) return undefined;
  const { documentId, courseId } = page;
  const snapshot = courseId === null ? undefined
    : await client.createSnapshot(courseId, { slideId: documentId, pageNumber: page.n })
      .catch((e: unknown) => {
        if (isGone(e)) return undefined; // without a picture, but of that document
        throw e;
      });
  return { documentId, ...(snapshot && { snapshot: { ...snapshot } }) };
}

export function useConversation(sessionId: string, isNew: boolean, onMade: () => void) {
  const where = useStore(scope);
  const chosen = useStore(model);
  const online = useStore(reachable);
  const key = draftKey(sessionId, isNew);
  const [load] = useState(!isNew);
  const [text, setText] = useState(() => draftOf(key));
  const [attached, setAttached] = useState<Attached | null>(null);
  const [queued, setQueued] = useState(false);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [older, setOlder] = useState<Record<string, { version: number; message: CitedMessage }>>({});

  const chat = useCitedChat({
    sessionId, client, load, courseId: where.courseId, documentId: where.document?.id ?? null,
    model: chosen, throttle: THROTTLE_MS, onFinish: () => tell(sessionId, 'changed'),
  });
  const busy = chat.status === 'submitted' || chat.status === 'streaming';
  const answers = chat.messages.filter((m) => m.role === 'assistant').length;
  const versions = useVersions(sessionId, chat.status === 'ready', answers);

  const type = useCallback((next: string) => {
    setText(next);
    keepDraft(key, next);
  }, [key]);

  // ---- Asking ---------------------------------------------------------------

  const ask = useCallback(async (question: string) => {
    const asked = question.trim();
    if (!asked) return;
    if (!navigator.onLine && !(await reach())) {
      type(asked);
      setQueued(true);
      return;
    }
    setTrouble(null);
    setQueued(false);
    try {
      const about = await aboutPage(attached);
      setText('');
      keepDraft('new', '');
      keepDraft(sessionId, asked); // until the server has it
      onMade();
      tell(sessionId, 'asked');
      await chat.sendMessage(asked, about);
      setAttached(null);
    } catch (e) {
      setTrouble(e);
      setText(asked);
    }
  }, [attached, chat, onMade, sessionId, type]);

  const askQueued = useEffectEvent(() => {
    if (text) void ask(text);
  });
  useEffect(() => {
    if (queued && online) askQueued();
  }, [queued, online]);

  // Once an answer runs, the question is stored: its draft may go.
  const latest = chat.messages.at(-1);
  const asked = chat.messages.findLast((m) => m.role === 'user')?.content;
  const answerId = latest?.role === 'assistant' ? latest.id : null;
  useEffect(() => {
    if (answerId === null || draftOf(sessionId) !== asked) return;
    keepDraft(sessionId, '');
    setText((now) => (now === asked ? '' : now));
  }, [answerId, asked, sessionId]);

  // ---- Other tabs -------------------------------------------------------------

  const reload = useEffectEvent(() => void chat.reload());
  useEffect(() => {
    let timer = 0;
    const stop = onNews((news) => {
      if (news.session !== sessionId) return;
      if (news.what === 'asked') timer = window.setTimeout(reload, ASKED_MS);
      else if (!busy) reload();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [sessionId, busy]);

  // ---- Versions ---------------------------------------------------------------

  const page = useCallback(async (id: string, by: 1 | -1) => {
    const answer = Object.entries(older).find(([, o]) => o.message.id === id)?.[0] ?? id;
    const list = versions.get(answer) ?? [];
    const version = (older[answer]?.version ?? list.length + 1) + by;
    const wanted = list[version - 1];
    const message = wanted ? await loadVersion(sessionId, wanted) : null;
    setOlder((now) => {
      const { [answer]: _, ...rest } = now;
      return message ? { ...rest, [answer]: { version, message } } : rest;
    });
  }, [older, versions, sessionId]);

  const shown = useMemo(() => chat.messages.map((m): Shown => {
    const all = (versions.get(m.id)?.length ?? 0) + 1;
    const old = older[m.id];
    return { message: old?.message ?? m, versions: all, version: old?.version ?? all };
  }), [chat.messages, versions, older]);

  const error = trouble ?? (chat.status === 'error' || chat.error ? chat.error : null);
  const again = useCallback(() => {
    setTrouble(null);
    chat.clearError();
    // A question that has no answer is sent again as it is; else what is
    // stored is read again.
    if (latest?.role === 'user') void chat.regenerate(latest.id);
    else if (trouble && text) void ask(text);
    else void chat.reload();
  }, [chat, latest, trouble, text, ask]);

  return { chat, busy, text, type, ask, again, error, attached, setAttached, queued, shown, page };
}
