// A journal entry, a web page, a text, or any source of which we have only the
// passage.
import { useState } from 'react';
import { locatorOf } from '@footnote/client';
import { Passage } from '../cite/passage.tsx';
import { fileUrl, useWholeText } from '../data/documents.ts';
import { useLocale } from '../i18n/index.ts';
import { ViewerHead } from './viewer_head.tsx';
import type { ViewProps } from './view_props.ts';

function WholeText({ href, passage }: { href: string; passage: string }) {
  const { t } = useLocale();
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

export function TextView({ source, document, version, note, claims }: ViewProps) {
  const { t, words, date } = useLocale();
  const [opened, setWhole] = useState(false);
  const isText = document?.mediaType?.startsWith('text/') && !document.mediaType.includes('html');
  // There may be no passage: the whole of it is read.
  const whole = opened || (isText && (version === null || !source.contentPreview));
  return (
    <>
      <ViewerHead source={source} document={document} version={version} facts={[
        words.labels.kinds[source.sourceType], locatorOf(source, words.labels),
        source.sourceType === 'web' && document && t('savedOn', { when: date(document.createdAt) }),
      ]} />
      {whole && document
        ? <WholeText href={fileUrl(document.id, 'download', version)} passage={source.contentPreview ?? ''} />
        : <blockquote className="quote" dir="auto"><Passage source={source} claims={claims} /></blockquote>}
      {note}
      {isText && !whole && (
        <div className="viewer-tools">
          <button type="button" className="button outlined" onClick={() => setWhole(true)}>{t('wholeText')}</button>
        </div>
      )}
    </>
  );
}
