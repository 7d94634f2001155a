// Highlights a claim and its chips in an answer.  The text is not changed: the
// sentence is a CSS custom highlight, the chips get a class.
import { claimOf } from '@footnote/client';

const NAME = 'fn-claim';

export function highlightClaim(root: HTMLElement | null, n: number | null, chip?: HTMLElement | null) {
  for (const el of document.querySelectorAll('.fn-chip.highlighted')) el.classList.remove('highlighted');
  const isSupported = 'highlights' in CSS;
  if (isSupported) CSS.highlights.delete(NAME);
  if (!root || n === null) return;
  const chips = chip ? [chip] : [...root.querySelectorAll<HTMLElement>(`.fn-chip[data-n="${n}"]`)];
  const ranges = chips.map((c) => claimOf(c)).filter((r) => r !== null);
  for (const c of chips) c.classList.add('highlighted');
  if (isSupported && ranges.length) CSS.highlights.set(NAME, new Highlight(...ranges));
}

/** Marks the chips of the reference that is open in the pane. */
export function markCurrentChips(root: HTMLElement | null, n: number | null) {
  for (const el of root?.querySelectorAll<HTMLElement>('.fn-chip') ?? []) {
    const current = n !== null && el.dataset.n === String(n);
    el.classList.toggle('current', current);
    if (current) el.setAttribute('aria-current', 'true');
    else el.removeAttribute('aria-current');
  }
}
