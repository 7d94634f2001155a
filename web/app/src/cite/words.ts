// How references are spoken of.
import { hrefOf, locatorOf, nameOf, type Labels, type Source } from '@footnote/client';
import type { Speech } from '../i18n/index.ts';

/** What a document is called; one without a title by its kind. */
export const titleOf = ({ title, sourceType }: Pick<Source, 'title' | 'sourceType'>, labels: Labels): string =>
  title || labels.kinds[sourceType] || labels.untitled;

export function openLabel(source: Source, t: Speech['t'], labels: Labels): string {
  const where = locatorOf(source, labels);
  return where ? t('openAt', { where }) : t('open');
}

/** A reference on one line, for the clipboard. */
export function lineOf(source: Source, labels: Labels): string {
  const href = hrefOf(source);
  const where = href ? ` ${new URL(href, location.href).href}` : '';
  return `[${source.chunkNumber}] ${nameOf(source, labels)}.${where}`;
}
