// One document of the list: a button for each cited passage, the words of one of
// them, and what became of the document since.
import { downloadOf, hrefOf, locatorOf, type Labels, type Source, type SourceGroup } from '@footnote/client';
import type { Claims } from '../data/marks.ts';
import { verdictLabel, type Exceptional } from '../data/verdicts.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { Passage } from './passage.tsx';
import { StateNote } from './state_note.tsx';
import { titleOf } from './source_text.ts';

interface Props {
  group: SourceGroup;
  n: number | null;
  highlighted: number | null;
  claimsOf: (source: Source) => Claims;
  /** What is to be said of its sentences, if anything. */
  verdictOf: (source: Source) => Exceptional | null;
  onOpen: (n: number) => void;
  onPeek: (n: number | null) => void;
}

const hostOf = (url: string | null) => {
  try {
    return url ? new URL(url).host : '';
  } catch {
    return '';
  }
};

/** "Slide 7", "9:30", "notes.example". */
const placeText = (s: Source, labels: Labels) => {
  const text = locatorOf(s, labels) || hostOf(s.url);
  return s.sourceType === 'web' ? text : text.charAt(0).toUpperCase() + text.slice(1);
};

export function Reference({ group, n, highlighted, claimsOf, verdictOf, onOpen, onPeek }: Props) {
  const { t, words } = useLocale();
  const has = (number: number | null) => group.sources.some((s) => s.chunkNumber === number);
  const shown = group.sources.find((s) => s.chunkNumber === highlighted) ??
    group.sources.find((s) => s.chunkNumber === n) ?? group.sources[0]!;
  const title = titleOf(group, words.labels);
  const file = shown.state === 'live' || shown.state === 'changed' ? downloadOf(shown) : null;
  const web = shown.sourceType === 'web' ? hrefOf(shown) : null;
  const state = has(n) ? ' current' : has(highlighted) ? ' highlighted' : '';
  return (
    <li className={`reference${state}`} onMouseLeave={() => onPeek(null)}>
      <KindIcon of={group.kind} />
      <div>
        <h3 dir="auto">{title}</h3>
        <div className="locators">
          {group.sources.map((s) => (
            <button key={s.chunkNumber} type="button" id={`ref-${s.chunkNumber}`}
              className={s.chunkNumber === highlighted ? 'locator highlighted' : 'locator'}
              aria-current={s.chunkNumber === n ? 'true' : undefined}
              onClick={() => onOpen(s.chunkNumber)}
              onMouseEnter={() => onPeek(s.chunkNumber)} onFocus={() => onPeek(s.chunkNumber)} onBlur={() => onPeek(null)}>
              <span className="hidden-visually">{words.labels.reference} </span>
              <span className="number" data-verdict={verdictOf(s) ?? undefined}>{s.chunkNumber}</span>
              {verdictOf(s) && <span className="hidden-visually">, {verdictLabel(verdictOf(s)!, t).toLowerCase()}: </span>}
              <bdi>{placeText(s, words.labels)}</bdi>
            </button>
          ))}
        </div>
      </div>
      {file ? (
        <a className="icon-button" href={file} download aria-label={`${t('download')}: ${title}`} title={t('download')}>
          <Icon name="download" /></a>
      ) : web ? (
        <a className="icon-button" href={web} target="_blank" rel="noopener noreferrer"
          aria-label={`${t('openWeb')}: ${hostOf(web)}`} title={hostOf(web)}><Icon name="out" /></a>
      ) : <span />}
      {(shown.contentPreview || shown.sourceType !== 'image') &&
        <blockquote dir="auto"><Passage source={shown} claims={claimsOf(shown)} short /></blockquote>}
      <StateNote of={shown} />
    </li>
  );
}
