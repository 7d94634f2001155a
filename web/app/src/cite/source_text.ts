// Texts about a source: its title, the label of its link, its line in a copy.
import { hrefOf, locatorOf, nameOf, type Labels, type Source } from '@footnote/client';
import type { Locale } from '../i18n/index.ts';

/** The title; without one, the kind of the source. */
export const titleOf = ({ title, sourceType }: Pick<Source, 'title' | 'sourceType'>, labels: Labels): string =>
  title || labels.kinds[sourceType] || labels.untitled;

export function openLabel(source: Source, t: Locale['t'], labels: Labels): string {
  const where = locatorOf(source, labels);
  return where ? t('openAt', { where }) : t('open');
}

/** "[2] Lecture 4, slide 14. https://…" */
export function referenceLine(source: Source, labels: Labels): string {
  const href = hrefOf(source);
  const where = href ? ` ${new URL(href, location.href).href}` : '';
  return `[${source.chunkNumber}] ${nameOf(source, labels)}.${where}`;
}
