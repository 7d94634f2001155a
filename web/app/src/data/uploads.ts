// The documents that are being added: the bytes are sent, then the server reads
// them.
import { createClient, type DocumentInfo } from '@footnote/client';
import { client } from './api.ts';
import { createStore } from './store.ts';
import { inputsOf, isFinished, type Upload } from './upload.ts';

const CONCURRENT_MAX = 3;
const WAIT_SECONDS = 30;

/** Without a fetch of ours: progress needs XMLHttpRequest. */
const uploader = createClient();

export const uploads = createStore<Upload[]>([]);
let lastKey = 0;

const updateUpload = (key: number, part: Partial<Upload>) =>
  uploads.set((now) => now.map((u) => (u.key === key ? { ...u, ...part } : u)));

/** Updates the upload until its document is read or has failed. */
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
    // Short waits while it is read, so that the progress moves.
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

export const addFiles = (courseId: string, files: File[]) =>
  addUploads(courseId, inputsOf(files).map((input) => ({
    name: input.filename!, total: input.file.size + (input.media instanceof Blob ? input.media.size : 0), input,
  })));

export const addPage = (courseId: string, url: string) =>
  addUploads(courseId, [{ name: url, total: 0, input: { kind: 'page', url } }]);

export function retryUpload(key: number) {
  started.delete(key);
  updateUpload(key, { phase: 'uploading', error: null, sent: 0 });
  startWaitingUploads();
}

export const clearFinished = () =>
  uploads.set((now) => now.filter((u) => !isFinished(u)));
