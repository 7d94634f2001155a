// Files on their way in.  Two phases that people can tell apart: the bytes go
// up, then the server reads them.
import { createClient, type DocumentInfo } from '@footnote/client';
import { client } from './api.ts';
import { createStore } from './store.ts';

export interface Upload {
  key: number;
  courseId: string;
  name: string;
  file: File;
  phase: 'uploading' | 'waiting' | 'reading' | 'ready' | 'failed';
  sent: number;
  total: number;
  document: DocumentInfo | null;
  error: string | null;
  readingSince: number;
}
const AT_ONCE = 3;
const WAIT_SECONDS = 30;

/** With the browser's own fetch, so that it can tell how much has gone. */
const uploader = createClient();

export const uploads = createStore<Upload[]>([]);
let last = 0;

const change = (key: number, part: Partial<Upload>) =>
  uploads.set((now) => now.map((u) => (u.key === key ? { ...u, ...part } : u)));

/** Follows a document until it is read; also one that another page brought. */
async function follow(key: number, document: DocumentInfo) {
  let now = document;
  for (;;) {
    if (now.status === 'ready') return change(key, { phase: 'ready', document: now });
    if (now.status === 'failed')
      return change(key, { phase: 'failed', document: now, error: now.error });
    change(key, { phase: now.status === 'queued' ? 'waiting' : 'reading', document: now,
      ...(now.status === 'indexing' && !uploads.get().find((u) => u.key === key)?.readingSince
        ? { readingSince: Date.now() } : {}) });
    const started = Date.now();
    // Short waits while it reads, so that its progress is seen to move.
    now = await client.getDocument(now.id, { wait: now.status === 'indexing' ? 1 : WAIT_SECONDS });
    if (Date.now() - started < 300) await new Promise((r) => setTimeout(r, 700));
  }
}

async function start(upload: Upload) {
  const { key } = upload;
  try {
    change(key, { phase: 'uploading', sent: 0, error: null });
    const document = await uploader.createDocument(upload.courseId,
      { file: upload.file, filename: upload.name },
      { onProgress: (sent, total) => change(key, { sent, total }) });
    void next();
    await follow(key, document);
  } catch (e) {
    change(key, { phase: 'failed', error: (e as Error).message });
    void next();
  }
}

const begun = new Set<number>();
function next() {
  const list = uploads.get();
  const busy = list.filter((u) => u.phase === 'uploading' && begun.has(u.key)).length;
  for (const u of list.filter((x) => x.phase === 'uploading' && !begun.has(x.key)).slice(0, AT_ONCE - busy)) {
    begun.add(u.key);
    void start(u);
  }
}

export function addFiles(courseId: string, files: Iterable<File>) {
  const added = [...files].map((file): Upload => ({
    key: ++last, courseId, name: file.name, file, phase: 'uploading',
    sent: 0, total: file.size, document: null, error: null, readingSince: 0,
  }));
  uploads.set((now) => [...now, ...added]);
  next();
}

export function again(key: number) {
  begun.delete(key);
  change(key, { phase: 'uploading', error: null, sent: 0 });
  next();
}

/** What is done goes from the list; what runs stays. */
export const clearDone = () =>
  uploads.set((now) => now.filter((u) => u.phase !== 'ready' && u.phase !== 'failed'));

/** Bytes while they go up, what the server says afterwards. */
export function partOf(u: Upload): number {
  if (u.phase === 'ready') return 1;
  if (u.phase === 'uploading') return u.total ? u.sent / u.total : 0;
  const p = u.document?.progress;
  return p?.total ? p.done / p.total : 0;
}
