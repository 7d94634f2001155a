// Says what became of a document since it was cited.
import type { Source } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

export function StateNote({ of }: { of: Source }) {
  const { t } = useLocale();
  switch (of.state) {
    case 'changed': case 'deleted': case 'redacted': case 'withdrawn':
      return <p className="state"><Icon name="warn" />{t(`state_${of.state}`)}</p>;
    default:
      return null; // live, or external from the start: nothing has changed
  }
}
