// Made by tools/types.mjs from the OpenAPI document; do not edit.

export type Id = string;

export type Time = string;

export type Texts = Array<string>;

/** Give it as ?cursor= to go on; null at the end. */
export type Next = string | null;

export type Error = {
  /** A sentence for a person. */
  error: string;
  /** For programs; new ones may come. */
  code: string;
  /** JSON Pointer into the body. */
  where?: string;
  hint?: string;
  requestId?: string;
};

export type OpenAiError = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string;
  };
};

export type Me = {
  userId: string;
  tenant: string;
  admin: boolean;
  /** What let you in. */
  auth: "none" | "key" | "jwt" | "oidc" | "proxy";
  /** Your key changes nothing. */
  readOnly: boolean;
  /** Your key is for certain courses alone. */
  confined: boolean;
  usage: Usage;
  limits: Limits;
};

/** What you keep here, and what you have under way at this server. */
export type Usage = {
  /** Files, messages and sources that you brought. */
  bytes: number;
  documents: number;
  sessions: number;
  /** Questions since midnight UTC. */
  turnsToday: number;
  /** Answers that run now. */
  turns: number;
  streams: number;
  uploads: number;
};

/** How much of each you may have; null: any. */
export type Limits = {
  bytes: number | null;
  documents: number | null;
  sessions: number | null;
  turnsToday: number | null;
  turns: number | null;
  streams: number | null;
  uploads: number | null;
};

export type Removed = {
  /** Versions. */
  removed: number;
  /** Of their files. */
  bytes: number;
};

/** One of the two. */
export type Login = {
  /** fn_... */
  key?: string;
  /** A JWT. */
  token?: string;
};

export type ShareInput = {
  /** Seconds; 30 days when left out. */
  expiresIn?: number;
  /** An answer: it and its question alone. Left out: all that is shown now. */
  messageId?: string;
  /** Whether the files that it cites can be downloaded, too. */
  files?: boolean;
};

export type Share = {
  id: string;
  /** The link; told once, when it is made. */
  url?: string;
  sessionId: string;
  /** The one answer; null: the session. */
  messageId: string | null;
  files: boolean;
  createdAt: string;
  expiresAt: string;
};

export type ShareList = {
  shares: Array<Share>;
  nextCursor: string | null;
};

export type Kept = {
  bytes: number;
  documents: number;
  sessions: number;
};

export type UserList = {
  users: Array<{
    userId: string;
    bytes: number;
    documents: number;
    sessions: number;
  }>;
  all: Kept;
  jobs: {
    waiting: number;
    reading: number;
  };
  nextCursor: string | null;
};

export type LoginWays = {
  /** With a key. */
  key: boolean;
  /** With a JWT. */
  token: boolean;
  providers: Array<{
    name: string;
    /** Where a browser goes, with ?to=. */
    url: string;
  }>;
};

export type LoginList = {
  logins: Array<SignedIn>;
  nextCursor: string | null;
};

/** A browser that is signed in. */
export type SignedIn = {
  id: string;
  userId: string;
  method: "key" | "jwt" | "oidc";
  /** Of the key that it was made with. */
  keyPrefix: string | null;
  /** What the browser called itself. */
  agent: string | null;
  createdAt: string;
  /** A minute coarse. */
  seenAt: string;
  expiresAt: string;
  /** It is the one that asks. */
  current: boolean;
};

export type Key = {
  /** The public part of the key. */
  prefix: string;
  tenant: string;
  userId: string;
  label: string | null;
  admin: boolean;
  readOnly: boolean;
  /** null: it is not for certain courses alone. */
  courses: Array<string> | null;
  createdAt: string;
  expiresAt: string | null;
  firstUsedAt: string | null;
  /** Five minutes coarse. */
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export type KeyList = {
  keys: Array<Key>;
  nextCursor: string | null;
};

export type MadeKey = {
  /** Told here and never again. */
  key: string;
  /** The public part of the key. */
  prefix: string;
  tenant: string;
  userId: string;
  label: string | null;
  admin: boolean;
  readOnly: boolean;
  /** null: it is not for certain courses alone. */
  courses: Array<string> | null;
  createdAt: string;
  expiresAt: string | null;
  firstUsedAt: string | null;
  /** Five minutes coarse. */
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export type NewKey = {
  userId: string;
  /** What the key is for. */
  label?: string | null;
  /** It may do what is for admins. Not together with courses or readOnly. */
  admin?: boolean | null;
  /** It changes nothing. */
  readOnly?: boolean | null;
  /** It reaches these courses and their sessions alone. */
  courses?: Array<string> | null;
  /** Left out: never. */
  expiresAt?: string | null;
};

export type Audit = {
  entries: Array<AuditEntry>;
  nextCursor: string | null;
};

export type AuditEntry = {
  id: string;
  at: string;
  /** Who did it. */
  userId: string;
  action: string;
  /** What it was done to. */
  about: string | null;
  /** Of the key that it was done with. */
  keyPrefix: string | null;
  /** Where the request came from; gone after 90 days. */
  address: string | null;
};

export type SourceType = "slide" | "lecture" | "journal" | "web" | "image" | "text";

/** Of its document now; external: the document is not kept here. */
export type SourceState = "live" | "changed" | "deleted" | "redacted" | "withdrawn" | "external";

/** A passage. It needs a sourceId, or the fields that make one: documentId and slideNumber, lectureId and startSeconds, url, s3key, or date and title. What a source that was read has beyond these is accepted and not looked at. */
export type SourceInput = {
  sourceId?: Id;
  sourceType: SourceType;
  /** The n of [n] in the text; left out: the next free one. */
  chunkNumber?: number | null;
  contentPreview?: string | null;
  title?: string | null;
  url?: string | null;
  courseId?: string | null;
  ownerId?: string | null;
  documentId?: string | null;
  slideNumber?: number | null;
  lectureId?: string | null;
  startSeconds?: number | null;
  endSeconds?: number | null;
  date?: string | null;
  s3key?: string | null;
  part?: number | null;
  locator?: string | null;
  /** Yours: kept, at most 4 KB. */
  meta?: Record<string, unknown> | null;
  /** Yours: kept. */
  score?: number | null;
  /** Ours to say. */
  cited?: unknown;
  /** Ours to say. */
  support?: unknown;
  /** Ours to say. */
  spans?: unknown;
  /** Ours to say. */
  state?: unknown;
  /** Ours to say. */
  documentVersion?: unknown;
};

export type Source = {
  sourceId: string;
  sourceType: SourceType;
  /** The n of [n] in the text. */
  chunkNumber: number;
  /** The passage as it was cited; null when it is redacted, withdrawn or left out. */
  contentPreview: string | null;
  documentId: string | null;
  slideNumber: number | null;
  lectureId: string | null;
  startSeconds: number | null;
  endSeconds: number | null;
  courseId: string | null;
  ownerId?: string | null;
  title: string | null;
  url: string | null;
  date?: string | null;
  s3key?: string | null;
  part?: number | null;
  /** Where in a text without pages: Prices!B2:D9, cell 7, lines 10–20, chapter 3, message 2, or a heading. */
  locator?: string | null;
  meta: Record<string, unknown> | null;
  score: number | null;
  state: SourceState;
  /** Of its document, as it was cited: what ?version= of a download, a page or a recording takes. null when it is external or withdrawn. */
  documentVersion: number | null;
  /** The text has its number. */
  cited: boolean;
  /** How much of the sentence the passage holds. */
  support: number | null;
  /** [start, end] of each marker, in UTF-16 units of content. */
  spans: Array<Array<number>>;
};

export type Sources = Array<Source>;

export type SourceInputs = Array<SourceInput>;

export type SourceList = {
  sources: Sources;
};

/** A source with the same fields in snake_case. */
export type SourceRow = {
  source_id: string;
  source_type: SourceType;
  chunk_number: number;
  [more: string]: unknown;
};

/** The page picture that an answer rests on. */
export type ImageSource = {
  s3key: string;
  slideId: string | null;
  pageNumber: number | null;
  url: string | null;
} | null;

export type ImageSourceInput = {
  s3key: string;
  slideId?: string | null;
  pageNumber?: number | null;
  /** Ours to say. */
  url?: unknown;
} | null;

export type Role = "user" | "assistant" | "system";

export type Status = "streaming" | "complete" | "stopped" | "interrupted" | "failed";

export type Message = {
  id: string;
  role: Role;
  /** null: only its sources are known so far. */
  content: string | null;
  createdAt: Time;
  status: Status;
  /** A code, when it failed. */
  failure: string | null;
  /** null while it is on the path that is shown; else what stands there instead of it. */
  replacedBy: string | null;
  /** The message before it; null of a first one. */
  parentId: string | null;
  lowConfidence: boolean | null;
  docRefs: Texts;
  ragSourceIds: Texts;
  webSourceIds: Texts;
  /** sha256: of content and sources in a fixed form. */
  digest: string | null;
  imageSource: ImageSource;
  /** Of assistants' messages only, by chunkNumber. */
  sources?: Sources;
  /** Of assistants' messages only: what each judge found, the newest record of each. */
  verdicts?: Verdicts;
  unknownNumbers?: UnknownNumbers;
  /** Of a question that was limited; else it is left out. */
  scope?: Scope;
  /** What its reader said of an answer, by number; left out when there is nothing. */
  feedback?: FeedbackList;
};

/** Of assistants' messages only: numbers in the text that no source has, ascending. */
export type UnknownNumbers = Array<number>;

export type FileFeedback = {
  number?: number | null;
  rating: Rating;
  note?: string | null;
  createdAt: Time;
};

export type FileVerdict = {
  judge: string;
  createdAt: Time;
  /** Of the record and the message; a record without it does not count. */
  digest?: string;
  /** As they are stored. */
  sentences: Array<Array<number>>;
};

export type VerifyAsked = {
  text: string;
  sources: Array<SourceInput>;
};

export type Verified = {
  verdicts: Verdicts;
  unknownNumbers: UnknownNumbers;
};

export type Verdicts = Array<Verdict>;

export type Verdict = {
  /** text: a measure of words. Else a model's name. */
  judge: string;
  carried: number;
  of: number;
  sentences: Array<SentenceVerdict>;
};

export type FeedbackList = Array<Feedback>;

export type Rating = "good" | "bad" | "not_true" | "wrong_source" | "not_asked" | "missing";

export type Feedback = {
  /** The n of [n]; null: the whole answer. */
  number: number | null;
  rating: Rating;
  note: string | null;
  createdAt: Time;
};

export type FeedbackInput = {
  rating: Rating;
  /** The n of [n]; left out: the whole answer. */
  number?: number | null;
  /** At most 1000 bytes. */
  note?: string;
};

export type SentenceVerdict = {
  /** Of the text, in UTF-16 units. */
  start: number;
  end: number;
  verdict: "carried" | "partly" | "not_found" | "contradicts" | "no_source";
  /** The n of [n]. With no_source, a source that carries the sentence all the same. */
  number: number | null;
  support?: number;
  reason?: "words" | "number" | "name" | "apart" | "denies" | "dropped" | "opposite" | "clash" | "unknown_number";
  /** Of the text: what the reason is about. */
  word?: Span;
  /** Of the text: what a sentence that is partly carried has and its source has not. */
  missing?: Array<Span>;
  /** Of the source's contentPreview: the sentence that carries most. */
  span?: Span;
};

export type Span = Array<number>;

export type MessageInput = {
  id?: Id;
  /** The message before it; the last one that is shown when it is left out; "": none. */
  parentId?: string;
  role: Role;
  /** Needed unless status is streaming; a question at most 64 KB. */
  content?: string;
  /** Of assistants' messages only. */
  sources?: SourceInputs;
  docRefs?: Texts;
  imageSource?: ImageSourceInput;
  ragSourceIds?: Texts;
  webSourceIds?: Texts;
  lowConfidence?: boolean | null;
  status?: Status;
  createdAt?: Time;
  /** Of a session that this call makes; 409 when it is in another. */
  courseId?: Id;
  courseShare?: CourseShare;
  /** As it was read; 400 when this message has another. */
  digest?: string | null;
  /** As it was read. */
  failure?: string | null;
  /** As it was read. */
  replacedBy?: string | null;
};

/** What everybody may do in a course that is made because courseId names it; else what --course-share says. A course that is there stays as it is. */
export type CourseShare = "none" | "reader" | "editor";

export type MessageChange = {
  append?: string;
  status?: Status;
  lowConfidence?: boolean | null;
};

export type MessageList = {
  messages: Array<Message>;
  nextCursor: Next;
};

/** as=ui: what useChat of the AI SDK takes as its messages. The running answer is left out. */
export type UiMessages = {
  id: string;
  messages: Array<{
    id: string;
    role: Role;
    metadata: {
      /** The ids of all messages that have its parent, by age, itself among them; left out when there is no other. */
      versions?: Texts;
      [more: string]: unknown;
    };
    parts: Array<{
      type: string;
      [more: string]: unknown;
    }>;
  }>;
  nextCursor?: Next;
};

/** as=rows: a bare list in snake_case. */
export type Rows = Array<{
  id: string;
  role: Role;
  content: string | null;
  created_at: Time;
  /** null for users. */
  sources: Array<SourceRow> | null;
  doc_refs: Texts;
  /** Left out when it has no page picture. */
  image_source?: {
    s3key?: string;
    slide_id?: string | null;
    page_number?: number | null;
  };
}>;

/** as=state: messages as the state of a graph, in snake_case. */
export type State = {
  messages: Array<{
    type: "human" | "ai" | "system";
    content: string | null;
    id: string;
    doc_refs: Texts;
    rag_source_ids: Texts;
    web_source_ids: Texts;
    image_source: {
      s3key?: string;
      slide_id?: string | null;
      page_number?: number | null;
      url?: string | null;
    } | null;
    timestamp: Time;
  }>;
  nextCursor?: Next;
};

export type Session = {
  id: string;
  courseId: string | null;
  /** Untitled: the first question, cut at 80 characters. */
  title: string | null;
  status: "idle" | "running";
  createdAt: Time;
  updatedAt: Time;
  /** Where the words were found; with q only. */
  match?: {
    /** null: the title. */
    messageId: string | null;
    where: "title" | "question" | "answer" | "quote";
    snippet: string | null;
  };
  /** Of GET /api/sessions/{id} only. */
  history?: Array<{
    id: string;
    role: Role;
    content: string | null;
    createdAt: Time;
    /** null for users. */
    citations: Array<Source> | null;
    lowConfidence: boolean | null;
    /** Left out when it has no page picture. */
    imageSource?: ImageSource;
  }>;
};

export type SessionInput = {
  id?: string | null;
  /** An unknown one is made, and is yours. */
  courseId?: string | null;
  courseShare?: CourseShare;
  title?: string | null;
  /** Of a session that was made elsewhere: from 1970 to a day from now. */
  createdAt?: Time;
  /** As it was read; not looked at. */
  updatedAt?: string;
  /** As it was read; not looked at. */
  status?: string;
};

export type SessionChange = {
  courseId?: Id;
  courseShare?: CourseShare;
  title?: string;
  /** A message of it: the path through that is shown from now on, with what followed it. */
  shown?: Id;
};

/** A whole session. Fields without a value are left out. */
export type SessionFile = {
  footnote: "session";
  /** Of this form: 1. */
  version: number;
  id: Id;
  /** Whose it was; not looked at. */
  userId?: string | null;
  title?: string | null;
  /** An unknown one is made, and is yours. */
  courseId?: string | null;
  /** Of a course that is made. */
  courseTitle?: string | null;
  createdAt: Time;
  updatedAt: Time;
  /** By age. */
  messages: Array<MessageFile>;
  retrievals?: Array<RetrievalFile>;
};

export type MessageFile = {
  id: Id;
  /** A message before it in the list; left out: it begins the session. */
  parentId?: string;
  /** left: shown again when its branch is. */
  shown: "yes" | "no" | "left";
  role: Role;
  status: "complete" | "stopped" | "interrupted" | "failed";
  createdAt: Time;
  /** Left out while only its sources are known. */
  content?: string;
  /** Of content and sources as they stand here; when it is given it has to fit. */
  digest?: string;
  lowConfidence?: boolean | null;
  model?: string | null;
  failure?: string | null;
  tokensIn?: number | null;
  tokensOut?: number | null;
  /** Number of the first source that came after text had begun. */
  lateFrom?: number | null;
  docRefs?: Texts;
  ragSourceIds?: Texts;
  webSourceIds?: Texts;
  imageSource?: ImageSourceInput;
  /** What a question was limited to. */
  scope?: Scope;
  /** With cited, support and spans as they were; those of a question are lent to its answers. */
  sources?: SourceInputs;
  /** Of answers: a record for each judge. A request's are judged again. */
  verdicts?: Array<FileVerdict>;
  feedback?: Array<FileFeedback>;
};

export type RetrievalFile = {
  id: Id;
  userMessageId: Id;
  answerId?: string | null;
  kind: "rag" | "web";
  query: string;
  createdAt: Time;
  lowConfidence?: boolean | null;
  /** Of the answer's sources, or of the question's. */
  numbers: Array<number>;
  coverage?: Array<number> | null;
};

export type SessionList = {
  sessions: Array<Session>;
  nextCursor: Next;
};

export type ReferenceList = {
  references: Array<{
    documentId: string | null;
    docRef: string | null;
    title: string | null;
    /** Answers that it was given to. */
    count: number;
    /** Answers that cite it. */
    cited: number;
  }>;
  nextCursor: Next;
};

export type ImageList = {
  images: Array<{
    messageId: string;
    s3key: string;
    slideId: string | null;
    pageNumber: number | null;
    url: string | null;
    expiresAt: string | null;
  }>;
  nextCursor: Next;
};

/** A picture of a page. Its s3key means this picture for ever, to whoever brought it. */
export type Snapshot = {
  s3key: string;
  slideId: string;
  pageNumber: number;
};

/** A page of a PDF that is kept here. */
export type SnapshotInput = {
  slideId?: Id;
  documentId?: Id;
  pageNumber: number;
};

export type MessageIds = {
  messageIds: Texts;
};

/** Every id that was asked for; an empty list when it is unknown. */
export type SourcesByMessage = Record<string, Sources>;

export type AddSources = {
  sources: SourceInputs;
  /** When the message is not kept here: it is made in this session, without content. */
  sessionId?: string | null;
};

export type Retrieval = {
  id: string;
  userMessageId: string | null;
  /** null for those that you bring. */
  answerId: string | null;
  kind: "rag" | "web";
  query: string | null;
  lowConfidence: boolean | null;
  /** Share of the question that each source has, 0 to 1; null for those that you bring. */
  coverage: Array<number> | null;
  createdAt: Time;
  sources: Sources;
};

export type RetrievalInput = {
  userMessageId: Id;
  query: string;
  sources?: SourceInputs;
  /** The same as sources, for older clients; one of the two. */
  citations?: unknown;
  lowConfidence?: boolean | null;
};

export type RetrievalList = {
  retrievals: Array<Retrieval>;
  nextCursor: Next;
};

export type Course = {
  id: string;
  /** Its editors see what is asked in it, without names. */
  insights: boolean;
  title: string | null;
  description: string | null;
  ownerId: string | null;
  /** Yours. */
  role: "owner" | "editor" | "reader" | null;
  createdAt: Time;
  /** Since when it is kept aside. */
  archivedAt: string | null;
  /** Of a course that is read, where there is an embedder: how many passages can be found by their meaning already. */
  meaning?: {
    passages: number;
    vectors: number;
  };
};

export type InsightsSwitch = {
  on: boolean;
};

/** While they are off, nothing but that. */
export type Insights = {
  courseId: string;
  on: boolean;
  from?: Time;
  questions?: number;
  foundNothing?: number;
  markedWrong?: number;
  /** Answers with a sentence that its source does not carry. */
  notCarried?: number;
  /** Answers with a sentence of which the source says otherwise. */
  contradicting?: number;
  /** So many have asked alike before a question is told. */
  peopleAtLeast?: number;
  weeks?: Array<{
    from: Time;
    questions: number;
    foundNothing: number;
  }>;
  nothing?: AskedAlike;
  wrong?: AskedAlike;
  /** Documents that are not any more as answers cite them. */
  resting?: Array<{
    documentId: string;
    title: string | null;
    state: "changed" | "deleted" | "redacted";
    answers: number;
  }>;
};

export type AskedAlike = {
  groups: Array<{
    question: string;
    rating?: Rating;
    asked: number;
    ways: Texts;
    last: Time;
  }>;
  /** Questions that too few have asked. */
  untold: number;
};

export type CourseInput = {
  id?: string | null;
  title: string;
};

export type CourseChange = {
  title?: string;
  /** Empty: none. */
  description?: string;
  archived?: boolean;
};

export type CourseList = {
  courses: Array<Course>;
  nextCursor: Next;
};

export type Member = {
  /** * is everybody in the tenant. */
  userId: string;
  role: "owner" | "editor" | "reader";
  /** oidc: by a group of a provider; replaced when they sign in again. */
  origin: "hand" | "oidc";
};

export type MemberInput = {
  role: "reader" | "editor";
};

export type MemberList = {
  members: Array<Member>;
  nextCursor: Next;
};

export type DocumentKind = "slides" | "lecture" | "journal" | "page" | "text";

export type DocumentStatus = "queued" | "indexing" | "ready" | "failed";

export type Document = {
  id: Id;
  courseId: Id;
  kind: DocumentKind;
  title: string | null;
  /** Of a journal entry. */
  date: string | null;
  /** Of a page. */
  url: string | null;
  filename: string | null;
  mediaType: string | null;
  bytes: number | null;
  pages: number | null;
  /** Of the pages of a PDF, once it was read: slides are wide, papers tall. */
  layout: "wide" | "tall" | null;
  /** What is printed on the pages of a PDF, where it says so and it is not their count. */
  pageLabels: Array<PageLabels> | null;
  durationSeconds: number | null;
  language: string | null;
  /** That the text was read in, as "utf-8" or "windows-1251", once it was read; null for files that are not text. */
  encoding: string | null;
  /** It has a recording. */
  hasMedia: boolean;
  version: number;
  /** What search sees; null: none is ready. */
  searchableVersion: number | null;
  status: DocumentStatus;
  progress: {
    done: number;
    total: number | null;
    unit: "pages" | "seconds" | "bytes";
  } | null;
  /** Why it failed, for a person. */
  error: string | null;
  /** Why it failed, for a program. */
  errorCode: "empty" | "no_text" | "scanned" | "unknown_kind" | "not_text" | "no_transcript" | "no_cues" | "password" | "encrypted" | "no_copying" | "damaged" | "harmful" | "unpacks_too_large" | "too_large" | "too_much_text" | "too_many_parts" | "too_many_pages" | "too_slow" | "too_much_memory" | "bad_address" | "address_login" | "address_port" | "not_public" | "no_host" | "no_page" | "login_needed" | "page_refused" | "no_answer" | "not_a_page" | "redirects" | "no_file" | "file_changed" | "gave_up" | "unreadable" | "server_error" | null;
  /** What could not be read of it, for a person. */
  warning: string | null;
  createdAt: Time;
  /** When the version came whose file is told. */
  changedAt: Time;
  /** In the library alone: answers that cite it, all for owner and editors of its course, else your own. */
  citedBy?: number;
};

/** From this page on, to the next of them: the prefix, and a number that counts on. */
export type PageLabels = {
  page: number;
  /** How the number is written, as in HTML; null: there is none. */
  style: "1" | "i" | "I" | "a" | "A" | null;
  prefix: string;
  /** The number of that page. */
  first: number;
};

export type DocumentList = {
  documents: Array<Document>;
  nextCursor: Next;
};

export type Outline = {
  documentId: string;
  headings: Array<{
    heading: string;
    page: number | null;
    startSeconds: number | null;
  }>;
};

export type DocumentChange = {
  title?: string;
  /** Where it is moved to. */
  courseId?: Id;
};

export type Library = {
  documents: Array<Document>;
  /** On all pages. */
  found: number;
  /** Every course that you may read, and how many documents it has. */
  courses: Array<{
    courseId: string;
    documents: number;
  }>;
  nextCursor: Next;
};

/** journal has date, title and text; page has url; text has title and text. */
export type DocumentInput = {
  id?: Id;
  kind: "journal" | "page" | "text";
  date?: string;
  title?: string;
  text?: string;
  url?: string;
};

export type DocumentVersionInput = {
  /** As it is. */
  kind?: "journal" | "page" | "text";
  date?: string;
  title?: string;
  text?: string;
  url?: string;
};

export type CitationList = {
  citations: Array<{
    sessionId: Id;
    messageId: Id;
    chunkNumber: number;
    cited: boolean;
    createdAt: Time;
  }>;
  nextCursor: Next;
};

export type ImpactCounts = {
  answers: number;
  /** Of these, answers whose text cites it. */
  cited: number;
};

export type Impact = {
  documentId: Id;
  courseId: Id;
  title: string | null;
  version: number;
  sessions: number;
  ifDeleted: ImpactCounts;
  ifReplaced: ImpactCounts;
  /** False when there are over 100 000 references: the counts are at least so many. */
  complete: boolean;
  /** Those of the asker, newest sessions first. */
  answers: Array<{
    sessionId: Id;
    messageId: Id;
    cited: boolean;
    ifDeleted: boolean;
    ifReplaced: boolean;
  }>;
  /** The asker has more. */
  more: boolean;
};

export type DocumentCount = {
  documentId: Id;
  title: string | null;
  count: number;
};

export type CourseStats = {
  mostCited: Array<DocumentCount>;
  neverCited: Array<DocumentCount>;
  perDay: Array<{
    date: string;
    count: number;
  }>;
  verdicts: {
    /** Shown, citing a document of the course, and judged. */
    answers: number;
    /** Of these: with a sentence that is contradicted or not found. */
    unsupported: number;
    sentences: number;
    carried: number;
  };
};

export type Transcript = {
  cues: Array<{
    start: number;
    end: number;
    text: string;
    speaker: string | null;
  }>;
};

export type Page = {
  text: string;
  width: number;
  height: number;
  words: Array<{
    t: string;
    x: number;
    y: number;
    w: number;
    h: number;
  }>;
  /** Those that begin on the page, as contentPreview of a source has them. */
  passages: Array<{
    text: string;
    /** One for each of its words on the page; empty when they are not known. */
    boxes: Array<{
      x: number;
      y: number;
      w: number;
      h: number;
    }>;
  }>;
};

export type MarksAsked = {
  /** At most 64 kB. */
  passage: string;
  /** What an answer says before a number; or, where it has a verdict, its span: start and end in the passage, in UTF-16 units. */
  claims?: Array<string | Array<number>>;
  documentId?: Id;
  courseId?: Id;
  /** The newest when it is left out. */
  version?: number;
  /** Where the passage is said to be; the three pages on either side are looked at, too. */
  page?: number;
  /** The same in a recording. */
  startSeconds?: number;
  endSeconds?: number;
};

/** One for the words on each line. Points from the upper left corner. */
export type Boxes = Array<{
  x: number;
  y: number;
  w: number;
  h: number;
}>;

/** Start and end of each piece, in UTF-16 units. */
export type Spans = Array<Array<number>>;

export type Marks = {
  claims: Array<{
    /** The words are the claim's own. */
    exact: boolean;
    /** In the passage; empty when nothing carries the claim. */
    spans: Spans;
    /** That has most of these words. */
    page?: number;
    /** When they begin to be said. */
    startSeconds?: number;
    endSeconds?: number;
  }>;
  /** Those with words of the passage; empty when it was not found. */
  pages?: Array<{
    page: number;
    width: number;
    height: number;
    passage: Boxes;
    claims: Array<Boxes>;
  }>;
  /** Those of the transcript with words of the passage. */
  lines?: Array<{
    /** Its place among the cues, from 0. */
    line: number;
    passage: Spans;
    claims: Array<Spans>;
  }>;
};

/** A source without a number, with its score. */
export type Hit = {
  sourceId: string;
  sourceType: SourceType;
  contentPreview: string;
  documentId?: string | null;
  slideNumber?: number | null;
  lectureId?: string | null;
  startSeconds?: number | null;
  endSeconds?: number | null;
  courseId?: string | null;
  title?: string | null;
  url?: string | null;
  date?: string | null;
  part?: number | null;
  /** Where in a text without pages: Prices!B2:D9, cell 7, lines 10–20, chapter 3, message 2, or a heading. */
  locator?: string | null;
  /** 1 for the best of them. */
  score: number;
  [more: string]: unknown;
};

export type Hits = {
  hits: Array<Hit>;
  /** What was asked for is probably not there. */
  lowConfidence: boolean;
  /** Documents that are ready were not searched: they are still being indexed. */
  indexing: boolean;
  /** No document that can be searched lies in what the search was limited to. */
  scopeEmpty: boolean;
  /** What the server is to ask and did not answer in time: the order is the one without it. */
  unavailable?: Array<"embedder" | "reranker">;
  /** Words that no document has, each with the word that was searched for instead. */
  repaired: Array<{
    typed: string;
    used: string;
  }>;
};

export type Version = {
  version: string;
  git: string;
  /** Of the database: number of the newest migration. */
  schema: number;
  api: 1;
};

export type Health = {
  status: "ok" | "ready";
  checks?: Record<string, string>;
  /** Of readyz: whether anything new is taken. */
  writable?: boolean;
  /** When it is not. */
  why?: string;
  /** Of readyz?full, as are the next: its size, and why it cannot be written. */
  database?: Record<string, unknown>;
  disk?: Record<string, unknown>;
  /** What the last call of a model came to. */
  model?: Record<string, unknown> | null;
  /** What its last calls came to, and how many passages have a vector. */
  embedder?: Record<string, unknown> | null;
  reranker?: Record<string, unknown> | null;
  /** Seconds since the last one, if one is known. */
  backup?: Record<string, unknown>;
};

/** What a question is limited to, at least one of these; what is left out does not limit. A document without a date lies in no span of days. */
export type Scope = {
  courseId?: string | null;
  /** All of one course. */
  documentIds?: Array<Id>;
  kinds?: Array<"slides" | "lecture" | "journal" | "page" | "text">;
  dateFrom?: Day;
  dateTo?: Day;
  /** What is searched of the document came then, or later. A day alone begins at midnight of UTC. */
  changedSince?: Time;
};

export type Day = string;

/** What the AI SDK sends, and more. id is the session; one of messages and message is needed. */
export type ChatInput = {
  id: Id;
  messages: Array<UiInput>;
  message?: UiInput;
  trigger?: "submit-message" | "regenerate-message";
  messageId?: Id;
  /** What a new question follows; the last message that is shown when it is left out. */
  parentId?: Id;
  courseId?: Id;
  snapshot?: ImageSourceInput;
  scope?: Scope;
  documentId?: Id;
  lectureId?: Id;
  model?: Id;
  limit?: number;
};

export type UiInput = {
  id?: Id;
  role: "user" | "assistant";
  parts: Array<{
    type: "text";
    text: string;
  }>;
};

export type QueryInput = {
  query: string;
  top_k?: number;
  provider?: string;
  model?: string;
  thread_id?: string;
  course_id?: Id;
  scope?: Scope;
  message_history?: Array<Record<string, unknown>>;
};

export type QueryAnswer = {
  response: string;
  docs: Array<{
    entry: {
      id: string | null;
      date: string | null;
      title: string | null;
      text: string | null;
      embedding: null;
    };
    distance: null;
  }>;
  thread_id: string | null;
  message_id: string | null;
};

export type CompletionInput = {
  model: string;
  messages: Array<{
    role: "system" | "user" | "assistant";
    content: string;
  }>;
  stream?: boolean;
  stream_options?: {
    include_usage?: boolean;
  };
  metadata?: {
    session_id?: string;
  };
  scope?: Scope;
};

export type Completion = {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: Array<Record<string, unknown>>;
  usage: Record<string, unknown>;
};

export type ModelEntry = {
  id: string;
  object: "model";
  created: number;
  owned_by: string;
};
