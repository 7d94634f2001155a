// The head of a view: title and facts of the source, links to open and download.
import type { ReactNode } from 'react';
import { downloadOf, kindOf, readerOf, type DocumentInfo, type Source } from '@footnote/client';
import type { Version } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { useReaderPlace } from '../router.ts';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { openLabel, titleOf } from '../cite/source_text.ts';

interface Props {
  source: Source;
  document: DocumentInfo | null;
  version: Version;
  facts: Array<string | number | false | null | undefined>;
  children?: ReactNode;
}

export function ViewerHead({ source, document, version, facts, children }: Props) {
  const { t, words } = useLocale();
  const isAvailable = source.state === 'live' || source.state === 'changed' || source.state === 'external';
  const file = isAvailable ? downloadOf(source, { version }) : null;
  const href = isAvailable ? readerOf(source, { version }) : null;
  const inReader = useReaderPlace() !== null;
  const title = source.title || document?.title || titleOf(source, words.labels);
  const open = openLabel(source, t, words.labels);
  return (
    <div className="viewer-head">
      <KindIcon of={kindOf(source)} />
      <div className="titles">
        <h3 dir="auto">{title}</h3>
        <p>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {children}
      {href && !inReader && (
        <a className="icon-button" href={href} target="_blank" rel="noopener noreferrer" aria-label={open} title={open}>
          <Icon name="out" /></a>
      )}
      {file && (
        <a className="icon-button" href={file} download aria-label={`${t('download')}: ${title}`} title={t('download')}>
          <Icon name="download" /></a>
      )}
    </div>
  );
}
