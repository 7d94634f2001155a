// marks.js - finds the markers of a text, whole or while it grows.
//
// The scanner of src/cite/marks.c again, on UTF-16 units; docs/markers.md is
// the grammar and tests/cite/marks.json holds the cases for both.  It stops at
// the first bracket that more text could make a marker or stop from being one.
import { codeFence, codeSpan } from './code.js';
import { bytesOf, isBracket, MARK_BYTES_MAX, matchMarker } from './marker.js';

const startsLine = (text, at) => at === 0 || text[at - 1] === '\n';

/** A definition may be indented by three spaces. */
function defines(text, at) {
  for (let n = 0; n < 3 && text[at - 1] === ' '; n++) at--;
  return startsLine(text, at);
}

// Whether the bracket directly behind a marker leaves it one: it does unless
// it is a label.  A label that a third bracket or the end of the text cuts off
// is none.
function noLabel({ text, whole }, at) {
  let third = at + 1;
  for (let bytes = 1; third < text.length && bytes < MARK_BYTES_MAX &&
    !isBracket(text, third); third++)
    bytes += bytesOf(text.charCodeAt(third));
  const cut = isBracket(text, third);
  const shape = matchMarker(cut ? text.slice(0, third) : text, at);

  if (shape === 'no') return 'no';
  if (shape !== 'part') return 'yes';
  return whole || cut ? 'yes' : 'unsure';
}

/** Whether what follows leaves a marker a marker. */
function stands(scan, marker) {
  const { text, whole } = scan;
  if (!marker.ascii) return 'yes';
  if (marker.end === text.length) return whole ? 'yes' : 'unsure';
  switch (text[marker.end]) {
    case '(': return 'no';
    case ':': return defines(text, marker.start) ? 'no' : 'yes';
    case '[': return noLabel(scan, marker.end);
    default: return 'yes';
  }
}

// A place where the text must wait, told apart from one to go on at.
const hold = (i) => -1 - i;

/** Each step gives the place to go on at, or hold() of one. */
function atBracket(scan, i) {
  const marker = matchMarker(scan.text, i);
  if (marker === 'part' && !scan.whole) return hold(i);
  if (typeof marker === 'string') return i + 1;
  const sure = stands(scan, marker);
  if (sure === 'unsure') return hold(i);
  if (sure === 'yes')
    for (const item of marker.items)
      scan.marks.push({ start: marker.start, end: marker.end, ...item });
  return marker.end;
}

// Behind an opening that may or may not be code: what could be a marker there
// waits; all else can be shown.
function inDoubt(text, i) {
  while (i < text.length && matchMarker(text, i) === 'no') i++;
  return hold(i);
}

// A backslash stands before ASCII punctuation or a wide bracket; before
// anything else it is an ordinary character.
const escaped = (text, at) =>
  (/[!-/:-@[-`{-~【［]/.test(text[at + 1] ?? '') ? 2 : 1);

const MEANING = /[`\\[【［\n]/g;

/** Behind the character at `at` and all that follow it without meaning. */
function skipPlain(text, at) {
  if (text[at] === '\n') return at + 1;
  MEANING.lastIndex = at + 1;
  const found = MEANING.exec(text);
  if (!found) return text.length;
  return found[0] === '\n' ? found.index + 1 : found.index;
}

function step(scan, i) {
  const { text, whole } = scan;
  if (startsLine(text, i)) {
    const fence = codeFence(text, whole, i);
    if (fence.sure === 'unsure') return inDoubt(text, i);
    if (fence.sure === 'yes') return fence.end;
  }
  if (text[i] === '`') {
    const span = codeSpan(text, whole, i);
    return span.sure === 'unsure' ? inDoubt(text, span.end) : span.end;
  }
  if (isBracket(text, i)) return atBracket(scan, i);
  return text[i] === '\\' ? i + escaped(text, i) : skipPlain(text, i);
}

/** The markers of a text, where it must stop when more may come, and the
 *  starts of lines that were come to: what stands before such a line has no
 *  part in what is found behind it. */
export function scan(text, whole) {
  const scan = { text, whole, marks: [] };
  const lines = new Set();
  let i = 0;
  while (i < text.length) {
    if (startsLine(text, i)) lines.add(i);
    const next = step(scan, i);
    if (next < 0) return { marks: scan.marks, stop: hold(next), lines };
    i = next;
  }
  return { marks: scan.marks, stop: text.length, lines };
}

export const findMarks = (text) => scan(text, true).marks;

/** Without half of a character at the end. */
export const wholeUnits = (text) =>
  (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);

export const settledLength = (text) => scan(wholeUnits(text), false).stop;
