// What a document is made of: its headings, or the pictures of its pages.
import { useState, type KeyboardEvent } from 'react';
import { pageLabelOf, readerLink, type DocumentInfo } from '@footnote/client';
import { client } from '../data/api.ts';
import { pictureUrl, type Version } from '../data/documents.ts';
import { useLoaded } from '../data/loaded.ts';
import { useLocale } from '../i18n/index.ts';
import { useWords } from '../library/words/index.ts';
import { followLink } from '../router.ts';

interface Props {
  of: DocumentInfo;
  version: Version;
  /** Where the reader is: a page, or a second. */
  at: number;
  /** Pages that the asker's answers cite. */
  cited: ReadonlyMap<number, number>;
}
interface Entry { heading: string; page: number | null; startSeconds: number | null }

const PAGES_MAX = 3000;
/** A heading stands behind those that it is under: "2 Numbers > 2.5 Missing values". */
const partsOf = (heading: string) => heading.split(' > ');

function minutes(seconds: number) {
  const s = Math.floor(seconds);
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}

function Ticks({ n }: { n: number }) {
  const { count } = useWords();
  if (!n) return null;
  return (
    <span className="ticks" title={count('citedBy', n)}>
      {Array.from({ length: Math.min(4, n) }, (_, i) => <i key={i} aria-hidden="true" />)}
      <span className="hidden-visually">{count('citedBy', n)}</span></span>
  );
}

function Headings({ list, of, version, at, cited }: Props & { list: Entry[] }) {
  const placeOf = (e: Entry) => e.page ?? e.startSeconds ?? 0;
  const here = list.findLastIndex((e) => placeOf(e) <= at);
  /** Cited places from this heading to the next; of several on a page, the first. */
  const citedIn = (i: number) => {
    const from = placeOf(list[i]!);
    const isFirst = i === 0 || placeOf(list[i - 1]!) < from;
    const next = i + 1 < list.length ? placeOf(list[i + 1]!) : Infinity;
    return [...cited].filter(([place]) => (isFirst ? place === from : false) || (place > from && place < next))
      .reduce((sum, [, n]) => sum + n, 0);
  };
  return (
    <ol className="plain outline">
      {list.map((e, i) => {
        const url = readerLink({ documentId: of.id, version, page: e.page, seconds: e.page ? null : e.startSeconds });
        return (
          <li key={i}>
            <a href={url} title={e.heading} className={partsOf(e.heading).length > 1 ? 'deeper' : undefined} aria-current={i === here ? 'location' : undefined}
              onClick={(click) => followLink(click, url)}>
              <span className="grow" dir="auto">{partsOf(e.heading).at(-1)}</span><Ticks n={citedIn(i)} />
              <bdi>{e.page ? pageLabelOf(of, e.page) ?? e.page : minutes(e.startSeconds ?? 0)}</bdi></a>
          </li>
        );
      })}
    </ol>
  );
}

function Pages({ of, version, at, cited }: Props) {
  const { t } = useLocale();
  return (
    <ol className="plain thumbnails">
      {Array.from({ length: Math.min(of.pages ?? 0, PAGES_MAX) }, (_, i) => i + 1).map((n) => {
        const url = readerLink({ documentId: of.id, version, page: n });
        return (
          <li key={n} className={of.layout === 'tall' ? 'tall' : undefined}>
            <a href={url} aria-current={n === at ? 'page' : undefined} onClick={(e) => followLink(e, url)}>
              <img loading="lazy" alt={t('pageOf', { n, count: of.pages ?? 0 })} src={pictureUrl(of.id, n, of.version, 1)} />
              <span><bdi>{pageLabelOf(of, n) ?? n}</bdi><Ticks n={cited.get(n) ?? 0} /></span></a>
          </li>
        );
      })}
    </ol>
  );
}

export function Contents(props: Props & { shown: boolean }) {
  const { of, version } = props;
  const { w } = useWords();
  const outline = useLoaded(`${of.id}/${version ?? ''}`, (signal) =>
    client.getOutline(of.id, version === null ? {} : { version }, { signal }));
  const list = outline.value?.headings ?? [];
  const hasPages = Boolean(of.pages) && of.mediaType === 'application/pdf';
  const [chosen, setChosen] = useState<'outline' | 'pages' | null>(null);
  const tab = chosen ?? (list.length > 1 ? 'outline' : 'pages');
  const tabs = [['outline', 'outline', list.length > 1] as const, ['pages', 'pagesTab', hasPages] as const].filter(([, , has]) => has);
  if (outline.state === 'loading' || !tabs.length) return null;
  const move = (e: KeyboardEvent<HTMLElement>) => {
    if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    e.preventDefault();
    const next = tabs.find(([name]) => name !== tab)?.[0];
    if (!next) return;
    setChosen(next);
    e.currentTarget.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
  };
  return (
    <nav className={props.shown ? 'contents shown' : 'contents'} aria-label={w('outline')}>
      <div className="tabs" role="tablist" aria-label={w('outline')} onKeyDown={move}>
        {tabs.map(([name, text]) => (
          <button key={name} type="button" role="tab" data-tab={name} id={`tab-${name}`} aria-selected={tab === name} aria-controls="contents"
            tabIndex={tab === name ? 0 : -1} onClick={() => setChosen(name)}>{w(text)}</button>
        ))}
      </div>
      <div id="contents" role="tabpanel" aria-labelledby={`tab-${tab}`} className="contents-list" tabIndex={0}>
        {tab === 'outline' ? <Headings {...props} list={list} /> : <Pages {...props} />}
      </div>
    </nav>
  );
}
