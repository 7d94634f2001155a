// State of the references pane: which reference is open, which is highlighted,
// and the address that names it.
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { CitedMessage, Place } from '@footnote/client';
import type { CitedChat } from '@footnote/react';
import { navigate } from '../router.ts';
import { claimTextOf } from './evidence.ts';
import { highlightClaim } from './claim_highlight.ts';
import type { PreviewContent } from './preview.tsx';
import { usePreview } from './use_preview.ts';

type ReferenceKey = { messageId: string; n: number };

interface Options {
  sessionId: string;
  place: Place | null;
  chat: CitedChat;
  answers: CitedMessage[];
  narrow: boolean;
  /** Stops the transcript from scrolling along with new text. */
  stopFollowing: () => void;
}

const answerElement = (id: string) =>
  document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);

/** The chosen reference; without one, the first that the message cites. */
function useOpenReference(chosen: ReferenceKey | null, paneMessage: CitedMessage | null): ReferenceKey | null {
  const messageId = chosen?.messageId ?? paneMessage?.id;
  const n = chosen?.n ?? paneMessage?.sources?.find((s) => s.cited)?.chunkNumber;
  return useMemo(() => (messageId === undefined || n === undefined ? null : { messageId, n }), [messageId, n]);
}

/** When the address names an answer: scrolls to it once the history is loaded. */
function useLinkedAnswer({ place, chat, answers, stopFollowing }: Options, openReference: (m: CitedMessage, n: number) => void) {
  const target = useRef(place?.messageId ? place : null);
  const scrollToTarget = useEffectEvent(() => {
    const to = target.current;
    if (!to?.messageId) return;
    target.current = null;
    stopFollowing();
    const found = answers.find((m) => m.id === to.messageId);
    requestAnimationFrame(() => answerElement(to.messageId!)?.scrollIntoView());
    if (found && to.n !== undefined) openReference(found, to.n);
  });
  const loaded = chat.status !== 'loading' && chat.messages.length > 0;
  useEffect(() => {
    if (loaded) scrollToTarget();
  }, [loaded]);
}

export function useReferencePane(options: Options) {
  const { sessionId, place, chat, answers, narrow } = options;
  const [paneShown, setPaneShown] = useState(!narrow);
  const [highlighted, setHighlighted] = useState<ReferenceKey | null>(null);
  const preview = usePreview<PreviewContent>();
  const chosen = chat.citation;
  const paneMessage = answers.find((m) => m.id === chosen?.messageId) ??
    answers.findLast((m) => m.sources?.length) ?? null;
  const open = useOpenReference(chosen, narrow ? null : paneMessage);

  const { open: openPreview, closeSoon: closePreviewSoon, close: closePreview } = preview;
  const { openCitation, closeCitation } = chat;
  const openReference = useCallback((message: CitedMessage, n: number) => {
    closePreview();
    openCitation(message.id, n);
    setPaneShown(true);
    navigate({ sessionId, messageId: message.id, n }, 'replace');
  }, [closePreview, openCitation, sessionId]);

  /** The pointer or the focus is on a chip of the text; n is null when it left. */
  const pointAtChip = useCallback((message: CitedMessage, n: number | null, chip: HTMLElement | null) => {
    const source = n === null ? undefined : message.sources?.find((s) => s.chunkNumber === n);
    highlightClaim(answerElement(message.id), n, chip);
    setHighlighted(n === null ? null : { messageId: message.id, n });
    if (!source || !chip) return closePreviewSoon();
    const cited = message.sources!.filter((s) => s.cited);
    openPreview({
      messageId: message.id, source, chip, claim: claimTextOf(message.content, source),
      position: cited.indexOf(source) + 1, count: cited.length,
    }, chip);
  }, [openPreview, closePreviewSoon]);

  /** The pointer or the focus is on a reference of the pane; null when it left. */
  const pointAtReference = (n: number | null) => {
    const reference = n === null || !paneMessage ? null : { messageId: paneMessage.id, n };
    highlightClaim(reference && answerElement(reference.messageId), n);
    setHighlighted(reference);
  };

  const closePane = () => {
    setPaneShown(false);
    closeCitation();
    if (place) navigate({ sessionId }, 'replace');
  };
  const togglePane = () => {
    const first = paneMessage?.sources?.find((s) => s.cited) ?? paneMessage?.sources?.[0];
    if (paneShown) closePane();
    else if (narrow && paneMessage && first) openReference(paneMessage, first.chunkNumber);
    else setPaneShown(true);
  };
  useLinkedAnswer(options, openReference);
  return {
    paneShown, paneMessage, open, highlighted, preview,
    openReference, pointAtChip, pointAtReference, closePane, togglePane,
  };
}
