// The documents that are being added: the bytes are sent, then the server reads
// them.  What it still reads is found again after a reload.
import { createClient, type DocumentInfo, type FileInput, type LibraryDocument } from '@footnote/client';
import { client, isNotFound } from './api.ts';
import { loadItem, saveItem } from './browser_storage.ts';
import { followReading, isFirstReading } from './reading.ts';
import { createStore } from './store.ts';
import { inputsOf, isFinished, type Upload } from './upload.ts';

const CONCURRENT_MAX = 3;
/** As many as are followed after a reload; the others are in their course. */
const FOUND_MAX = 20;

/** Without a fetch of ours: progress needs XMLHttpRequest. */
const uploader = createClient();

export const uploads = createStore<Upload[]>([]);
let lastKey = 0;
const aborters = new Map<number, AbortController>();

const uploadOf = (key: number) => uploads.get().find((u) => u.key === key);
const updateUpload = (key: number, part: Partial<Upload>) =>
  uploads.set((now) => now.map((u) => (u.key === key ? { ...u, ...part } : u)));
const removeUpload = (key: number) => uploads.set((now) => now.filter((u) => u.key !== key));

const PHASES = { queued: 'waiting', indexing: 'reading', ready: 'ready', failed: 'failed' } as const;

function showDocument(key: number, document: DocumentInfo) {
  const phase = PHASES[document.status];
  updateUpload(key, { phase, document,
    ...(phase === 'reading' && !uploadOf(key)?.readingSince && { readingSince: Date.now() }) });
}

function signalOf(key: number): AbortSignal {
  const controller = new AbortController();
  aborters.set(key, controller);
  return controller.signal;
}

/** Somebody else may have deleted what is being read. */
function uploadFailed(key: number, error: unknown) {
  if (uploadOf(key)?.document && isNotFound(error)) removeUpload(key);
  else updateUpload(key, { phase: 'failed', error });
}

async function startUpload({ key, courseId, input, replaces }: Upload) {
  const signal = signalOf(key);
  try {
    updateUpload(key, { phase: 'uploading', sent: 0, error: null });
    const options = { signal, onProgress: (sent: number, total: number) => updateUpload(key, { sent, total }) };
    const document = await (replaces ? uploader.replaceDocument(replaces, input!, options)
      : uploader.createDocument(courseId, input!, options));
    void startWaitingUploads();
    await followReading(document, (now) => showDocument(key, now), signal);
  } catch (e) {
    uploadFailed(key, e);
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

type NewUpload = Pick<Upload, 'name' | 'input' | 'total'> & Partial<Upload>;

function addToList(courseId: string, list: NewUpload[]): Upload[] {
  const added = list.map((one): Upload => ({
    key: ++lastKey, courseId, phase: 'uploading', sent: 0, document: null, error: null, readingSince: 0, replaces: null, ...one }));
  uploads.set((now) => [...now, ...added]);
  return added;
}

function addUploads(courseId: string, list: NewUpload[]) {
  addToList(courseId, list);
  saveCourses([...loadCourses(), courseId]);
  startWaitingUploads();
}

const uploadFor = (input: FileInput, replaces: string | null = null): NewUpload => ({
  name: input.filename!, total: input.file.size + (input.media instanceof Blob ? input.media.size : 0), input, replaces,
});

// ---- The same name ----------------------------------------------------------

/** A file of which the course has one with the same name. */
export interface SameName { courseId: string; input: FileInput; existing: LibraryDocument }
/** Those that somebody has to decide on. */
export const sameNames = createStore<SameName[]>([]);

const existingOf = async (courseId: string, input: FileInput) =>
  (await client.library({ courseId, filename: input.filename!, limit: 1 })).documents[0] ?? null;

/** Files whose name is new go at once; of the others one is asked. */
export async function addFiles(courseId: string, files: File[]) {
  const inputs = inputsOf(files);
  const held: SameName[] = [];
  for (let i = 0; i < inputs.length; i += CONCURRENT_MAX) {
    const some = inputs.slice(i, i + CONCURRENT_MAX);
    // Where this cannot be told, sending says why.
    const found = await Promise.all(some.map((input) => existingOf(courseId, input).catch(() => null)));
    addUploads(courseId, some.filter((_, k) => !found[k]).map((input) => uploadFor(input)));
    held.push(...some.flatMap((input, k) => (found[k] ? [{ courseId, input, existing: found[k] }] : [])));
  }
  if (held.length) sameNames.set((now) => [...now, ...held]);
}

/** A new version of what is there, or a document beside it. */
export const addSame = ({ courseId, input, existing }: SameName, how: 'version' | 'both') =>
  addUploads(courseId, [uploadFor(input, how === 'version' ? existing.id : null)]);

export const replaceWithFile = (of: DocumentInfo, file: File) =>
  addUploads(of.courseId, [uploadFor({ file, filename: file.name }, of.id)]);


export const addPage = (courseId: string, url: string) =>
  addUploads(courseId, [{ name: url, total: 0, input: { kind: 'page', url } }]);

export function retryUpload(key: number) {
  started.delete(key);
  updateUpload(key, { phase: 'uploading', error: null, sent: 0 });
  startWaitingUploads();
}

/** Stops the sending; what the server has already is deleted there, unless it
 *  is a new version of something that is kept. */
export async function cancelUpload({ key, document }: Upload) {
  if (document && !isFirstReading(document)) return;
  aborters.get(key)?.abort();
  removeUpload(key);
  startWaitingUploads();
  if (document) await client.deleteDocument(document.id);
}

// ---- After a reload ---------------------------------------------------------

/** The courses to which something was added and may still be read. */
function loadCourses(): string[] {
  try {
    const list: unknown = JSON.parse(loadItem('adding') ?? '[]');
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
const saveCourses = (ids: string[]) =>
  saveItem('adding', ids.length ? JSON.stringify([...new Set(ids)]) : null);

async function documentsBeingRead(courseId: string): Promise<DocumentInfo[]> {
  const lists = await Promise.all((['indexing', 'queued'] as const).map((status) =>
    client.listDocuments(courseId, { status, limit: FOUND_MAX })));
  return lists.flatMap(({ documents }) => documents).slice(0, FOUND_MAX);
}

async function findInCourse(courseId: string): Promise<boolean> {
  const found = await documentsBeingRead(courseId);
  const known = new Set(uploads.get().map((u) => u.document?.id));
  const added = addToList(courseId, found.filter(({ id }) => !known.has(id)).map((document) => (
    { name: document.title || document.filename || document.id, input: null, total: 0, document, phase: PHASES[document.status] })));
  for (const { key, document } of added)
    followReading(document!, (now) => showDocument(key, now), signalOf(key)).catch((e: unknown) => uploadFailed(key, e));
  return found.length > 0;
}

/** Shows again what is still being read of what was added before. */
export async function findUploads() {
  const ids = loadCourses();
  const busy = await Promise.all(ids.map((id) => findInCourse(id).catch(() => false)));
  saveCourses(ids.filter((_, i) => busy[i]));
}

export const clearFinished = () =>
  uploads.set((now) => now.filter((u) => !isFinished(u)));
