// What a question is limited to beside its course: the control at the question
// box, and chips there and at questions that were asked.
import { lazy, Suspense } from 'react';
import type { Api } from '@footnote/client';
import { limitsOf, scope } from '../../data/courses.ts';
import { useStore } from '../../data/store.ts';
import { useLocale } from '../../i18n/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

const Form = lazy(() => import('./form.tsx'));
const Next = lazy(async () => ({ default: (await import('./chips.tsx')).LimitChips }));
const Asked = lazy(async () => ({ default: (await import('./chips.tsx')).AskedWithin }));

export function LimitsPicker() {
  const { t } = useLocale();
  const { kinds, from, to, since } = useStore(scope);
  return (
    <Menu form className={kinds.length || from || to || since ? 'icon-button on' : 'icon-button'} label={t('limits')}
      trigger={<Icon name="filter" />}>
      {() => <Suspense><Form /></Suspense>}
    </Menu>
  );
}

/** Of the next question. */
export const NextWithin = () => (limitsOf(useStore(scope)) ? <Suspense><Next /></Suspense> : null);
/** Of a question that was asked. */
export const AskedWithin = ({ limits }: { limits: Api.Scope | undefined }) =>
  (limits ? <Suspense><Asked limits={limits} /></Suspense> : null);
