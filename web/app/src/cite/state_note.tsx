// Says what became of a document since it was cited.
import type { ReactNode } from 'react';
import type { Source } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

export function StateNote({ of, children }: { of: Source; children?: ReactNode }) {
  const { t } = useLocale();
  switch (of.state) {
    case 'changed': case 'deleted': case 'redacted': case 'withdrawn':
      return <p className="state"><Icon name="warn" /><span>{t(`state_${of.state}`)}</span>{children}</p>;
    default:
      return null; // live, or external from the start: nothing has changed
  }
}

/** The same beside the document, with a way to its newest version and back. */
export function VersionNote({ of, today, onToday }: { of: Source; today: boolean; onToday: (today: boolean) => void }) {
  const { t } = useLocale();
  if (of.state !== 'changed') return <StateNote of={of} />;
  const button = (
    <button type="button" className="button strong" onClick={() => onToday(!today)}>{t(today ? 'seeCited' : 'seeToday')}</button>
  );
  return today
    ? <p className="state"><Icon name="warn" /><span>{t('todaysVersion')}</span>{button}</p>
    : <StateNote of={of}>{button}</StateNote>;
}
