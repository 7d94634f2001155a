// render.js - Markdown to blocks, while it streams.
//
// A text grows at its end, so only its last blocks change.  Those that no more
// text can change are drawn once and kept:
//
//     kept blocks | blocks of the tail, drawn again with every piece
//
// A block is kept when a blank line and the first whole line of another block
// follow it; marked decides with these what belongs to a list or a quote.
//
// Markers are found in the whole text by the shared grammar and replaced by
// one private character each before marked sees it, so that Markdown cannot
// read them another way; html.js puts the chips in their place.
import { HtmlWriter } from './html.js';
import { lex } from './lex.js';
import { findMarks, settled } from './marks.js';
import { mend } from './mend.js';
import { namedBy } from './sources.js';
import { labels } from './words.js';

const FIRST_MARK = 0xf0000;
const MARKS_MAX = 0x10ffff - FIRST_MARK;
const PRIVATE = /[\u{F0000}-\u{10FFFF}]/gu;

// ---- Markers ------------------------------------------------------------------

/** Marks with one span are one marker. */
function markersOf(text) {
  const markers = [];
  for (const mark of findMarks(text)) {
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
function substitute(text, sources) {
  const stands = [];
  let result = '';
  let at = 0;
  for (const { start, end, marks } of markersOf(text)) {
    const parts = stands.length < MARKS_MAX ? partsOf(marks, sources) : null;
    if (!parts) continue;
    result += text.slice(at, start) +
      String.fromCodePoint(FIRST_MARK + stands.length);
    stands.push({ text: text.slice(start, end), parts });
    at = end;
  }
  return { text: result + text.slice(at), stands };
}

// ---- Blocks -------------------------------------------------------------------

/** Where the tokens that more text cannot change end: their number. */
function keepable(tokens, text) {
  let at = text.length;
  for (let k = tokens.length - 1; k > 0; k--) {
    at -= tokens[k].raw.length;
    if (tokens[k].type !== 'space' && tokens[k - 1].type === 'space' &&
      text.indexOf('\n', at) >= 0)
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
    const clean = String(text ?? '').replace(PRIVATE, '\uFFFD');
    const shown = done ? clean : clean.slice(0, settled(clean));
    const { text: source, stands } = substitute(shown, this.#sources);
    const lines = source.replace(/\r\n?/g, '\n');
    if (!lines.startsWith(this.#kept.text)) this.#forget();
    const writer = new HtmlWriter((c) => stands[c - FIRST_MARK],
      this.#options);

    this.#grow(lines, writer, done);
    return this.#blocks;
  }

  #grow(lines, writer, done) {
    const tail = lines.slice(this.#kept.text.length);
    const { tokens, links } = this.#lex(done ? tail : mend(tail), done);
    const defined = JSON.stringify(links);
    // A definition gives links to what stands before it.
    if (this.#kept.blocks.length && defined !== this.#kept.defined) {
      this.#forget();
      return void this.#grow(lines, writer, done);
    }
    this.#blocks = this.#drawn(tokens, writer, !done);
    if (!done && FINAL.test(tail)) this.#keep(tail, writer, defined);
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
      blocks.push(old?.html === html ? old : { key: `b${blocks.length}`, html });
    });
    return blocks;
  }

  /** Moves what is final from the tail to what is kept. */
  #keep(tail, writer, defined) {
    const { tokens } = this.#lex(tail, true);
    const k = keepable(tokens, tail);
    if (!k || lengthOf(tokens) !== tail.length) return;
    const final = tokens.slice(0, k);
    const text = tail.slice(0, lengthOf(final));
    this.#kept = {
      text: this.#kept.text + text,
      blocks: this.#drawn(final, writer, false),
      links: defined === '{}' ? {} : this.#lex(text, true).links,
      defined,
    };
  }
}

export const createRenderer = (options) => new MarkdownRenderer(options);

export const renderMarkdown = (text, options) =>
  createRenderer(options).render(text, true).map(({ html }) => html).join('\n');
