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

export type Me = {
  userId: string;
  tenant: string;
  admin: boolean;
  /** What let you in. */
  auth: "none" | "key" | "jwt" | "proxy";
};

/** One of the two. */
export type Login = {
  /** fn_... */
  key?: string;
  /** A JWT. */
  token?: string;
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
  meta: Record<string, unknown> | null;
  score: number | null;
  state: SourceState;
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
  /** The newer answer after an edit. */
  replacedBy: string | null;
  lowConfidence: boolean | null;
  docRefs: Texts;
  ragSourceIds: Texts;
  webSourceIds: Texts;
  /** sha256: of content and sources in a fixed form. */
  digest: string | null;
  imageSource: ImageSource;
  /** Of assistants' messages only, by chunkNumber. */
  sources?: Sources;
};

export type MessageInput = {
  id?: Id;
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
};

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
    metadata: Record<string, unknown>;
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
}>;

/** as=state: messages as the state of a graph, in snake_case. */
export type State = {
  messages: Array<{
    type: "human" | "ai" | "system";
    content: string | null;
    id: string;
    rag_source_ids: Texts;
    web_source_ids: Texts;
    image_source: {
      s3key?: string;
      slide_id?: string | null;
      page_number?: number | null;
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
  }>;
};

export type SessionInput = {
  id?: string | null;
  /** An unknown one is made, and is yours. */
  courseId?: string | null;
  title?: string | null;
};

export type SessionChange = {
  courseId?: Id;
  title?: string;
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
  title: string | null;
  ownerId: string | null;
  /** Yours. */
  role: "owner" | "editor" | "reader" | null;
  createdAt: Time;
};

export type CourseInput = {
  id?: string | null;
  title: string;
};

export type CourseChange = {
  title?: string;
};

export type CourseList = {
  courses: Array<Course>;
  nextCursor: Next;
};

export type Member = {
  /** * is everybody in the tenant. */
  userId: string;
  role: "owner" | "editor" | "reader";
};

export type MemberInput = {
  role: "reader" | "editor";
};

export type MemberList = {
  members: Array<Member>;
  nextCursor: Next;
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
};
