// Documents, their pages and transcripts.  Documents and pages are cached; a
// failed request is not.
import type { DocumentInfo, PageText } from '@footnote/client';
import { client } from './api.ts';
import { useLoaded } from './loaded.ts';

const documents = new Map<string, Promise<DocumentInfo>>();
const pages = new Map<string, Promise<PageText>>();
const CACHE_MAX = 64;

function cached<T>(map: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const hit = map.get(key);
  if (hit) return hit;
  const value = load();
  if (map.size >= CACHE_MAX) map.delete(map.keys().next().value!);
  map.set(key, value);
  value.catch(() => map.delete(key));
  return value;
}

export const useDocument = (id: string | null) =>
  useLoaded(id, () => cached(documents, id!, () => client.getDocument(id!)));
export const usePageText = (id: string | null, n: number) =>
  useLoaded(id && `${id}/${n}`, () => cached(pages, `${id}/${n}`, () => client.getPage(id!, n)));
export const useTranscript = (id: string | null) =>
  useLoaded(id, (signal) => client.getTranscript(id!, { signal }));
/** The content of a text file. */
export const useWholeText = (href: string | null) =>
  useLoaded(href, async (signal) => (await client.fetch(href!, { signal })).text());
