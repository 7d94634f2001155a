// A page picture that an answer rests on ([^Page]): by its signed address, made
// anew each time, or as a page that is kept here.
import { useState } from 'react';
import { pictureOf } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { State } from '../cite/state.tsx';
import { Passage } from '../cite/quote.tsx';
import { useWords } from '../i18n/index.ts';
import { usePlace } from '../router.ts';
import { Head } from './head.tsx';
import type { ViewProps } from './view.ts';

export function PictureView({ source, document, claim, messageId }: ViewProps & { messageId: string }) {
  const { t, words } = useWords();
  const place = usePlace();
  const [missing, setMissing] = useState(false);
  const kept = pictureOf(source);
  const images = useLoaded(kept ? null : place?.sessionId ?? null,
    (signal) => client.listImages(place!.sessionId, {}, { signal }));
  const signed = images.value?.images.find((i) => i.messageId === messageId)?.url;
  const src = kept ?? signed ?? null;
  const title = source.title || words.labels.untitled;
  return (
    <>
      <Head source={source} document={document} facts={[words.labels.kinds.image]} />
      <div className="sheet-of-paper">
        {src && !missing
          ? <img src={src} alt={source.slideNumber ? t('pagePicture', { n: source.slideNumber, title }) : title}
              onError={() => setMissing(true)} />
          : <div className="paper-missing">{images.state === 'loading' && !kept ? t('loading') : t('noPicture')}</div>}
      </div>
      {source.contentPreview && <blockquote className="quote" dir="auto"><Passage source={source} claim={claim} /></blockquote>}
      <State of={source} />
    </>
  );
}
