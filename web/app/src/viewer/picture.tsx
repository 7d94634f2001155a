// The page picture that a question was about ([^Page]), by a signed address that
// is new each time.  If the picture is not stored, the page as it is now.
import { useState } from 'react';
import { pictureOf } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { StateNote } from '../cite/state_note.tsx';
import { Passage } from '../cite/passage.tsx';
import { titleOf } from '../cite/source_text.ts';
import { useLocale } from '../i18n/index.ts';
import { usePlace } from '../router.ts';
import { ViewerHead } from './viewer_head.tsx';
import type { ViewProps } from './view_props.ts';

export function PictureView({ source, document, claims }: ViewProps) {
  const { t, words } = useLocale();
  const place = usePlace();
  const [missing, setMissing] = useState<string | null>(null);
  const images = useLoaded(source.s3key ? place?.sessionId ?? null : null,
    (signal) => client.listImages(place!.sessionId, {}, { signal }));
  const signedUrl = images.value?.images.find((i) => i.s3key === source.s3key)?.url;
  const isLoading = source.s3key !== null && images.state === 'loading';
  const src = isLoading ? null : [signedUrl, pictureOf(source)].find((url) => url && url !== missing) ?? null;
  const title = source.title || document?.title || titleOf(source, words.labels);
  return (
    <>
      <ViewerHead source={source} document={document} version={source.documentVersion} facts={[words.labels.kinds.image]} />
      <div className="page-picture">
        {src
          ? <img src={src} alt={source.slideNumber ? t('pagePicture', { n: source.slideNumber, title }) : title}
              onError={() => setMissing(src)} />
          : <div className="page-picture-missing">{isLoading ? t('loading') : t('noPicture')}</div>}
      </div>
      {source.contentPreview && <blockquote className="quote" dir="auto"><Passage source={source} claims={claims} /></blockquote>}
      <StateNote of={source} />
    </>
  );
}
