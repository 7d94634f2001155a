// Lights a claim and its numbers in the text of an answer.  The text itself is
// left alone: the sentence is a highlight of the browser (CSS.highlights), the
// numbers get a class.
import { claimOf } from '@footnote/client';

const NAME = 'fn-claim';

export function light(root: HTMLElement | null, n: number | null, chip?: HTMLElement | null) {
  for (const el of document.querySelectorAll('.fn-chip.lit')) el.classList.remove('lit');
  const known = 'highlights' in CSS;
  if (known) CSS.highlights.delete(NAME);
  if (!root || n === null) return;
  const chips = chip ? [chip] : [...root.querySelectorAll<HTMLElement>(`.fn-chip[data-n="${n}"]`)];
  const ranges = chips.map((c) => claimOf(c)).filter((r) => r !== null);
  for (const c of chips) c.classList.add('lit');
  if (known && ranges.length) CSS.highlights.set(NAME, new Highlight(...ranges));
}

/** The number that is open stays marked in its answer. */
export function markCurrent(root: HTMLElement | null, n: number | null) {
  for (const el of root?.querySelectorAll<HTMLElement>('.fn-chip') ?? []) {
    const current = n !== null && el.dataset.n === String(n);
    el.classList.toggle('current', current);
    if (current) el.setAttribute('aria-current', 'true');
    else el.removeAttribute('aria-current');
  }
}
