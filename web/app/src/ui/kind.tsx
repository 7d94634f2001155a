// What a source is: always a picture and a word, never a colour alone.
import type { DocumentInfo, Source } from '@footnote/client';
import { Icon, type IconName } from './icon.tsx';
import { useWords } from '../i18n/index.ts';

type Word = Source['sourceType'];
type Look = { look: string; icon: IconName; word?: Word };
const looks: Record<string, Look> = {
  slide: { look: 'slides', icon: 'slides' },
  slides: { look: 'slides', icon: 'slides', word: 'slide' },
  lecture: { look: 'video', icon: 'video' },
  journal: { look: 'journal', icon: 'journal' },
  web: { look: 'web', icon: 'web' },
  page: { look: 'web', icon: 'web', word: 'web' },
  image: { look: 'image', icon: 'image' },
  text: { look: 'text', icon: 'text' },
};
const plain: Look = { look: 'text', icon: 'text' };

export function Kind({ of, small }: { of: Source['sourceType'] | DocumentInfo['kind']; small?: boolean }) {
  const { look, icon, word = of as Word } = looks[of] ?? plain;
  const { words } = useWords();
  const name = words.labels.kinds[word];
  return (
    <span className={`kind kind-${look}${small ? ' small' : ''}`} title={name}>
      <Icon name={icon} />
      {name && <span className="hidden-visually">{name}</span>}
    </span>
  );
}
