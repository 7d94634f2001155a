// Texts about a source: its title, the label of its link, its line in a copy.
import { kindOf, linkTo, locatorOf, nameOf, type Labels, type Place, type Source, type SourceGroup } from '@footnote/client';
import type { Locale } from '../i18n/index.ts';

/** The title; without one, the kind of the source. */
export const titleOf = (of: Source | SourceGroup, labels: Labels): string =>
  of.title || labels.kinds['kind' in of ? of.kind : kindOf(of)] || labels.untitled;

export function openLabel(source: Source, t: Locale['t'], labels: Labels): string {
  const where = locatorOf(source, labels);
  return where ? t('openAt', { where }) : t('open');
}

/** "[2] Lecture 4, slide 14. https://…/c/…#ref-2" */
export const referenceLine = (source: Source, place: Place, labels: Labels): string =>
  `[${source.chunkNumber}] ${nameOf(source, labels)}. ` +
  location.origin + linkTo({ ...place, n: source.chunkNumber });
