// Which reference is open, which is lit, and what the address says of it.
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { CitedMessage, Place } from '@footnote/client';
import type { CitedChat } from '@footnote/react';
import { go } from '../router.ts';
import { claimTextOf } from './evidence.ts';
import { light } from './light.ts';
import type { Peek } from './preview.tsx';
import { usePeek } from './use_peek.ts';

type Spot = { messageId: string; n: number };

interface Setting {
  sessionId: string;
  place: Place | null;
  chat: CitedChat;
  answers: CitedMessage[];
  narrow: boolean;
  /** The end of the text is not followed any more. */
  release: () => void;
}

const elementOf = (id: string) =>
  document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);

/** What was chosen; else, beside the text, the first that is cited. */
function useOpen(chosen: Spot | null, inPane: CitedMessage | null): Spot | null {
  const messageId = chosen?.messageId ?? inPane?.id;
  const n = chosen?.n ?? inPane?.sources?.find((s) => s.cited)?.chunkNumber;
  return useMemo(() => (messageId === undefined || n === undefined ? null : { messageId, n }), [messageId, n]);
}

/** An address that names an answer leads to it, once it is there. */
function useArrival({ place, chat, answers, release }: Setting, cite: (m: CitedMessage, n: number) => void) {
  const wanted = useRef(place?.messageId ? place : null);
  const arrive = useEffectEvent(() => {
    const to = wanted.current;
    if (!to?.messageId) return;
    wanted.current = null;
    release();
    const found = answers.find((m) => m.id === to.messageId);
    requestAnimationFrame(() => elementOf(to.messageId!)?.scrollIntoView());
    if (found && to.n !== undefined) cite(found, to.n);
  });
  const loaded = chat.status !== 'loading' && chat.messages.length > 0;
  useEffect(() => {
    if (loaded) arrive();
  }, [loaded]);
}

export function useCiting(setting: Setting) {
  const { sessionId, place, chat, answers, narrow } = setting;
  const [shown, setShown] = useState(!narrow);
  const [lit, setLit] = useState<Spot | null>(null);
  const peek = usePeek<Peek>();
  const chosen = chat.citation;
  const inPane = answers.find((m) => m.id === chosen?.messageId) ??
    answers.findLast((m) => m.sources?.length) ?? null;
  const open = useOpen(chosen, narrow ? null : inPane);

  const { open: openPeek, leave: leavePeek, close: closePeek } = peek;
  const { openCitation, closeCitation } = chat;
  const cite = useCallback((message: CitedMessage, n: number) => {
    closePeek();
    openCitation(message.id, n);
    setShown(true);
    go({ sessionId, messageId: message.id, n }, 'replace');
  }, [closePeek, openCitation, sessionId]);

  /** The pointer or the focus is on a number of the text, or has left it. */
  const look = useCallback((message: CitedMessage, n: number | null, chip: HTMLElement | null) => {
    const source = n === null ? undefined : message.sources?.find((s) => s.chunkNumber === n);
    light(elementOf(message.id), n, chip);
    setLit(n === null ? null : { messageId: message.id, n });
    if (!source || !chip) return leavePeek();
    const cited = message.sources!.filter((s) => s.cited);
    openPeek({
      messageId: message.id, source, chip, claim: claimTextOf(message.content, source),
      at: cited.indexOf(source) + 1, count: cited.length,
    }, chip);
  }, [openPeek, leavePeek]);

  /** The same for a number of the panel. */
  const lookBack = (n: number | null) => {
    const spot = n === null || !inPane ? null : { messageId: inPane.id, n };
    light(spot && elementOf(spot.messageId), n);
    setLit(spot);
  };

  const close = () => {
    setShown(false);
    closeCitation();
    if (place) go({ sessionId }, 'replace');
  };
  const toggle = () => {
    const first = inPane?.sources?.find((s) => s.cited) ?? inPane?.sources?.[0];
    if (shown) close();
    else if (narrow && inPane && first) cite(inPane, first.chunkNumber);
    else setShown(true);
  };
  useArrival(setting, cite);
  return { shown, inPane, open, lit, peek, cite, look, lookBack, close, toggle };
}
