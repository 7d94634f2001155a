// Documents, their pages and transcripts.  Documents and pages are cached; a
// failed request is not.
import type { DocumentInfo, PageText } from '@footnote/client';
import { client } from './api.ts';
import { useLoaded } from './loaded.ts';

const documents = new Map<string, Promise<DocumentInfo>>();
const pages = new Map<string, Promise<PageText>>();
const CACHE_MAX = 64;

export function cached<T>(map: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const hit = map.get(key);
  if (hit) return hit;
  const value = load();
  if (map.size >= CACHE_MAX) map.delete(map.keys().next().value!);
  map.set(key, value);
  value.catch(() => map.delete(key));
  return value;
}

/** What is newest may have changed: the next look asks again. */
export function forgetDocuments() {
  documents.clear();
  pages.clear();
}

/** A version of a document; null is the newest. */
export type Version = number | null;
const keyOf = (id: string | null, version: Version, n = 0) => id && `${id}/${version ?? ''}/${n}`;
const queryOf = (version: Version) => (version === null ? {} : { version });

export const loadDocument = (id: string, version: Version) =>
  cached(documents, keyOf(id, version)!, () => client.getDocument(id, queryOf(version)));
export const useDocument = (id: string | null, version: Version) =>
  useLoaded(keyOf(id, version), () => loadDocument(id!, version));
export function usePageText(id: string | null, n: number, version: Version) {
  const key = keyOf(id, version, n);
  return useLoaded(key, () => cached(pages, key!, () => client.getPage(id!, n, queryOf(version))));
}
export const useTranscript = (id: string | null, version: Version) =>
  useLoaded(keyOf(id, version), (signal) => client.getTranscript(id!, queryOf(version), { signal }));
/** The address of a file, a recording or a page of it. */
export const fileUrl = (id: string, path: string, version: Version) =>
  `/api/documents/${encodeURIComponent(id)}/${path}${version === null ? '' : `?version=${version}`}`;
/** The address of a page's picture; scale 2 has twice the dots each way. */
export const pictureUrl = (id: string, n: number, version: Version, scale: 1 | 2) => {
  const url = fileUrl(id, `pages/${n}.png`, version);
  return scale === 1 ? url : `${url}${version === null ? '?' : '&'}scale=${scale}`;
};
/** The content of a text file. */
export const useWholeText = (href: string | null) =>
  useLoaded(href, async (signal) => (await client.fetch(href!, { signal })).text());
