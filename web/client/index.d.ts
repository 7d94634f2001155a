// @footnote/client - the whole interface on one page.
//
// Everything is a plain function on plain data, but for three things that
// hold state: a client (where the server is), a renderer (what it has drawn)
// and a reader (where it is in a stream).  All offsets into text are in UTF-16
// units, as JavaScript counts.  Every call that waits takes an AbortSignal and
// throws the signal's reason when it is aborted.
import type * as Api from './schema.d.ts';

export type { Api };
export type {
  Course, Me, Member, Message, MessageInput, Retrieval, Role, Session,
  SourceInput, SourceState, SourceType, Status,
} from './schema.d.ts';

export type Source = Api.Source & {
  /** What is printed on the page, when you know it: see pageLabelOf(). */
  pageLabel?: string;
};
/** What a source is called: slides are wide, papers tall. */
export type Kind = Api.SourceType | 'paper';
type Json = Record<string, unknown>;

// ---- Errors ---------------------------------------------------------------

/** What went wrong, for programs (`code`) and for people (`message`). */
export class FootnoteError extends Error {
  constructor(fields: {
    status: number; code: string; message: string; where?: string | null;
    hint?: string | null; requestId?: string | null;
    retryAfter?: number | null; cause?: unknown;
  });
  /** Of the answer; 0 when there was none: `code` is then `unreachable`. */
  status: number;
  /** As in the API; also ours: `unreachable`, `not_json`, `stream`, `cut`. */
  code: string;
  /** JSON Pointer into what was sent. */
  where: string | null;
  hint: string | null;
  requestId: string | null;
  /** Seconds to wait, when the server says so. */
  retryAfter: number | null;
}

/** The error that a failed answer stands for; it reads the body. */
export function errorOf(response: Response): Promise<FootnoteError>;

// ---- Client ---------------------------------------------------------------

export interface ClientOptions {
  /** Where the server is; '' (the default) is the page's own origin. */
  baseUrl?: string;
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
  /** Sent with every call; a function is asked each time (fresh tokens). */
  headers?: Record<string, string>
    | (() => Record<string, string> | Promise<Record<string, string>>);
  /** How often, and after how many milliseconds at first, a lost stream is
   *  asked for again: 6 times, 400, 800, 1600 … */
  retry?: { retries?: number; retryMs?: number };
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Makes a repeated POST return the first result. */
  idempotencyKey?: string;
}

export interface Page { limit?: number; cursor?: string }
export type Citations = 'keep' | 'redact';
export type ExportFormat =
  'json' | 'jsonl' | 'markdown' | 'html' | 'docx' | 'bibtex' | 'csl' | 'ris';

export interface DocumentInfo {
  id: string;
  courseId: string;
  kind: 'slides' | 'lecture' | 'journal' | 'page' | 'text';
  title: string | null;
  /** Of a journal entry. */
  date: string | null;
  /** Of a page. */
  url: string | null;
  filename: string | null;
  mediaType: string | null;
  bytes: number | null;
  pages: number | null;
  /** Of the pages of a PDF: slides are wide, papers tall. */
  layout: 'wide' | 'tall' | null;
  /** What is printed on the pages of a PDF; null: they are called as they are
   *  counted.  See pageLabelOf(). */
  pageLabels: Api.PageLabels[] | null;
  durationSeconds: number | null;
  language: string | null;
  /** It has a recording. */
  hasMedia: boolean;
  version: number;
  /** What search sees; null: none is ready. */
  searchableVersion: number | null;
  status: 'queued' | 'indexing' | 'ready' | 'failed';
  progress: { done: number; total: number | null;
    unit: 'pages' | 'seconds' | 'bytes' } | null;
  /** Why it failed, for a person. */
  error: string | null;
  /** The same for a program. */
  errorCode: string | null;
  /** What could not be read of it, for a person. */
  warning: string | null;
  createdAt: string;
  /** When the version came whose file is told. */
  changedAt: string;
}

/** A row of the library. */
export interface LibraryDocument extends DocumentInfo {
  /** Answers that cite it: for owner and editors all, else one's own. */
  citedBy: number;
}
export interface LibraryQuery extends Page {
  courseId?: string;
  /** Words of the title or the file name. */
  q?: string;
  /** The whole name of the file. */
  filename?: string;
  kind?: DocumentInfo['kind'];
  status?: DocumentInfo['status'];
  cited?: 'any' | 'yes' | 'no';
  sort?: 'changed' | 'cited' | 'size' | 'name';
  /** last: the other way round. */
  order?: 'first' | 'last';
}

export type DocumentInput =
  | { kind: 'journal'; date: string; title: string; text: string; id?: string }
  | { kind: 'page'; url: string; id?: string }
  | { kind: 'text'; title: string; text: string; id?: string };

export interface FileInput {
  file: Blob;
  filename?: string;
  id?: string;
  title?: string;
  kind?: DocumentInfo['kind'];
  date?: string;
  /** The recording of a transcript: a second file, or its URL. */
  media?: Blob | string;
}

export interface UploadOptions extends CallOptions {
  /** Bytes sent so far; needs XMLHttpRequest, else it is called at the end. */
  onProgress?: (sent: number, total: number) => void;
}

export interface PageText {
  text: string;
  width: number;
  height: number;
  words: Array<{ t: string; x: number; y: number; w: number; h: number }>;
  /** Those that begin on the page, with a box for each of their words. */
  passages: Array<{
    text: string;
    boxes: Array<{ x: number; y: number; w: number; h: number }>;
  }>;
}

export interface Box { x: number; y: number; w: number; h: number }
export interface MarksAsked {
  /** The contentPreview of a source. */
  passage: string;
  /** claimsOf() an answer and the source; or, of a sentence that has a verdict,
   *  its span: start and end in the passage. */
  claims?: Array<string | [number, number]>;
  documentId?: string;
  courseId?: string;
  version?: number;
  page?: number;
  startSeconds?: number;
  endSeconds?: number;
}
export interface Marks {
  /** What carries each claim: its own words, or a sentence that supports it. */
  claims: Array<{
    exact: boolean;
    /** In the passage, in UTF-16 units; empty when nothing carries it. */
    spans: Array<[number, number]>;
    page?: number;
    startSeconds?: number;
    endSeconds?: number;
  }>;
  /** Of a PDF: those that have words of the passage. */
  pages?: Array<{
    page: number;
    width: number;
    height: number;
    passage: Box[];
    claims: Box[][];
  }>;
  /** Of a transcript; `line` is the place among its cues. */
  lines?: Array<{
    line: number;
    passage: Array<[number, number]>;
    claims: Array<Array<[number, number]>>;
  }>;
}

export interface Cue { start: number; end: number; text: string }
export type Hit = Source & { score: number | null };

export interface Ask {
  /** The session; an unknown one is made. */
  id: string;
  /** The question, or a UI message with an id of your own.  To regenerate: the
   *  question that is answered again.  To go on with an answer that was cut:
   *  the question and the answer. */
  message: string | UIMessage | UIMessage[];
  courseId?: string;
  documentId?: string;
  /** What the question is limited to, and all its answers. */
  scope?: Api.Scope;
  snapshot?: Json;
  model?: string;
  limit?: number;
  trigger?: 'submit-message' | 'regenerate-message';
  messageId?: string;
  /** What a new question follows; default: the last message that is shown. */
  parentId?: string;
}

/** Every call of the HTTP API, under the name it has in /openapi.json. */
export interface Client {
  readonly baseUrl: string;
  readonly retry: { retries: number; retryMs: number };
  /** A call that has no name here: fetch with our headers and our errors. */
  fetch(path: string, init?: RequestInit): Promise<Response>;

  version(o?: CallOptions): Promise<Api.Version>;
  health(o?: CallOptions): Promise<Api.Health>;
  ready(o?: CallOptions): Promise<Api.Health>;
  login(body: Api.Login, o?: CallOptions): Promise<void>;
  loginWays(o?: CallOptions): Promise<Api.LoginWays>;
  /** Who signed in at a provider is told where to sign out there, too. */
  logout(o?: CallOptions): Promise<{ logoutUrl: string } | null>;
  me(o?: CallOptions): Promise<Api.Me>;
  listLogins(query?: Page & { userId?: string }, o?: CallOptions):
    Promise<Api.LoginList>;
  revokeLogin(id: string, o?: CallOptions): Promise<void>;
  listKeys(query?: Page & { userId?: string }, o?: CallOptions): Promise<Api.KeyList>;
  createKey(body: Api.NewKey, o?: CallOptions): Promise<Api.MadeKey>;
  revokeKey(prefix: string, o?: CallOptions): Promise<void>;
  listUsers(query?: Page, o?: CallOptions): Promise<Api.UserList>;
  listAudit(query?: Page & { userId?: string; action?: string; from?: string; to?: string }, o?: CallOptions):
    Promise<Api.Audit>;

  listSessions(query?: Page & { courseId?: string; q?: string },
    o?: CallOptions): Promise<Api.SessionList>;
  createSession(body: Api.SessionInput, o?: CallOptions): Promise<Api.Session>;
  getSession(id: string, o?: CallOptions): Promise<Api.Session>;
  updateSession(id: string, body: Api.SessionChange, o?: CallOptions):
    Promise<Api.Session>;
  deleteSession(id: string, o?: CallOptions): Promise<void>;
  /** Of the path that is shown; `at` reads the one through that message. */
  listMessages(id: string, query?: Page & { fields?: 'light';
    versions?: 'all'; at?: string }, o?: CallOptions): Promise<Api.MessageList>;
  /** The same for useChat (`as=ui`); the running answer is left out. */
  listUIMessages(id: string, query?: Page & { at?: string }, o?: CallOptions):
    Promise<{ id: string; messages: UIMessage[] }>;
  createShare(id: string, body: Api.ShareInput, o?: CallOptions): Promise<Api.Share>;
  listShares(query?: Page & { sessionId?: string }, o?: CallOptions): Promise<Api.ShareList>;
  endShare(id: string, o?: CallOptions): Promise<void>;
  listReferences(id: string, query?: Page, o?: CallOptions):
    Promise<Api.ReferenceList>;
  listImages(id: string, query?: Page, o?: CallOptions):
    Promise<Api.ImageList>;
  exportSession(id: string, format: ExportFormat, o?: CallOptions):
    Promise<Blob>;
  importSession(body: Blob | string, o?: CallOptions): Promise<Api.Session>;

  createMessage(sessionId: string, body: Api.MessageInput, o?: CallOptions):
    Promise<Api.Message>;
  updateMessage(id: string, body: Api.MessageChange, o?: CallOptions):
    Promise<Api.Message>;
  /** Of an answer, or of one of its numbers. */
  putFeedback(messageId: string, body: Api.FeedbackInput, o?: CallOptions):
    Promise<{ feedback: Api.FeedbackList }>;
  deleteFeedback(messageId: string, query?: { number?: number },
    o?: CallOptions): Promise<void>;
  addSources(messageId: string, body: Api.AddSources, o?: CallOptions):
    Promise<Api.SourceList>;
  sourcesByMessage(messageIds: string[], o?: CallOptions):
    Promise<Api.SourcesByMessage>;
  deleteSources(sessionId: string, o?: CallOptions): Promise<void>;
  createRetrieval(sessionId: string, body: Api.RetrievalInput,
    o?: CallOptions): Promise<Api.Retrieval>;
  listRetrievals(sessionId: string, query?: Page, o?: CallOptions):
    Promise<Api.RetrievalList>;

  listCourses(query?: Page, o?: CallOptions): Promise<Api.CourseList>;
  createCourse(body: Api.CourseInput, o?: CallOptions): Promise<Api.Course>;
  getCourse(id: string, o?: CallOptions): Promise<Api.Course>;
  updateCourse(id: string, body: Api.CourseChange, o?: CallOptions):
    Promise<Api.Course>;
  deleteCourse(id: string, query?: { citations?: Citations },
    o?: CallOptions): Promise<void>;
  listMembers(id: string, query?: Page, o?: CallOptions):
    Promise<Api.MemberList>;
  putMember(id: string, userId: string, body: Api.MemberInput,
    o?: CallOptions): Promise<Api.Member>;
  deleteMember(id: string, userId: string, o?: CallOptions): Promise<void>;
  courseInsights(id: string, query?: { weeks?: number }, o?: CallOptions):
    Promise<Api.Insights>;
  switchInsights(id: string, body: Api.InsightsSwitch, o?: CallOptions):
    Promise<Api.InsightsSwitch>;
  courseStats(id: string, o?: CallOptions): Promise<{
    mostCited: Array<{ documentId: string; title: string; count: number }>;
    neverCited: Array<{ documentId: string; title: string }>;
    perDay: Array<{ date: string; count: number }>;
  }>;

  listDocuments(courseId: string,
    query?: Page & { status?: DocumentInfo['status'] }, o?: CallOptions):
    Promise<{ documents: DocumentInfo[]; nextCursor: string | null }>;
  /** A file with progress, or a text; the same bytes give the same document. */
  createDocument(courseId: string, body: FileInput | DocumentInput,
    o?: UploadOptions): Promise<DocumentInfo>;
  /** With `wait` (seconds, at most 60): when its status has changed.  With
   *  `version`: the file and the pages of that version. */
  getDocument(id: string, query?: { wait?: number; version?: number },
    o?: CallOptions): Promise<DocumentInfo>;
  replaceDocument(id: string, body: FileInput | DocumentInput,
    o?: UploadOptions): Promise<DocumentInfo>;
  library(query?: LibraryQuery, o?: CallOptions): Promise<{
    documents: LibraryDocument[]; found: number; nextCursor: string | null;
    courses: Array<{ courseId: string; documents: number }>;
  }>;
  getOutline(id: string, query?: { version?: number }, o?: CallOptions):
    Promise<Api.Outline>;
  updateDocument(id: string, body: Api.DocumentChange, o?: CallOptions):
    Promise<DocumentInfo>;
  retryDocument(id: string, o?: CallOptions): Promise<DocumentInfo>;
  deleteDocument(id: string, query?: { citations?: Citations },
    o?: CallOptions): Promise<void>;
  listCitations(id: string, query?: Page, o?: CallOptions): Promise<{
    citations: Array<{ sessionId: string; messageId: string;
      chunkNumber: number; cited: boolean; createdAt: string }>;
  }>;
  documentImpact(id: string, query?: { limit?: number }, o?: CallOptions):
    Promise<Api.Impact>;
  getPage(documentId: string, n: number, query?: { version?: number },
    o?: CallOptions): Promise<PageText>;
  getTranscript(documentId: string, query?: { version?: number },
    o?: CallOptions): Promise<{ cues: Cue[] }>;
  findMarks(body: MarksAsked, o?: CallOptions): Promise<Marks>;
  verifyText(body: Api.VerifyAsked, o?: CallOptions): Promise<Api.Verified>;
  createSnapshot(courseId: string, body: { slideId: string;
    pageNumber: number; image?: Blob }, o?: CallOptions):
    Promise<{ s3key: string; slideId: string; pageNumber: number }>;
  search(query: { q: string; courseId?: string;
    documentId?: string | string[]; kind?: string | string[];
    dateFrom?: string; dateTo?: string; changedSince?: string;
    sessionId?: string; limit?: number }, o?: CallOptions):
    Promise<{ hits: Hit[]; lowConfidence: boolean; scopeEmpty: boolean }>;

  /** Starts a turn and gives its stream as it came; see readChat(). */
  postChat(ask: Ask, o?: CallOptions): Promise<Response>;
  /** The running turn from its start; null when none runs. */
  resumeChat(sessionId: string, o?: CallOptions): Promise<Response | null>;
  /** Ends the answer that is named, and no other; without a name, the one that
   *  runs. */
  stopChat(sessionId: string, body?: { messageId?: string }, o?: CallOptions):
    Promise<{ success: boolean; status?: Status }>;
  /** The chunks of a turn over as many connections as it takes; ends with the
   *  error `cut` when the turn does not run any more: it is stored then. */
  chunksOf(sessionId: string, response: Response, o?: CallOptions):
    AsyncGenerator<Chunk, void>;
  query(body: Json & { query: string }, o?: CallOptions): Promise<{
    response: string; thread_id: string | null; message_id: string | null;
    docs: Array<{ entry: Json; distance: number | null }>;
  }>;
  listModels(o?: CallOptions): Promise<{ data: Array<{ id: string }> }>;
}

export function createClient(options?: ClientOptions): Client;

// ---- Streams --------------------------------------------------------------

/** A turn as a message that grows; a cut stream is taken up again by itself.
 *  Ends with the whole message. */
export function ask(client: Client, question: Ask, o?: CallOptions):
  AsyncGenerator<UIMessage, UIMessage>;
/** The same for a turn that runs already; null when none does. */
export function follow(client: Client, sessionId: string, o?: CallOptions):
  AsyncGenerator<UIMessage, UIMessage | null>;

/** The same as plain events (`?as=events`); `lastEventId` goes on behind that
 *  one.  Ends behind `end` or `error`, or when nothing runs. */
export function followEvents(client: Client, sessionId: string,
  o?: { signal?: AbortSignal; lastEventId?: string }):
  AsyncGenerator<TurnEvent, void>;
export type TurnEvent = { id: string | null } & (
  | { event: 'source'; data: Source }
  | { event: 'token'; data: { text: string } }
  | { event: 'end'; data: { message: Api.Message; citations: Source[];
      lowConfidence: boolean | null;
      /** Who did not help the search; left out when all did. */
      unavailable?: Array<'embedder' | 'reranker'> } }
  | { event: 'error'; data: Json });

/** A chunk of the UI message stream; unknown types are passed on. */
export type Chunk = { type: string } & Json;
export interface ServerEvent { event: string; id: string | null; data: string }

/** The message that useChat holds. */
export interface UIMessage {
  id: string;
  role: 'system' | 'user' | 'assistant';
  metadata?: Json;
  parts: Part[];
}
export type Part = { type: string } & Json;

/** Server-sent events of a body, split anywhere; `id` is the last one sent. */
export function readEvents(response: Response, o?: { signal?: AbortSignal }):
  AsyncGenerator<ServerEvent, void>;
/** The chunks of a turn.  Throws FootnoteError: for a failed answer with the
 *  server's code, for an `error` chunk with `stream`, and for a body that ends
 *  before `finish` with `cut`. */
export function readChat(response: Response, o?: { signal?: AbortSignal }):
  AsyncGenerator<Chunk, void>;
/** A new, empty answer to fold into. */
export function newMessage(id?: string): UIMessage;
/** The message with a chunk applied, as the AI SDK does it.  The message that
 *  was given is left alone, and parts that did not change are the same
 *  objects.  Throws FootnoteError `stream` where the SDK would fail. */
export function fold(message: UIMessage, chunk: Chunk): UIMessage;

// ---- Markers --------------------------------------------------------------

/** One item of a marker: [1,2] gives two with the same span. */
export type Mark = { start: number; end: number } & (
  | { from: number; to: number; page?: undefined }
  | { page: true; from?: undefined; to?: undefined });

/** All markers of a text, in order: docs/markers.md. */
export function findMarks(text: string): Mark[];
/** How much of a text that still grows can be shown. */
export function settledLength(text: string): number;

// ---- Citations ------------------------------------------------------------

/** Anything that carries sources: a UI message, live or from `as=ui`; a message
 *  of the API; a row of `as=rows`; an entry of a session's `history`. */
export type AnyMessage = UIMessage | Api.Message | Json;

/** Its sources by number, all fields present (null when unknown), `cited` and
 *  `spans` taken from the text until the server has said them.  Equal for the
 *  live stream and for what is read later. */
export function sourcesOf(message: AnyMessage): Source[];
/** Its text: all text parts, or `content`. */
export function textOf(message: AnyMessage): string;
/** One source in camelCase with all fields, from either spelling. */
export function toSource(source: Json): Source;

export interface Registry {
  /** By number, all of them. */
  sources: Source[];
  cited: Source[];
  /** Read by the model, but not cited. */
  read: Source[];
  byNumber: Map<number, Source>;
  /** Those that a marker names; [] when none is known: then it is text. */
  resolve(mark: Mark): Source[];
  /** Grouped by document, groups and members in order of number. */
  groups: SourceGroup[];
}
export interface SourceGroup {
  key: string;
  title: string | null;
  sourceType: Api.SourceType;
  kind: Kind;
  documentId: string | null;
  sources: Source[];
}
export function registryOf(sources: Source[]): Registry;

/** A message as seed-style hooks give it. */
export interface CitedMessage {
  id: string;
  role: 'user' | 'assistant' | 'system';
  content: string;
  timestamp: Date | null;
  isStreaming: boolean;
  /** Of a question: what it was limited to; left out when it was not. */
  scope?: Api.Scope;
  /** The ids of all versions of this message, by age, its own among them; left
   *  out when there is no other. */
  versions?: string[];
  /** Of assistants' messages only. */
  sources?: Source[];
  /** Of assistants' messages only; null until known. */
  status?: Api.Status | null;
  lowConfidence?: boolean | null;
  /** 'extractive': sentences of the sources, without a model. */
  model?: string | null;
  /** Why it failed: a code. */
  failure?: string | null;
  /** Of assistants' messages only: whether the sources carry its sentences, by
   *  each judge. */
  verdicts?: Api.Verdicts;
  /** Of assistants' messages only: numbers in the text that no source has. */
  unknownNumbers?: number[];
  /** What its reader said of it. */
  feedback?: Api.FeedbackList;
}
export function citedMessageOf(message: AnyMessage,
  o?: { streaming?: boolean }): CitedMessage;

// ---- Words ----------------------------------------------------------------

/** The words that end up on the page.  `en` and `es` are here; bring others. */
export interface Labels {
  reference: string; page: string; slide: string;
  references: string; notCited: string; states: Record<Api.SourceState, string>;
  kinds: Record<Kind, string>; open: string; download: string;
  untitled: string; noPassage: string;
  /** Of a text without pages; left out: in English. */
  places?: Record<'sheet' | 'cells' | 'cell' | 'line' | 'lines' | 'chapter' | 'message', string>;
  /** Said of a number in a text that names no source. */
  noSource: string;
}
export const labels: { en: Labels; es: Labels };

export function kindOf(source: Pick<Source, 'sourceType' | 'meta'>): Kind;
/** What is printed on page n of a document: 'xii', 'A-7'; null when its pages
 *  are called as they are counted. */
export function pageLabelOf(document: Pick<DocumentInfo, 'pageLabels'>,
  n: number): string | null;
/** 'slide 14', 'page xii', '12:05–12:40', 'sheet Prices, B2:D9', '2024-01-15' … or ''. */
export function locatorOf(source: Source, words?: Labels): string;
/** 'Lecture 4, slide 14'. */
export function nameOf(source: Source, words?: Labels): string;
/** 125.4 is '2:05'; 3725 is '1:02:05'. */
export function clock(seconds: number): string;

// ---- Deep links -----------------------------------------------------------

export interface LinkOptions {
  baseUrl?: string;
  /** Instead of the version that was cited; null is the newest. */
  version?: number | null;
}
/** Where the source is, at its place: `…/download#page=14`,
 *  `…/media#t=125,160`, the web page; null when it cannot be opened. */
export function hrefOf(source: Source, o?: LinkOptions): string | null;
/** The same in the app's own reader: `/d/…?version=2&page=14`. */
export function readerOf(source: Source, o?: LinkOptions): string | null;
/** The file itself; null when there is none here. */
export function downloadOf(source: Source, o?: LinkOptions): string | null;
/** The picture of its page. */
export function pictureOf(source: Source, o?: LinkOptions): string | null;
/** /c/{session}/m/{message}#ref-{n}, as much of it as is given. */
export function linkTo(place: Place): string;
/** The way back; null when it is no such address. */
export function parseLink(url: string | URL): Place | null;
/** /d/{document}?version=&page=&t=, as much of it as is given. */
export function readerLink(place: ReaderPlace): string;
/** The way back; null when it is no such address. */
export function parseReaderLink(url: string | URL): Required<ReaderPlace> | null;
export interface ReaderPlace {
  documentId: string;
  /** null is the newest. */
  version?: number | null;
  page?: number | null;
  seconds?: number | null;
}
export interface Place { sessionId: string; messageId?: string; n?: number }

// ---- Markdown -------------------------------------------------------------

export interface RenderOptions {
  sources?: Source[];
  words?: Labels;
  /** 'a' (default) is <a class="fn-chip" href="#ref-1" data-n="1">, a plain
   *  inline; 'button' is <button class="fn-chip" data-n="1">. */
  chip?: 'a' | 'button';
  /** Ids of references begin with it: several answers on one page. */
  refPrefix?: string;
}

/** One top-level block.  `html` is safe by construction; `key` stays while the
 *  text grows, and a block whose html did not change is the same object. */
export interface Block { key: string; html: string }

export interface Renderer {
  /** The blocks of the text so far; with `done`, of the whole text.  Text that
   *  does not continue the last one starts afresh. */
  render(text: string, done?: boolean): Block[];
  /** Other sources or words: all is drawn anew next time. */
  set(options: RenderOptions): void;
}
export function createRenderer(options?: RenderOptions): Renderer;
/** The whole text at once. */
export function renderMarkdown(text: string, options?: RenderOptions): string;

/** Draws into an element, replacing only blocks that changed, through
 *  DOMPurify; under Trusted Types it needs the policy `dompurify` only. */
export interface Mount {
  update(text: string, done?: boolean): void;
  set(options: RenderOptions): void;
  /** Called for each block that was drawn: upgrade math and code there. */
  onBlock: ((element: HTMLElement, done: boolean) => void) | null;
  clear(): void;
}
export function mountMarkdown(element: HTMLElement, options?: RenderOptions):
  Mount;
/** What the text says before each marker of a source, for findMarks(). */
export function claimsOf(content: string, sources: Source[], source: Source):
  string[];
/** The claim that a chip stands behind: its sentence, for a highlight. */
export function claimOf(chip: Element): Range | null;

// ---- Taking it along ------------------------------------------------------

export interface CopyOptions {
  words?: Labels;
  baseUrl?: string;
  /** False: without the list of references, and with the markers removed. */
  references?: boolean;
  /** Where the answers are: references then link to themselves there, with
   *  their passage (`/c/…#ref-1`); otherwise to the file. */
  sessionId?: string;
  /** Markdown that stands below an answer, in Markdown alone. */
  remark?: (message: AnyMessage) => string | null;
}
/** Markdown with footnotes: [^1] … [^1]: Lecture 4, slide 14 … */
export function toMarkdown(message: AnyMessage, o?: CopyOptions): string;
/** The text with its numbers, and a numbered list. */
export function toPlainText(message: AnyMessage, o?: CopyOptions): string;
/** The same as HTML with links. */
export function toHtml(message: AnyMessage, o?: CopyOptions): string;
/** What to give to `new ClipboardItem()`: text/plain and text/html. */
export function clipboardOf(message: AnyMessage, o?: CopyOptions):
  Record<'text/plain' | 'text/html', Blob>;
/** A whole conversation as Markdown; footnotes of all answers are distinct. */
export function conversationToMarkdown(messages: AnyMessage[],
  o?: CopyOptions & { title?: string }): string;
