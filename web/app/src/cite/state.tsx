// What has become of a document since it was cited.
import type { Source } from '@footnote/client';
import { useWords } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

export function State({ of }: { of: Source }) {
  const { t } = useWords();
  switch (of.state) {
    case 'changed': case 'deleted': case 'redacted': case 'withdrawn':
      return <p className="state"><Icon name="warn" />{t(`state_${of.state}`)}</p>;
    default:
      return null; // live, or kept elsewhere from the start: nothing has changed
  }
}
