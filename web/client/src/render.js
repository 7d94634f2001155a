// render.js - Markdown to blocks, while it streams.
//
// A text grows at its end, so only its last blocks change.  Blocks that more
// text cannot change are drawn once:
//
//     final blocks | blocks of the tail, drawn again with every piece
//
// A block is final when a blank line and the first whole line of another block
// follow it, and the scanner of markers reached that line: by then marked knows
// what belongs to a list or a quote.  Text of final blocks is not read again.
//
// Markers are found by the shared grammar and replaced by one private character
// each before marked sees the text, so that Markdown cannot read them another
// way; html.js puts the chips in their place.
import { HtmlWriter } from './html.js';
import { lex } from './lex.js';
import { scan, wholeUnits } from './marks.js';
import { closeUnfinished } from './unfinished.js';
import { sourcesNamedBy } from './sources.js';
import { labels } from './labels.js';

const FIRST_PLACEHOLDER = 0xf0000;
const PLACEHOLDERS_MAX = 0x10ffff - FIRST_PLACEHOLDER;
const PLACEHOLDER_UNITS = 2; // units of a private character
const PLACEHOLDER = /[\u{F0000}-\u{10FFFF}]/gu;
const REPLACEMENT = '\uFFFD\uFFFD'; // as long as what it replaces

// ---- Markers ---------------------------------------------------------------

/** Groups the marks of one marker: they have the same span. */
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

/** Sources of the numbers that have one, texts for the others; null when no
 *  number has a source: then the marker stays text. */
function partsOf(marks, sources) {
  const parts = marks.flatMap((mark) => {
    const named = sourcesNamedBy(mark, sources);
    return named.length ? named : [unknownText(mark)];
  });
  return parts.some((part) => typeof part !== 'string') ? parts : null;
}

/** The text with a placeholder character for each marker, and their markers. */
function substitute(text, marks, sources) {
  const placeholders = [];
  let result = '';
  let at = 0;
  for (const { start, end, marks: own } of markersOf(marks)) {
    const parts = placeholders.length < PLACEHOLDERS_MAX ? partsOf(own, sources) : null;
    if (!parts) continue;
    result += text.slice(at, start);
    placeholders.push({ at: result.length, text: text.slice(start, end), parts });
    result += String.fromCodePoint(FIRST_PLACEHOLDER + placeholders.length - 1);
    at = end;
  }
  return { text: result + text.slice(at), placeholders };
}

/** The length in the written text of a prefix of the text with placeholders. */
const sourceLength = (length, placeholders) => placeholders.reduce(
  (n, { at, text }) => (at < length ? n + text.length - PLACEHOLDER_UNITS : n),
  length);

// ---- Blocks ----------------------------------------------------------------

/** How many tokens cannot be changed by more text. */
function finalTokenCount(tokens, { text, placeholders, lines }) {
  let at = text.length;
  for (let k = tokens.length - 1; k > 0; k--) {
    at -= tokens[k].raw.length;
    if (tokens[k].type !== 'space' && tokens[k - 1].type === 'space' &&
      text.indexOf('\n', at) >= 0 && lines.has(sourceLength(at, placeholders)))
      return k;
  }
  return 0;
}

const lengthOf = (tokens) => tokens.reduce((n, t) => n + t.raw.length, 0);
/** A blank line and a whole line after it: something before may be final. */
const MAY_BE_FINAL = /\n[ \t]*\n[ \t]*\S[^\n]*\n/;
const isVisible = (token) => token.type !== 'space' && token.type !== 'def';

class MarkdownRenderer {
  #options = {};
  #sources = [];
  #final;
  #blocks = [];

  constructor(options) {
    this.set(options);
  }

  set(options) {
    this.#options = { words: labels.en, chip: 'a', refPrefix: 'ref-',
      ...this.#options, ...options };
    this.#sources = this.#options.sources ?? [];
    this.#reset();
  }

  #reset() {
    this.#final = { text: '', blocks: [], links: {}, defined: '' };
  }

  render(text, done = false) {
    const written = String(text ?? '');
    if (!written.startsWith(this.#final.text)) this.#reset();
    const tail = this.#prepareTail(written.slice(this.#final.text.length), done);
    const writer = new HtmlWriter((c) => tail.placeholders[c - FIRST_PLACEHOLDER],
      this.#options);
    const { tokens, links } = this.#lex(
      done ? tail.text : closeUnfinished(tail.text), done);
    const defined = JSON.stringify(links);
    // A new definition may turn text of final blocks into links.
    if (this.#final.blocks.length && defined !== this.#final.defined) {
      this.#reset();
      return this.render(text, done);
    }
    this.#blocks = this.#drawBlocks(tokens, writer, !done);
    if (!done && MAY_BE_FINAL.test(tail.text))
      this.#keepFinal(tail, writer, defined);
    return this.#blocks;
  }

  /** The tail as marked gets it: with placeholders, up to the first doubt. */
  #prepareTail(tail, done) {
    const clean = (done ? tail : wholeUnits(tail))
      .replace(PLACEHOLDER, REPLACEMENT);
    const { marks, stop, lines } = scan(clean, done);
    const shown = clean.slice(0, stop);
    const { text, placeholders } = substitute(shown, marks, this.#sources);
    return { written: tail, placeholders, lines,
      text: text.replace(/\r\n?/g, '\n') };
  }

  #lex(text, done) {
    try {
      return lex(text, { links: this.#final.links, growing: !done });
    } catch (error) { // too deeply nested for the stack
      if (!(error instanceof RangeError)) throw error;
      return { tokens: [{ type: 'fallback', raw: text }],
        links: this.#final.links };
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

  /** The final blocks and those of the tokens.  A block that did not change is
   *  the same object. */
  #drawBlocks(tokens, writer, growing) {
    const shown = tokens.filter(isVisible);
    const blocks = [...this.#final.blocks];
    shown.forEach((token, i) => {
      const html = this.#html(token, writer, growing && i === shown.length - 1);
      const old = this.#blocks[blocks.length];
      blocks.push(old?.html === html ? old
        : { key: `b${blocks.length}`, html });
    });
    return blocks;
  }

  /** Moves final blocks out of the tail.  With "\r" offsets would not agree:
   *  then all is drawn again. */
  #keepFinal(tail, writer, defined) {
    if (tail.written.includes('\r')) return;
    const { tokens } = this.#lex(tail.text, true);
    const k = finalTokenCount(tokens, tail);
    if (!k || lengthOf(tokens) !== tail.text.length) return;
    const final = tokens.slice(0, k);
    const length = lengthOf(final);
    this.#final = {
      text: this.#final.text +
        tail.written.slice(0, sourceLength(length, tail.placeholders)),
      blocks: this.#drawBlocks(final, writer, false),
      links: defined === '{}' ? {}
        : this.#lex(tail.text.slice(0, length), true).links,
      defined,
    };
  }
}

export const createRenderer = (options) => new MarkdownRenderer(options);

export const renderMarkdown = (text, options) =>
  createRenderer(options).render(text, true).map(({ html }) => html).join('\n');
