// What the server says of a source: which of its words carry the claims, and
// where they stand.  Answers are cached; a failed request is not.
import { claimsOf, type CitedMessage, type Marks, type MarksAsked, type Source } from '@footnote/client';
import { client } from './api.ts';
import { cached, type Version } from './documents.ts';
import { useLoaded } from './loaded.ts';
import { sentenceOf, type Said } from './verdicts.ts';

const CLAIMS_MAX = 16;
const marks = new Map<string, Promise<Marks>>();

/** What stands behind a marker: the words of the source that were found to carry its
 *  sentence, or where nothing is known of that, what the answer says there. */
type Claim = string | [start: number, end: number];
/** The claims of an answer that cite a source; `at` is the one that is open. */
export interface Claims { all: Claim[]; at: number }
export const NO_CLAIMS: Claims = { all: [], at: 0 };

/** The words of a source that carry the sentence of its nth marker.  Of several sources
 *  that a sentence cites only the best is known. */
function carriedBy(message: CitedMessage, source: Source, nth: number): [number, number] | null {
  const said = sentenceOf(message, source, nth);
  if (said?.number !== source.chunkNumber) return null;
  if (said.verdict === 'not_found') return [0, 0];
  return said.span ? [said.span[0]!, said.span[1]!] : null;
}

/** Of a sentence that names no source: what carries it all the same. */
export const claimOfVerdict = (said: Said | null): Claims =>
  (said?.span ? { all: [[said.span[0]!, said.span[1]!]], at: 0 } : NO_CLAIMS);

export function claimsIn(message: CitedMessage, source: Source, at = 0): Claims {
  const all = claimsOf(message.content, message.sources ?? [], source).slice(0, CLAIMS_MAX)
    .map((text, i): Claim => carriedBy(message, source, i) ?? text);
  return { all, at: at < all.length ? at : 0 };
}

function useAsked(asked: MarksAsked | null) {
  const key = asked && JSON.stringify(asked);
  return useLoaded(key, () => cached(marks, key!, () => client.findMarks(asked!)));
}

/** Of the open claim, in the passage alone. */
export function useClaimSpans(source: Source, { all, at }: Claims): Array<[number, number]> {
  const claim = all[at];
  const isKnown = claim === undefined || typeof claim !== 'string';
  const asked = useAsked(source.contentPreview && !isKnown ? { passage: source.contentPreview, claims: [claim] } : null);
  if (!isKnown) return asked.value?.claims[0]?.spans ?? [];
  return claim?.[1] ? [claim] : [];
}

/** Also in the document; null when it is not available. */
export const useMarks = (source: Source, { all }: Claims, documentId: string | null, version: Version) =>
  useAsked(source.contentPreview && documentId ? {
    passage: source.contentPreview, claims: all, documentId, courseId: source.courseId ?? undefined,
    version: version ?? undefined, page: source.slideNumber ?? undefined,
    startSeconds: source.startSeconds ?? undefined, endSeconds: source.endSeconds ?? undefined,
  } : null);
