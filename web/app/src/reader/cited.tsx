// The asker's own answers that cite a document, those of the page first.
import { linkTo, locatorOf, type DocumentInfo, type Source } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { sessions } from '../data/sessions.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { useWords } from '../library/words/index.ts';
import { followLink } from '../router.ts';

export interface CitedPlace {
  sessionId: string;
  messageId: string;
  at: string;
  source: Source;
}
const ANSWERS_MAX = 100;

export const placeOf = ({ source }: CitedPlace) => source.slideNumber ?? (source.meta?.pageNumber as number | undefined) ?? source.startSeconds ?? 0;

/** Newest answers first; two calls, however many there are. */
async function load(of: DocumentInfo, signal: AbortSignal): Promise<CitedPlace[]> {
  const { citations } = await client.listCitations(of.id, { limit: 200 }, { signal });
  const cited = citations.filter((c) => c.cited).reverse();
  const ids = [...new Set(cited.map((c) => c.messageId))].slice(0, ANSWERS_MAX);
  if (!ids.length) return [];
  const sources = await client.sourcesByMessage(ids, { signal });
  return cited.flatMap((c) => {
    const source = (sources[c.messageId] as Source[] | undefined)?.find((s) => s.chunkNumber === c.chunkNumber);
    return source ? [{ sessionId: c.sessionId, messageId: c.messageId, at: c.createdAt, source }] : [];
  });
}
export const useCited = (of: DocumentInfo | null) =>
  useLoaded(of && `${of.id}/${of.version}`, (signal) => load(of!, signal)).value ?? [];

function Place({ of, quoted }: { of: CitedPlace; quoted: boolean }) {
  const { words, ago } = useLocale();
  const { w } = useWords();
  const title = useStore(sessions).list.find((s) => s.id === of.sessionId)?.title;
  const place = { sessionId: of.sessionId, messageId: of.messageId, n: of.source.chunkNumber };
  return (
    <li>
      <a href={linkTo(place)} onClick={(e) => followLink(e, place)}>
        <b dir="auto">{title ?? w('anAnswer')}</b>
        {quoted && of.source.contentPreview && <q dir="auto">{of.source.contentPreview.slice(0, 160)}</q>}
        <small><bdi className="cited-n">{of.source.chunkNumber}</bdi>{quoted ? ago(of.at) : locatorOf(of.source, words.labels)}</small>
      </a>
    </li>
  );
}

export function Cited({ list, at, shown }: { list: CitedPlace[]; at: number; shown: boolean }) {
  const { w, count } = useWords();
  if (!list.length) return null;
  const here = list.filter((c) => placeOf(c) === at);
  const elsewhere = list.filter((c) => placeOf(c) !== at);
  const answers = new Set(list.map((c) => c.messageId)).size;
  const part = (name: 'onThisPage' | 'elsewhere', places: CitedPlace[]) => places.length > 0 && (
    <>
      <h3>{w(name)}</h3>
      <ul className="plain">{places.map((c, i) => <Place key={i} of={c} quoted={name === 'onThisPage'} />)}</ul>
    </>
  );
  return (
    <aside className={shown ? 'cited-in shown' : 'cited-in'} aria-labelledby="cited-in">
      <h2 id="cited-in">{count('citedIn', answers)}</h2>
      {part('onThisPage', here)}
      {part('elsewhere', elsewhere)}
    </aside>
  );
}
