// The kind of a source: an icon with a word, never a colour alone.
import type { DocumentInfo, Kind } from '@footnote/client';
import { Icon, type IconName } from './icon.tsx';
import { useLocale } from '../i18n/index.ts';

/** Kinds of sources and of documents: the icon, whose name is also the colour's
 *  unless there is a colour, and the kind of source whose label says it. */
const kinds: Record<string, { icon: IconName; label: Kind; colour?: IconName }> = {
  paper: { icon: 'text', label: 'paper', colour: 'slides' },
  slide: { icon: 'slides', label: 'slide' },
  slides: { icon: 'slides', label: 'slide' },
  lecture: { icon: 'video', label: 'lecture' },
  journal: { icon: 'journal', label: 'journal' },
  web: { icon: 'web', label: 'web' },
  page: { icon: 'web', label: 'web' },
  image: { icon: 'image', label: 'image' },
  text: { icon: 'text', label: 'text' },
};

export function KindIcon({ of, small }: { of: Kind | DocumentInfo['kind']; small?: boolean }) {
  const { icon, label, colour } = kinds[of] ?? kinds.text!;
  const { words } = useLocale();
  const name = words.labels.kinds[label];
  return (
    <span className={`kind kind-${colour ?? icon}${small ? ' small' : ''}`} title={name}>
      <Icon name={icon} />
      {name && <span className="hidden-visually">{name}</span>}
    </span>
  );
}
