// Marks in the text of an answer what its sources do not carry: signs at numbers, thin
// lines under words.  What is carried stays as it is.  What is drawn is changed
// once it is complete, and put back before it is drawn again.
import { nameOf, type CitedMessage, type Labels } from '@footnote/client';
import type { Locale } from '../i18n/index.ts';
import { markedIn } from '../data/verdict_text.ts';
import { isExceptional, sentenceOf, SIGNS, verdictLabel, verdictsOf, type Said } from '../data/verdicts.ts';
import { pairWords, wordsDrawn, wordsIn, type DrawnWord } from './words_of.ts';

/** Signs behind a word: what ends its sentence. */
const STOP = /^[^\s\p{L}\p{N}\u2060]+/u;
const UNMARKED = /[^\p{L}\p{N}]/gu;

/** Takes away what markVerdicts() has put in. */
export function unmarkVerdicts(root: HTMLElement) {
  for (const sign of root.querySelectorAll('.said-nowhere')) {
    const parent = sign.parentNode!;
    sign.remove();
    parent.normalize();
  }
  for (const span of root.querySelectorAll('.said')) {
    const parent = span.parentNode!;
    span.replaceWith(...span.childNodes);
    parent.normalize();
  }
  for (const chip of root.querySelectorAll<HTMLElement>('[data-sentence]')) {
    delete chip.dataset.sentence;
    delete chip.dataset.verdict;
    if (chip.matches('.fn-no-source')) chip.classList.remove('fn-chip');
  }
}

/** Signs of a text that stand for no words: markers are blanked out. */
const blankMarkers = (message: CitedMessage) => {
  const text = [...message.content];
  const units = message.content.length === text.length ? text : message.content.split('');
  for (const source of message.sources ?? [])
    for (const [start = 0, end = 0] of source.spans ?? []) units.fill(' ', start, end);
  return units.join('').replace(/\[[\d\s,;–-]+\]/g, (marker) => ' '.repeat(marker.length));
};

function wrap(node: Text, from: number, to: number, verdict: string): Element | null {
  if (to <= from) return null;
  const middle = from ? node.splitText(from) : node;
  if (to - from < middle.length) middle.splitText(to - from);
  const span = document.createElement('span');
  span.className = `said ${verdict}`;
  middle.replaceWith(span);
  span.append(middle);
  return span;
}

/** Wraps the words and what stands between them, and of a whole sentence its full stop;
 *  returns the last piece. */
function wrapWords(words: DrawnWord[], verdict: string): Element | null {
  const byNode = new Map<Text, DrawnWord[]>();
  for (const word of words) byNode.set(word.node, [...byNode.get(word.node) ?? [], word]);
  const nodes = [...byNode.keys()];
  let last: Element | null = null;
  nodes.forEach((node, i) => {
    const inside = byNode.get(node)!;
    const end = inside.at(-1)!;
    const to = end.at + end.text.length;
    const stop = verdict === 'partly' ? 0 : STOP.exec(node.data.slice(to))?.[0].length ?? 0;
    last = wrap(node, i ? 0 : inside[0]!.at, i < nodes.length - 1 ? node.length : to + stop, verdict) ?? last;
  });
  return last;
}

/** The sign of a sentence that names no source, behind its full stop.  A word joiner
 *  keeps it on the line of its word, as it does chips. */
function addSign(after: Element, index: number, label: string) {
  const sign = document.createElement('span');
  sign.setAttribute('role', 'button');
  sign.tabIndex = -1; // [ and ] stop there
  sign.className = 'fn-chip';
  sign.dataset.sentence = String(index);
  sign.dataset.verdict = 'no_source';
  sign.setAttribute('aria-label', label);
  sign.textContent = SIGNS.no_source;
  const box = document.createElement('span');
  box.className = 'said-nowhere';
  box.append('\u2060', sign);
  const element = after.closest('code, a, strong, em') ?? after;
  const next = element.nextSibling;
  const stop = next instanceof Text ? STOP.exec(next.data)?.[0].length ?? 0 : 0;
  if (stop && stop < (next as Text).length) (next as Text).splitText(stop);
  (stop ? next as Text : element).after(box);
}

function markNumbers(root: HTMLElement, message: CitedMessage, sentences: Said[], t: Locale['t'], labels: Labels) {
  for (const source of message.sources ?? []) {
    const chips = root.querySelectorAll<HTMLElement>(`.fn-chip[data-n="${source.chunkNumber}"]`);
    chips.forEach((chip, i) => {
      const said = sentenceOf(message, source, i);
      const name = `${labels.reference} ${source.chunkNumber}`;
      chip.setAttribute('aria-label', said && isExceptional(said)
        ? `${name}, ${verdictLabel(said.verdict, t).toLowerCase()}: ${nameOf(source, labels)}` : `${name}: ${nameOf(source, labels)}`);
      if (!said || !isExceptional(said)) return;
      chip.dataset.sentence = String(sentences.indexOf(said));
      chip.dataset.verdict = said.verdict;
    });
  }
  // Numbers that no source has, in their order.
  const unknown = sentences.filter((s) => s.reason === 'unknown_number');
  for (const el of root.querySelectorAll<HTMLElement>('.fn-no-source')) {
    const n = Number(el.textContent?.replace(UNMARKED, ''));
    const said = unknown.find((s) => s.number === n);
    if (!said) continue;
    el.dataset.sentence = String(sentences.indexOf(said));
    el.dataset.verdict = said.verdict;
    el.classList.add('fn-chip');
    el.tabIndex = -1;
  }
}

export function markVerdicts(root: HTMLElement, message: CitedMessage, { t, words: { labels } }: Locale) {
  const record = verdictsOf(message);
  if (!record) return;
  const { sentences } = record;
  markNumbers(root, message, sentences, t, labels);
  if (!sentences.some(isExceptional)) return;
  const words = wordsIn(blankMarkers(message));
  const drawn = wordsDrawn(root);
  const pairs = pairWords(words, drawn);
  const drawnIn = ([start, end]: readonly [number, number]) => words.flatMap((w, i) =>
    (w.at >= start && w.at < end && pairs[i]! >= 0 ? [drawn[pairs[i]!]!] : []));
  const pieces = sentences.flatMap((said, index) =>
    markedIn(said).map((span) => ({ said, index, words: drawnIn(span) })));
  // From the end on: what is split off stands behind.
  for (const { said, index, words: inside } of pieces.reverse()) {
    const last = wrapWords(inside, said.verdict);
    if (last && said.verdict === 'no_source') addSign(last, index, t('verdictNoSource'));
  }
}
