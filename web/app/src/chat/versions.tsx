// The versions of a message: which one is seen, and steps to the others.  What
// followed a version comes back with it.
import { useCallback, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import type { CitedMessage } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { versionBeside } from './version_beside.ts';

export type OnVersion = (message: CitedMessage, by: 1 | -1) => void;

interface Props { message: CitedMessage; busy: boolean; onVersion: OnVersion }

/** The buttons stay enabled, so that the focus stays on them. */
export function Versions({ message, busy, onVersion }: Props) {
  const { t } = useLocale();
  const { versions } = message;
  if (!versions) return null;
  const button = (by: 1 | -1) => (
    <button type="button" className="icon-button" aria-label={by < 0 ? t('versionBefore') : t('versionAfter')}
      aria-disabled={busy || versionBeside(message, by) === null} onClick={() => onVersion(message, by)}>
      <Icon name={by < 0 ? 'back' : 'forth'} /></button>
  );
  return (
    <span className="version" role="group" aria-label={t('versions')}>
      {button(-1)}
      <bdi>{t('versionOf', { n: versions.indexOf(message.id) + 1, count: versions.length })}</bdi>
      {button(1)}
    </span>
  );
}

const articleOf = (root: HTMLElement | null, id: string) =>
  root?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ?? null;

/** Steps such that the message stays where it is on the page, and the focus on
 *  its button.  Alt and an arrow step in the message that has the focus. */
export function useVersionSteps(root: { current: HTMLElement | null }, messages: CitedMessage[],
  step: (id: string, to: string) => Promise<boolean>) {
  const coming = useRef<{ id: string; by: 1 | -1; top: number } | null>(null);
  const onVersion = useCallback<OnVersion>((message, by) => {
    const to = versionBeside(message, by);
    const article = articleOf(root.current, message.id);
    if (to === null || !article) return;
    coming.current = { id: to, by, top: article.getBoundingClientRect().top };
    void step(message.id, to).then((done) => {
      if (!done) coming.current = null;
    });
  }, [root, step]);

  useLayoutEffect(() => {
    const { current } = coming;
    const article = current && articleOf(root.current, current.id);
    if (!article) return;
    coming.current = null;
    root.current!.scrollTop += article.getBoundingClientRect().top - current.top;
    article.querySelector<HTMLElement>(`.version button:${current.by < 0 ? 'first' : 'last'}-of-type`)
      ?.focus({ preventScroll: true });
  }, [root, messages]);

  const onKeyDown = useCallback((e: KeyboardEvent) => {
    if (!e.altKey || e.ctrlKey || e.metaKey || (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight')) return;
    const target = e.target as HTMLElement;
    const id = target.closest<HTMLElement>('[data-id]')?.dataset.id;
    const message = messages.find((m) => m.id === id);
    if (!message?.versions || target.matches('textarea')) return;
    e.preventDefault();
    onVersion(message, e.key === 'ArrowLeft' ? -1 : 1);
  }, [messages, onVersion]);
  return { onVersion, onKeyDown };
}
