// @footnote/react - the hook and three components, on one page.
import type {
  Api, CitedMessage, Client, Labels, Place, Registry, Source, UIMessage,
} from '@footnote/client';
import type { ReactElement, ReactNode } from 'react';

// ---- The hook -------------------------------------------------------------

export interface CitedChatOptions {
  /** The session; an unknown one is made by the first question.  Another id is
   *  another conversation: its messages are loaded and nothing of the old one
   *  stays. */
  sessionId: string;
  /** Scope of the questions; null: the session's, or all the asker may read. */
  courseId?: string | null;
  documentId?: string | null;
  model?: string | null;
  /** Where the server is.  Default: createClient(). */
  client?: Client;
  /** False for a session that was just made: nothing to load or resume. */
  load?: boolean;
  /** A message to be seen, as a link names it: if it is on another branch than
   *  the one that is shown, that is read, and nothing is changed until somebody
   *  asks or steps. */
  at?: string | null;
  /** At most one render in so many milliseconds while text streams (50). */
  throttle?: number;
  onError?: (error: Error) => void;
  onFinish?: (message: CitedMessage) => void;
}

export interface OpenCitation {
  messageId: string;
  n: number;
  source: Source;
}

export interface CitedChat {
  /** Oldest first.  Equal, by value, live and after a reload. */
  messages: CitedMessage[];
  /** loading: the history is on its way.  submitted: no word of the answer
   *  yet. */
  status: 'loading' | 'ready' | 'submitted' | 'streaming' | 'error';
  /** A FootnoteError when the server said what is wrong; null after the next
   *  question. */
  error: Error | null;
  /** The answer is still being written. */
  isStreaming: boolean;

  // Asking throws FootnoteError `turn_running` while an answer is written.
  sendMessage(text: string, more?: { snapshot?: Record<string, unknown>;
    scope?: Api.Scope }): Promise<void>;
  /** Ends the turn on the server; what was written so far stays. */
  stop(): Promise<void>;
  /** Another answer to the same question; default: the last one. */
  regenerate(messageId?: string): Promise<void>;
  /** Another text for one of your questions: a new version of it. */
  edit(messageId: string, text: string, more?: { scope?: Api.Scope }):
    Promise<void>;
  /** Steps to a version of a message, with what followed it; `id` is one of
   *  `versions` of the message that stands there now. */
  showVersion(id: string): Promise<void>;
  /** Goes on with an answer that was cut, as a new message whose numbers count
   *  on; default: the last one. */
  continueAnswer(messageId?: string): Promise<void>;
  /** Follows the running turn, if there is one. */
  resume(): Promise<void>;
  /** Reads the stored messages again, and follows what runs. */
  reload(): Promise<void>;
  clearError(): void;

  /** Sources of all answers, by message. */
  citations: Record<string, Source[]>;
  citationsOf(messageId: string): Registry;
  /** The citation that is open, for a panel to show; null: none. */
  citation: OpenCitation | null;
  openCitation(messageId: string, n: number): void;
  closeCitation(): void;
  /** Its address: /c/{session}/m/{message}#ref-{n}. */
  linkTo(messageId?: string, n?: number): string;
  /** The conversation, or one answer, to take along. */
  exportAs(format: 'markdown' | 'text' | 'html', messageId?: string): string;
  /** The messages as the AI SDK holds them. */
  uiMessages: UIMessage[];
}

export function useCitedChat(options: CitedChatOptions): CitedChat;

// ---- Components -----------------------------------------------------------
// Plain markup with class names, no styles; every word comes from `words`.

export interface CitedMarkdownProps {
  text: string;
  sources?: Source[];
  /** More text will come. */
  streaming?: boolean;
  words?: Labels;
  chip?: 'a' | 'button';
  refPrefix?: string;
  className?: string;
  /** A chip was clicked or Enter was pressed on it. */
  onCite?: (n: number, chip: HTMLElement) => void;
  /** The pointer or the focus is on a chip; null: it has left. */
  onPeek?: (n: number | null, chip: HTMLElement | null) => void;
  /** A block was drawn: upgrade math and code there. */
  onBlock?: (element: HTMLElement, done: boolean) => void;
}
export function CitedMarkdown(props: CitedMarkdownProps): ReactElement;

export interface ReferencesProps {
  sources: Source[];
  words?: Labels;
  refPrefix?: string;
  /** The number that is lit. */
  active?: number | null;
  onOpen?: (source: Source) => void;
  onPeek?: (n: number | null) => void;
  className?: string;
}
/** Cited sources by document; what was only read is folded below. */
export function References(props: ReferencesProps): ReactElement | null;

export interface SourceViewProps {
  source: Source;
  client?: Client;
  words?: Labels;
  className?: string;
  children?: ReactNode;
}
/** One source: what it is, its passage, its state, and the way to it. */
export function SourceView(props: SourceViewProps): ReactElement;

export type { CitedMessage, Place, Registry, Source };
