// code.js - which stretches of markdown are code: src/cite/code.c again.
//
// `whole` says that no more text will come.  Without it the answer is 'unsure'
// where more text could change it; another answer is never taken back.
import { bytesOf } from './marker.js';

const CODE_BYTES_MAX = 1024;
const FENCE_MIN = 3;
const INDENT_MAX = 3;
const BACKTICKS_MAX = 128;

function run(text, at) {
  let n = 1;
  while (text[at + n] === text[at] && at + n < text.length) n++;
  return n;
}

function skip(text, at, set, max) {
  let i = at;
  while (i < text.length && i - at < max && set.includes(text[i])) i++;
  return i;
}

function lineEnd(text, at) {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function fenceRun(text, at) {
  const place = skip(text, at, ' ', INDENT_MAX);
  if (text[place] !== '`' && text[place] !== '~') return { place, n: 0 };
  const n = run(text, place);
  return { place, n: n >= FENCE_MIN ? n : 0 };
}

// A line that opens with backticks and has another one is a paragraph that
// begins with a code span.
function backtickFence(text, whole, at) {
  let i = at;
  for (let bytes = 0; i < text.length && bytes < CODE_BYTES_MAX; i++) {
    if (text[i] === '`') return 'no';
    if (text[i] === '\n') return 'yes';
    bytes += bytesOf(text.charCodeAt(i));
  }
  return whole || i < text.length ? 'yes' : 'unsure';
}

function opens(text, whole, at) {
  const { place, n } = fenceRun(text, at);
  if (!n) return { sure: 'no' };
  if (text[place] === '~') return { sure: 'yes', place, n };
  if (n > BACKTICKS_MAX) return { sure: 'no' };
  return { sure: backtickFence(text, whole, place + n), place, n };
}

function closes(text, at, fence, least) {
  const { place, n } = fenceRun(text, at);
  return n >= least && text[place] === fence &&
    skip(text, place + n, ' \t\r', Infinity) === lineEnd(text, at);
}

function blockEnd(text, at, fence, least) {
  let end = lineEnd(text, at);
  while (end < text.length) {
    const line = end + 1;
    end = lineEnd(text, line);
    if (closes(text, line, fence, least)) return end;
  }
  return text.length;
}

/** Whether a fenced block begins in the line at `at`; with 'yes' `end` is
 *  behind its closing line. */
export function codeFence(text, whole, at) {
  const { sure, place, n } = opens(text, whole, at);
  if (sure !== 'yes') return { sure };
  return { sure, end: blockEnd(text, place + n, text[place], n) };
}

function paragraphEnds(text, whole, at) {
  const i = skip(text, at, ' \t\r', CODE_BYTES_MAX);
  return text[i] === '\n' ? 'yes' : opens(text, whole, at).sure;
}

/** The search for the run of backticks that closes a span. */
function closing(text, whole, first, n) {
  let bytes = 0;
  for (let i = first; i < text.length && bytes <= CODE_BYTES_MAX;) {
    if (text[i] === '`') {
      const found = run(text, i);
      i += found;
      bytes += found;
      // It may still grow.
      if (!whole && i === text.length && found <= n) return { sure: 'unsure' };
      if (found === n) return { sure: 'yes', end: i };
      continue;
    }
    bytes += bytesOf(text.charCodeAt(i));
    if (text[i++] !== '\n') continue;
    const ends = paragraphEnds(text, whole, i);
    if (ends !== 'no') return { sure: ends === 'yes' ? 'no' : 'unsure' };
  }
  return { sure: whole || bytes > CODE_BYTES_MAX ? 'no' : 'unsure' };
}

/** Whether the backticks at `at` open a code span.  `end` is behind the span
 *  with 'yes', else behind the backticks. */
export function codeSpan(text, whole, at) {
  const n = run(text, at);
  const end = at + n;
  return n > BACKTICKS_MAX ? { sure: 'no', end }
    : { end, ...closing(text, whole, end, n) };
}
