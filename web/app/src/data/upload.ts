// One document that is being added: its phases, its progress, and which files
// belong together.
import type { DocumentInfo, DocumentInput, FileInput } from '@footnote/client';

export interface Upload {
  key: number;
  courseId: string;
  name: string;
  /** Null for a document that the server already had when the page was loaded. */
  input: FileInput | DocumentInput | null;
  /** uploading: bytes are sent.  waiting, reading: the server has them. */
  phase: 'uploading' | 'waiting' | 'reading' | 'ready' | 'failed';
  sent: number;
  total: number;
  document: DocumentInfo | null;
  /** The document of which this is a new version. */
  replaces: string | null;
  /** What went wrong on the way; what went wrong in reading is the document's. */
  error: unknown;
  /** Milliseconds since 1970; 0 until the server begins to read. */
  readingSince: number;
}

export const isFinished = ({ phase }: Upload) => phase === 'ready' || phase === 'failed';

/** From 0 to 1, of its phase. */
export function progressOf({ phase, sent, total, document }: Upload): number {
  if (phase === 'ready') return 1;
  if (phase === 'uploading') return total ? sent / total : 0;
  return document?.progress?.total ? document.progress.done / document.progress.total : 0;
}

const stem = ({ name }: File) => name.replace(/\.[^.]*$/, '').toLowerCase();
const isTranscript = ({ name }: File) => /\.(?:vtt|srt)$/i.test(name);
const isRecording = ({ name, type }: File) =>
  /^(?:video|audio)\//.test(type) || /\.(?:mp4|m4v|mov|webm|mkv|mp3|m4a|wav|ogg)$/i.test(name);

/** One input for each document: a transcript and the recording of the same name
 *  are one. */
export function inputsOf(files: File[]): FileInput[] {
  const recordingOf = (file: File) => (isTranscript(file)
    ? files.find((other) => isRecording(other) && stem(other) === stem(file)) : undefined);
  const paired = new Set(files.map(recordingOf));
  return files.filter((file) => !paired.has(file)).map((file) => {
    const media = recordingOf(file);
    return { file, filename: file.name, ...(media && { media }) };
  });
}
