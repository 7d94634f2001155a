// Documents by id, asked for once; what is not there stays "not there" until
// the page is loaded again.
import type { DocumentInfo, PageText } from '@footnote/client';
import { client } from './api.ts';
import { useLoaded } from './loaded.ts';

const known = new Map<string, Promise<DocumentInfo>>();
const pages = new Map<string, Promise<PageText>>();
const PAGES_MAX = 64;

function once<T>(map: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const there = map.get(key);
  if (there) return there;
  const asked = ask();
  if (map.size >= PAGES_MAX) map.delete(map.keys().next().value!);
  map.set(key, asked);
  asked.catch(() => map.delete(key));
  return asked;
}

export const useDocument = (id: string | null) =>
  useLoaded(id, () => once(known, id!, () => client.getDocument(id!)));
export const usePageText = (id: string | null, n: number) =>
  useLoaded(id && `${id}/${n}`, () => once(pages, `${id}/${n}`, () => client.getPage(id!, n)));
export const useTranscript = (id: string | null) =>
  useLoaded(id, (signal) => client.getTranscript(id!, { signal }));
/** The text of a file that is text. */
export const useWholeText = (href: string | null) =>
  useLoaded(href, async (signal) => (await client.fetch(href!, { signal })).text());

export const forget = (id: string) => known.delete(id);
