// A journal entry, a web page, a text, or whatever is kept as its passage only.
import { useState } from 'react';
import { locatorOf } from '@footnote/client';
import { State } from '../cite/state.tsx';
import { Passage } from '../cite/quote.tsx';
import { useWholeText } from '../data/documents.ts';
import { useWords } from '../i18n/index.ts';
import { Head } from './head.tsx';
import type { ViewProps } from './view.ts';

function Whole({ href, passage }: { href: string; passage: string }) {
  const { t } = useWords();
  const text = useWholeText(href);
  if (text.state === 'loading') return <span className="spin" role="img" aria-label={t('loading')} />;
  if (text.state === 'failed') return null;
  const at = text.value.indexOf(passage.trim());
  const end = at + passage.trim().length;
  return (
    <div className="whole-text" dir="auto" tabIndex={0} role="region" aria-label={t('wholeText')}>
      {at < 0 ? text.value
        : <>{text.value.slice(0, at)}<mark>{text.value.slice(at, end)}</mark>{text.value.slice(end)}</>}
    </div>
  );
}

export function TextView({ source, document, claim }: ViewProps) {
  const { t, words, date } = useWords();
  const [whole, setWhole] = useState(false);
  const isText = document?.mediaType?.startsWith('text/') && !document.mediaType.includes('html');
  return (
    <>
      <Head source={source} document={document} facts={[
        words.labels.kinds[source.sourceType], locatorOf(source, words.labels),
        source.sourceType === 'web' && document && t('savedOn', { when: date(document.createdAt) }),
      ]} />
      {whole && document
        ? <Whole href={`/api/documents/${encodeURIComponent(document.id)}/download`} passage={source.contentPreview ?? ''} />
        : <blockquote className="quote" dir="auto"><Passage source={source} claim={claim} /></blockquote>}
      <State of={source} />
      {isText && !whole && (
        <div className="viewer-tools">
          <button type="button" className="button outlined" onClick={() => setWhole(true)}>{t('wholeText')}</button>
        </div>
      )}
    </>
  );
}
