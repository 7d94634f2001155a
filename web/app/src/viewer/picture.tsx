// A page picture that an answer rests on ([^Page]): the one that was asked about,
// by a signed address that is made anew each time.  Where that is not kept, the
// page as the document has it now.
import { useState } from 'react';
import { pictureOf } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { State } from '../cite/state.tsx';
import { Passage } from '../cite/quote.tsx';
import { titleOf } from '../cite/words.ts';
import { useWords } from '../i18n/index.ts';
import { usePlace } from '../router.ts';
import { Head } from './head.tsx';
import type { ViewProps } from './view.ts';

export function PictureView({ source, document, claim }: ViewProps) {
  const { t, words } = useWords();
  const place = usePlace();
  const [missing, setMissing] = useState<string | null>(null);
  const images = useLoaded(source.s3key ? place?.sessionId ?? null : null,
    (signal) => client.listImages(place!.sessionId, {}, { signal }));
  const asked = images.value?.images.find((i) => i.s3key === source.s3key)?.url;
  const coming = source.s3key !== null && images.state === 'loading';
  const src = coming ? null : [asked, pictureOf(source)].find((url) => url && url !== missing) ?? null;
  const title = source.title || document?.title || titleOf(source, words.labels);
  return (
    <>
      <Head source={source} document={document} facts={[words.labels.kinds.image]} />
      <div className="sheet-of-paper">
        {src
          ? <img src={src} alt={source.slideNumber ? t('pagePicture', { n: source.slideNumber, title }) : title}
              onError={() => setMissing(src)} />
          : <div className="paper-missing">{coming ? t('loading') : t('noPicture')}</div>}
      </div>
      {source.contentPreview && <blockquote className="quote" dir="auto"><Passage source={source} claim={claim} /></blockquote>}
      <State of={source} />
    </>
  );
}
