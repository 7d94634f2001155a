// What the server says of a source: which of its words carry the claims, and
// where they stand.  Answers are cached; a failed request is not.
import { claimsOf, type CitedMessage, type Marks, type MarksAsked, type Source } from '@footnote/client';
import { client } from './api.ts';
import { cached, type Version } from './documents.ts';
import { useLoaded } from './loaded.ts';

const CLAIMS_MAX = 16;
const marks = new Map<string, Promise<Marks>>();

/** The claims of an answer that cite a source; `at` is the one that is open. */
export interface Claims { all: string[]; at: number }
export const NO_CLAIMS: Claims = { all: [], at: 0 };

export function claimsIn(message: CitedMessage, source: Source, at = 0): Claims {
  const all = claimsOf(message.content, message.sources ?? [], source).slice(0, CLAIMS_MAX);
  return { all, at: at < all.length ? at : 0 };
}

function useAsked(asked: MarksAsked | null) {
  const key = asked && JSON.stringify(asked);
  return useLoaded(key, () => cached(marks, key!, () => client.findMarks(asked!)));
}

/** In the passage alone. */
export const useClaimSpans = (source: Source, { all }: Claims) =>
  useAsked(source.contentPreview && all.length ? { passage: source.contentPreview, claims: all } : null);

/** Also in the document; null when it is not available. */
export const useMarks = (source: Source, { all }: Claims, documentId: string | null, version: Version) =>
  useAsked(source.contentPreview && documentId ? {
    passage: source.contentPreview, claims: all, documentId, courseId: source.courseId ?? undefined,
    version: version ?? undefined, page: source.slideNumber ?? undefined,
    startSeconds: source.startSeconds ?? undefined, endSeconds: source.endSeconds ?? undefined,
  } : null);
