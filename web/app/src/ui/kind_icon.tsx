// The kind of a source: an icon with a word, never a colour alone.
import type { DocumentInfo, Source } from '@footnote/client';
import { Icon, type IconName } from './icon.tsx';
import { useLocale } from '../i18n/index.ts';

type SourceType = Source['sourceType'];

/** Kinds of sources and of documents: the icon, whose name is also the colour's,
 *  and the source type whose label says it. */
const kinds: Record<string, { icon: IconName; label: SourceType }> = {
  slide: { icon: 'slides', label: 'slide' },
  slides: { icon: 'slides', label: 'slide' },
  lecture: { icon: 'video', label: 'lecture' },
  journal: { icon: 'journal', label: 'journal' },
  web: { icon: 'web', label: 'web' },
  page: { icon: 'web', label: 'web' },
  image: { icon: 'image', label: 'image' },
  text: { icon: 'text', label: 'text' },
};

export function KindIcon({ of, small }: { of: SourceType | DocumentInfo['kind']; small?: boolean }) {
  const { icon, label } = kinds[of] ?? kinds.text!;
  const { words } = useLocale();
  const name = words.labels.kinds[label];
  return (
    <span className={`kind kind-${icon}${small ? ' small' : ''}`} title={name}>
      <Icon name={icon} />
      {name && <span className="hidden-visually">{name}</span>}
    </span>
  );
}
