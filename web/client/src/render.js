// render.js - Markdown to blocks, while it streams.
//
// A text grows at its end, so only its last blocks change.  Those that no more
// text can change are drawn once and kept:
//
//     kept blocks | blocks of the tail, drawn again with every piece
//
// A block is kept when a blank line and the first whole line of another block
// follow it, and the scanner of markers came to that line; with these marked
// decides what belongs to a list or a quote.  Nothing before it is looked at
// again.
//
// Markers are found by the shared grammar and replaced by one private character
// each before marked sees the text, so that Markdown cannot read them another
// way; html.js puts the chips in their place.
import { HtmlWriter } from './html.js';
import { lex } from './lex.js';
import { scan, wholeUnits } from './marks.js';
import { mend } from './mend.js';
import { namedBy } from './sources.js';
import { labels } from './words.js';

const FIRST_MARK = 0xf0000;
const MARKS_MAX = 0x10ffff - FIRST_MARK;
const CHARACTER = 2; // units of a private character
const PRIVATE = /[\u{F0000}-\u{10FFFF}]/gu;
const UNKNOWN = '\uFFFD\uFFFD'; // as long as what it replaces

// ---- Markers ---------------------------------------------------------------

/** Marks with one span are one marker. */
function markersOf(marks) {
  const markers = [];
  for (const mark of marks) {
    const last = markers.at(-1);
    if (last?.start === mark.start) last.marks.push(mark);
    else markers.push({ start: mark.start, end: mark.end, marks: [mark] });
  }
  return markers;
}

const unknownText = (mark) => (mark.page ? '[^Page]'
  : mark.from === mark.to ? `[${mark.from}]` : `[${mark.from}-${mark.to}]`);

/** Chips for the numbers that have a source, text for the others; null when
 *  none has one: then it is text as it was written. */
function partsOf(marks, sources) {
  const parts = marks.flatMap((mark) => {
    const named = namedBy(mark, sources);
    return named.length ? named : [unknownText(mark)];
  });
  return parts.some((part) => typeof part !== 'string') ? parts : null;
}

/** The text with a character for each marker, and what they stand for. */
function substitute(text, marks, sources) {
  const stands = [];
  let result = '';
  let at = 0;
  for (const { start, end, marks: own } of markersOf(marks)) {
    const parts = stands.length < MARKS_MAX ? partsOf(own, sources) : null;
    if (!parts) continue;
    result += text.slice(at, start);
    stands.push({ at: result.length, text: text.slice(start, end), parts });
    result += String.fromCodePoint(FIRST_MARK + stands.length - 1);
    at = end;
  }
  return { text: result + text.slice(at), stands };
}

/** How much of the text as it was written so much of it stands for. */
const writtenLength = (length, stands) => stands.reduce((n, { at, text }) =>
  (at < length ? n + text.length - CHARACTER : n), length);

// ---- Blocks ----------------------------------------------------------------

/** How many tokens no more text can change. */
function keepable(tokens, { text, stands, lines }) {
  let at = text.length;
  for (let k = tokens.length - 1; k > 0; k--) {
    at -= tokens[k].raw.length;
    if (tokens[k].type !== 'space' && tokens[k - 1].type === 'space' &&
      text.indexOf('\n', at) >= 0 && lines.has(writtenLength(at, stands)))
      return k;
  }
  return 0;
}

const lengthOf = (tokens) => tokens.reduce((n, t) => n + t.raw.length, 0);
/** Something may be final only behind a blank line and a whole one. */
const FINAL = /\n[ \t]*\n[ \t]*\S[^\n]*\n/;
const visible = (token) => token.type !== 'space' && token.type !== 'def';

class MarkdownRenderer {
  #options = {};
  #sources = [];
  #kept;
  #blocks = [];

  constructor(options) {
    this.set(options);
  }

  set(options) {
    this.#options = { words: labels.en, chip: 'a', refPrefix: 'ref-',
      ...this.#options, ...options };
    this.#sources = this.#options.sources ?? [];
    this.#forget();
  }

  #forget() {
    this.#kept = { text: '', blocks: [], links: {}, defined: '' };
  }

  render(text, done = false) {
    const written = String(text ?? '');
    if (!written.startsWith(this.#kept.text)) this.#forget();
    const tail = this.#read(written.slice(this.#kept.text.length), done);
    const writer = new HtmlWriter((c) => tail.stands[c - FIRST_MARK],
      this.#options);
    const { tokens, links } = this.#lex(done ? tail.text : mend(tail.text),
      done);
    const defined = JSON.stringify(links);
    // A definition gives links to what stands before it.
    if (this.#kept.blocks.length && defined !== this.#kept.defined) {
      this.#forget();
      return this.render(text, done);
    }
    this.#blocks = this.#drawn(tokens, writer, !done);
    if (!done && FINAL.test(tail.text)) this.#keep(tail, writer, defined);
    return this.#blocks;
  }

  /** The tail as marked shall see it. */
  #read(tail, done) {
    const clean = (done ? tail : wholeUnits(tail)).replace(PRIVATE, UNKNOWN);
    const { marks, stop, lines } = scan(clean, done);
    const shown = clean.slice(0, stop);
    const { text, stands } = substitute(shown, marks, this.#sources);
    return { written: tail, stands, lines,
      text: text.replace(/\r\n?/g, '\n') };
  }

  #lex(text, done) {
    try {
      return lex(text, { links: this.#kept.links, growing: !done });
    } catch (error) { // nested deeper than the stack
      if (!(error instanceof RangeError)) throw error;
      return { tokens: [{ type: 'fallback', raw: text }],
        links: this.#kept.links };
    }
  }

  #html(token, writer, growing) {
    if (token.type === 'fallback') return writer.plain(token.raw);
    try {
      return writer.block(token, growing);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return writer.plain(token.raw);
    }
  }

  /** The kept blocks and those of the tokens; what did not change stays the
   *  same object. */
  #drawn(tokens, writer, growing) {
    const shown = tokens.filter(visible);
    const blocks = [...this.#kept.blocks];
    shown.forEach((token, i) => {
      const html = this.#html(token, writer, growing && i === shown.length - 1);
      const old = this.#blocks[blocks.length];
      blocks.push(old?.html === html ? old
        : { key: `b${blocks.length}`, html });
    });
    return blocks;
  }

  /** Moves what is final from the tail to what is kept.  With other ends of
   *  lines than "\n" places do not agree, and all is drawn anew. */
  #keep(tail, writer, defined) {
    if (tail.written.includes('\r')) return;
    const { tokens } = this.#lex(tail.text, true);
    const k = keepable(tokens, tail);
    if (!k || lengthOf(tokens) !== tail.text.length) return;
    const final = tokens.slice(0, k);
    const length = lengthOf(final);
    this.#kept = {
      text: this.#kept.text +
        tail.written.slice(0, writtenLength(length, tail.stands)),
      blocks: this.#drawn(final, writer, false),
      links: defined === '{}' ? {}
        : this.#lex(tail.text.slice(0, length), true).links,
      defined,
    };
  }
}

export const createRenderer = (options) => new MarkdownRenderer(options);

export const renderMarkdown = (text, options) =>
  createRenderer(options).render(text, true).map(({ html }) => html).join('\n');
