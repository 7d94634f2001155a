// What is marked on a page: the sentence that carries the claim, and more faintly
// the rest of its passage and the other passages of the page.
import type { PageText } from '@footnote/client';
import { supportingSentence } from '../cite/evidence.ts';
import { placeOnPage, type Box } from './place_on_page.ts';

interface Marks { now: Box[]; other: Box[] }

/** The first passage is the open one. */
export function marksOf(page: PageText, passages: string[], claim: string): Marks {
  const [passage = '', ...others] = passages;
  const carrying = supportingSentence(passage, claim);
  const whole = placeOnPage(page, passage);
  const exact = carrying ? placeOnPage(page, passage.slice(carrying.start, carrying.end)) : [];
  return {
    now: exact.length ? exact : whole,
    other: [...(exact.length ? whole : []),
      ...others.flatMap((p) => placeOnPage(page, p))],
  };
}
