// How references are spoken of.
import { hrefOf, locatorOf, nameOf, type Labels, type Source } from '@footnote/client';
import type { Speech } from '../i18n/index.ts';

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
