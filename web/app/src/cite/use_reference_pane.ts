// State of the references pane: which reference is open, which is highlighted,
// and the address that names it.
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { CitedMessage, Place } from '@footnote/client';
import type { CitedChat } from '@footnote/react';
import { claimOfVerdict, claimsIn, NO_CLAIMS } from '../data/marks.ts';
import { verdictsOf, type Said } from '../data/verdicts.ts';
import { closePlace, openPlace } from '../router.ts';
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

/** Which of the chips of its number a chip is, from 0. */
function indexOfChip(messageId: string, n: number, chip: HTMLElement | null | undefined): number {
  const chips = [...answerElement(messageId)?.querySelectorAll(`.fn-chip[data-n="${n}"]`) ?? []];
  return chip ? Math.max(0, chips.indexOf(chip)) : 0;
}

/** What is known of the sentence of a chip, if it is not all carried. */
const saidOf = (message: CitedMessage, chip: HTMLElement): Said | null =>
  (chip.dataset.sentence ? verdictsOf(message)?.sentences[Number(chip.dataset.sentence)] ?? null : null);

/** Scrolls the conversation and nothing around it. */
function showAnswer(id: string) {
  const answer = answerElement(id);
  const scroller = answer?.closest('.transcript');
  if (!answer || !scroller) return;
  const margin = parseFloat(getComputedStyle(answer).scrollMarginTop) || 0;
  scroller.scrollTop += answer.getBoundingClientRect().top - scroller.getBoundingClientRect().top - margin;
}

/** The chip, or the exception of the verdicts, that has the focus from the keyboard. */
const focusedChip = () => document.activeElement?.closest<HTMLElement>('.fn-chip:focus-visible, .exception:focus-visible') ?? null;

/** The way of the focus from a chip into the pane, and back. */
function usePaneFocus(closePreview: () => void) {
  const origin = useRef<HTMLElement>(null);
  const enterPane = useCallback((chip: HTMLElement | null) => {
    origin.current = chip;
    // A dialog takes the focus itself.
    if (chip) requestAnimationFrame(() => document.querySelector<HTMLElement>('.pane')?.focus());
  }, []);
  const leavePane = useCallback(() => {
    origin.current?.focus();
    closePreview(); // which the focus has asked for
  }, [closePreview]);
  return { enterPane, leavePane };
}

/** The chosen reference; without one, the first that the message cites. */
function useOpenReference(chosen: ReferenceKey | null, paneMessage: CitedMessage | null): ReferenceKey | null {
  const messageId = chosen?.messageId ?? paneMessage?.id;
  const n = chosen?.n ?? paneMessage?.sources?.find((s) => s.cited)?.chunkNumber;
  return useMemo(() => (messageId === undefined || n === undefined ? null : { messageId, n }), [messageId, n]);
}

/** Follows the address: to the answer that it names, once the history is loaded,
 *  and to the reference, which Back closes again. */
function useLinkedAnswer({ place, chat, answers, narrow, stopFollowing }: Options, setPaneShown: (shown: boolean) => void) {
  const { citation, openCitation, closeCitation } = chat;
  const { messageId, n } = place ?? {};
  const isLoaded = chat.status !== 'loading' && chat.messages.length > 0;
  const [isMissing, setMissing] = useState(false);
  const follow = useEffectEvent(() => {
    const isOpen = citation?.messageId === messageId && citation?.n === n;
    const found = answers.find((m) => m.id === messageId);
    const source = found?.sources?.find((s) => s.chunkNumber === n);
    setMissing(messageId !== undefined && (!chat.messages.some((m) => m.id === messageId) || (n !== undefined && !source)));
    if (n === undefined && citation) {
      closeCitation();
      if (narrow) setPaneShown(false);
    }
    if (messageId === undefined || (isOpen && n !== undefined)) return;
    stopFollowing();
    requestAnimationFrame(() => showAnswer(messageId));
    if (!source) return;
    openCitation(messageId, n!);
    setPaneShown(true);
  });
  useEffect(() => {
    if (isLoaded) follow();
  }, [isLoaded, messageId, n]);
  return isMissing;
}

export function useReferencePane(options: Options) {
  const { sessionId, chat, answers, narrow } = options;
  const [paneShown, setPaneShown] = useState(!narrow);
  const [highlighted, setHighlighted] = useState<ReferenceKey | null>(null);
  const [followed, setFollowed] = useState<ReferenceKey & { at: number; visit: number } | null>(null);
  const preview = usePreview<PreviewContent>();
  const chosen = chat.citation;
  const paneMessage = answers.find((m) => m.id === chosen?.messageId) ??
    answers.findLast((m) => m.sources?.length) ?? null;
  const open = useOpenReference(chosen, narrow ? null : paneMessage);

  const { enterPane, leavePane } = usePaneFocus(preview.close);

  const { open: openPreview, closeSoon: closePreviewSoon, close: closePreview } = preview;
  const { openCitation, closeCitation } = chat;
  /** `chip` is the number of the text that was followed, if it was one; `from`
   *  the chip that opens it by keyboard. */
  const openReference = useCallback((message: CitedMessage, n: number, chip?: HTMLElement | null, from = focusedChip()) => {
    enterPane(from);
    closePreview();
    setFollowed((was) => ({ messageId: message.id, n, at: indexOfChip(message.id, n, chip), visit: (was?.visit ?? 0) + 1 }));
    openCitation(message.id, n);
    setPaneShown(true);
    openPlace({ sessionId, messageId: message.id, n });
  }, [enterPane, closePreview, openCitation, sessionId]);

  /** The pointer or the focus is on a chip of the text; n is null when it left. */
  const pointAtChip = useCallback((message: CitedMessage, n: number | null, chip: HTMLElement | null) => {
    const said = chip && saidOf(message, chip);
    const source = n === null ? undefined : message.sources?.find((s) => s.chunkNumber === (n || said?.number));
    highlightClaim(answerElement(message.id), n, chip);
    setHighlighted(n ? { messageId: message.id, n } : null);
    if (!chip || (!source && !said)) return closePreviewSoon();
    const cited = message.sources?.filter((s) => s.cited) ?? [];
    openPreview({
      messageId: message.id, source: source ?? null, chip, said, content: message.content,
      claims: !source ? NO_CLAIMS : n ? claimsIn(message, source, indexOfChip(message.id, n, chip)) : claimOfVerdict(said),
      position: source ? cited.indexOf(source) + 1 : 0, count: cited.length,
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
    closePlace(sessionId);
  };
  const togglePane = () => {
    const first = paneMessage?.sources?.find((s) => s.cited) ?? paneMessage?.sources?.[0];
    if (paneShown) closePane();
    else if (narrow && paneMessage && first) openReference(paneMessage, first.chunkNumber);
    else setPaneShown(true);
  };
  const isMissing = useLinkedAnswer(options, setPaneShown);
  const at = followed && open && followed.messageId === open.messageId && followed.n === open.n ? followed.at : 0;
  return {
    paneShown, paneMessage, open, at, visit: followed?.visit ?? 0, highlighted, preview, isMissing,
    openReference, pointAtChip, pointAtReference, closePane, togglePane, leavePane,
  };
}
