// One document of the list: its passages as places, the words of the first or
// of the open one, and what has become of it since.
import { downloadOf, hrefOf, locatorOf, type Labels, type Source, type SourceGroup } from '@footnote/client';
import { useWords } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Kind } from '../ui/kind.tsx';
import { Passage } from './quote.tsx';
import { State } from './state.tsx';
import { titleOf } from './words.ts';

interface Props {
  group: SourceGroup;
  n: number | null;
  lit: number | null;
  claimOf: (source: Source) => string;
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

const placeOf = (s: Source, labels: Labels) => {
  const text = locatorOf(s, labels) || hostOf(s.url);
  return s.sourceType === 'web' ? text : text.charAt(0).toUpperCase() + text.slice(1);
};

export function Reference({ group, n, lit, claimOf, onOpen, onPeek }: Props) {
  const { t, words } = useWords();
  const has = (number: number | null) => group.sources.some((s) => s.chunkNumber === number);
  const shown = group.sources.find((s) => s.chunkNumber === lit) ??
    group.sources.find((s) => s.chunkNumber === n) ?? group.sources[0]!;
  const title = titleOf(group, words.labels);
  const file = shown.state === 'live' || shown.state === 'changed' ? downloadOf(shown) : null;
  const web = shown.sourceType === 'web' ? hrefOf(shown) : null;
  const state = has(n) ? ' current' : has(lit) ? ' lit' : '';
  return (
    <li className={`reference${state}`} onMouseLeave={() => onPeek(null)}>
      <Kind of={group.sourceType} />
      <div>
        <h3 dir="auto">{title}</h3>
        <div className="locators">
          {group.sources.map((s) => (
            <button key={s.chunkNumber} type="button" id={`ref-${s.chunkNumber}`}
              className={s.chunkNumber === lit ? 'locator lit' : 'locator'}
              aria-current={s.chunkNumber === n ? 'true' : undefined}
              onClick={() => onOpen(s.chunkNumber)}
              onMouseEnter={() => onPeek(s.chunkNumber)} onFocus={() => onPeek(s.chunkNumber)} onBlur={() => onPeek(null)}>
              <span className="hidden-visually">{words.labels.reference} </span>
              <span className="number">{s.chunkNumber}</span>
              <bdi>{placeOf(s, words.labels)}</bdi>
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
        <blockquote dir="auto"><Passage source={shown} claim={claimOf(shown)} short /></blockquote>}
      <State of={shown} />
    </li>
  );
}
