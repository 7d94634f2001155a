// Documents on their way in.  Two phases that people can tell apart: the bytes
// go up, then the server reads them.
import { createClient, type DocumentInfo, type DocumentInput, type FileInput } from '@footnote/client';
import { client } from './api.ts';
import { createStore } from './store.ts';

export interface Upload {
  key: number;
  courseId: string;
  name: string;
  input: FileInput | DocumentInput;
  phase: 'uploading' | 'waiting' | 'reading' | 'ready' | 'failed';
  sent: number;
  total: number;
  document: DocumentInfo | null;
  error: string | null;
  readingSince: number;
}
const CONCURRENT_MAX = 3;
const WAIT_SECONDS = 30;

/** With the browser's own fetch, so that it can tell how much has gone. */
const uploader = createClient();

export const uploads = createStore<Upload[]>([]);
let lastKey = 0;

const updateUpload = (key: number, part: Partial<Upload>) =>
  uploads.set((now) => now.map((u) => (u.key === key ? { ...u, ...part } : u)));

/** Follows a document until it is read; also one that another page brought. */
async function watchDocument(key: number, document: DocumentInfo) {
  let now = document;
  for (;;) {
    if (now.status === 'ready') return updateUpload(key, { phase: 'ready', document: now });
    if (now.status === 'failed')
      return updateUpload(key, { phase: 'failed', document: now, error: now.error });
    updateUpload(key, { phase: now.status === 'queued' ? 'waiting' : 'reading', document: now,
      ...(now.status === 'indexing' && !uploads.get().find((u) => u.key === key)?.readingSince
        ? { readingSince: Date.now() } : {}) });
    const started = Date.now();
    // Short waits while it reads, so that its progress is seen to move.
    now = await client.getDocument(now.id, { wait: now.status === 'indexing' ? 1 : WAIT_SECONDS });
    if (Date.now() - started < 300) await new Promise((r) => setTimeout(r, 700));
  }
}

async function startUpload(upload: Upload) {
  const { key } = upload;
  try {
    updateUpload(key, { phase: 'uploading', sent: 0, error: null });
    const document = await uploader.createDocument(upload.courseId, upload.input,
      { onProgress: (sent, total) => updateUpload(key, { sent, total }) });
    void startWaitingUploads();
    await watchDocument(key, document);
  } catch (e) {
    updateUpload(key, { phase: 'failed', error: (e as Error).message });
    void startWaitingUploads();
  }
}

const started = new Set<number>();
function startWaitingUploads() {
  const list = uploads.get();
  const busy = list.filter((u) => u.phase === 'uploading' && started.has(u.key)).length;
  for (const u of list.filter((x) => x.phase === 'uploading' && !started.has(x.key)).slice(0, CONCURRENT_MAX - busy)) {
    started.add(u.key);
    void startUpload(u);
  }
}

function addUploads(courseId: string, list: Array<Pick<Upload, 'name' | 'input' | 'total'>>) {
  uploads.set((now) => [...now, ...list.map((one): Upload => ({
    ...one, key: ++lastKey, courseId, phase: 'uploading', sent: 0, document: null, error: null, readingSince: 0,
  }))]);
  startWaitingUploads();
}

const stem = ({ name }: File) => name.replace(/\.[^.]*$/, '').toLowerCase();
const isTranscript = ({ name }: File) => /\.(?:vtt|srt)$/i.test(name);
const isRecording = ({ name, type }: File) =>
  /^(?:video|audio)\//.test(type) || /\.(?:mp4|m4v|mov|webm|mkv|mp3|m4a|wav|ogg)$/i.test(name);

/** A recording goes with the transcript of the same name: they are one. */
export function addFiles(courseId: string, files: Iterable<File>) {
  const all = [...files];
  const recordingOf = (file: File) => (isTranscript(file)
    ? all.find((other) => isRecording(other) && stem(other) === stem(file)) : undefined);
  const taken = new Set(all.map(recordingOf));
  addUploads(courseId, all.filter((file) => !taken.has(file)).map((file) => {
    const media = recordingOf(file);
    return { name: file.name, total: file.size + (media?.size ?? 0),
      input: { file, filename: file.name, ...(media && { media }) } };
  }));
}

export const addPage = (courseId: string, url: string) =>
  addUploads(courseId, [{ name: url, total: 0, input: { kind: 'page', url } }]);

export function retryUpload(key: number) {
  started.delete(key);
  updateUpload(key, { phase: 'uploading', error: null, sent: 0 });
  startWaitingUploads();
}

/** What is done goes from the list; what runs stays. */
export const clearFinished = () =>
  uploads.set((now) => now.filter((u) => u.phase !== 'ready' && u.phase !== 'failed'));

/** Bytes while they go up, what the server says afterwards. */
export function progressOf(u: Upload): number {
  if (u.phase === 'ready') return 1;
  if (u.phase === 'uploading') return u.total ? u.sent / u.total : 0;
  const p = u.document?.progress;
  return p?.total ? p.done / p.total : 0;
}
