// html.js - tokens to HTML.  All text is escaped here.
//
// Markers come in as single placeholder characters (see render.js).  Code, math
// and links cannot contain chips: there the marker becomes text again, and its
// chip follows after the element.  A number without a source has no placeholder;
// in prose it is shown as what it is.
import { hostOf, nameOf } from './labels.js';
import { findMarks } from './marks.js';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
  "'": '&#39;' };
export const escape = (text) =>
  String(text).replace(/[&<>"']/g, (c) => ENTITIES[c]);
/** Escapes text of a paragraph, where entities such as &copy; stay. */
const escapeProse = (text) => String(text).replace(
  /[<>"']|&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{0,31});)/g,
  (c) => ENTITIES[c]);

const PLACEHOLDER = /[\u{F0000}-\u{10FFFF}]/gu;
/** Placeholders in a row, with blanks before and a full stop or comma after. */
const PLACEHOLDER_RUN =
  /[ \t]*((?:[\u{F0000}-\u{10FFFF}][ \t]*)*[\u{F0000}-\u{10FFFF}])([.,;]?)/gu;

/** The address of a link, or null when its scheme is not allowed. */
function safeHref(href) {
  try {
    const url = new URL(href);
    return /^(?:https?|mailto):$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Whether the text of a link is its address. */
function isOwnAddress(text, href) {
  const withoutScheme = (s) => s.replace(/^(?:https?:\/\/|mailto:)/i, '')
    .replace(/\/$/, '');
  return withoutScheme(text) === withoutScheme(href);
}

export class HtmlWriter {
  #deferredChips = '';
  #insideLink = false;

  /** `markOf(code point)` gives the marker of a placeholder. */
  constructor(markOf, { words, chip, refPrefix }) {
    this.markOf = (character) => markOf(character.codePointAt(0));
    this.words = words;
    this.chipTag = chip;
    this.refPrefix = refPrefix;
  }

  // ---- Markers -------------------------------------------------------------

  #chip(source) {
    const n = source.chunkNumber;
    const label = escape(`${this.words.reference} ${n}: ` +
      nameOf(source, this.words));
    const rest = `class="fn-chip" data-n="${n}" aria-label="${label}"`;
    return this.chipTag === 'button'
      ? `<button type="button" ${rest}>${n}</button>`
      : `<a href="#${escape(this.refPrefix)}${n}" ${rest}>${n}</a>`;
  }

  #withoutSource(marker) {
    const label = escape(this.words.noSource);
    const shown = escape(marker);
    return `<span class="fn-no-source" role="img" title="${label}" ` +
      `aria-label="${shown}: ${label}">${shown}</span>`;
  }

  // A word joiner keeps the chip on the line of the word it belongs to.
  #chips(character) {
    return this.markOf(character).parts.map((part) =>
      (typeof part === 'string' ? this.#withoutSource(part)
        : `\u2060${this.#chip(part)}`)).join('');
  }

  /** Prose without placeholders. */
  #plainProse(text) {
    let html = '';
    let at = 0;
    for (const { start, end, page } of findMarks(text)) {
      if (page || start < at) continue; // behind the first of one marker
      html += escapeProse(text.slice(at, start)) +
        this.#withoutSource(text.slice(start, end));
      at = end;
    }
    return html + escapeProse(text.slice(at));
  }

  /** Replaces placeholders by the markers as they were written. */
  #markersAsText(text) {
    return text.replace(PLACEHOLDER, (character) => this.markOf(character).text);
  }

  /** The same, and the chips are kept for after the element. */
  #deferChips(text) {
    for (const [character] of text.matchAll(PLACEHOLDER))
      this.#deferredChips += this.#chips(character);
    return this.#markersAsText(text);
  }

  #takeDeferredChips(open = '', close = '') {
    const chips = this.#deferredChips;
    this.#deferredChips = '';
    return chips && open + chips + close;
  }

  /** Prose with its chips; a full stop moves before them. */
  #prose(text) {
    if (this.#insideLink) return escapeProse(this.#deferChips(text));
    let html = '';
    let at = 0;
    for (const found of text.matchAll(PLACEHOLDER_RUN)) {
      html += this.#plainProse(text.slice(at, found.index)) + found[2] +
        found[1].match(PLACEHOLDER).map((c) => this.#chips(c)).join('');
      at = found.index + found[0].length;
    }
    return html + this.#plainProse(text.slice(at));
  }

  // ---- Inside of a block ---------------------------------------------------

  #inline(tokens) {
    return (tokens ?? []).map((token) => this.#span(token)).join('');
  }

  #span(token) {
    switch (token.type) {
      case 'text': return token.tokens ? this.#inline(token.tokens)
        : this.#prose(token.text);
      case 'strong': return `<strong>${this.#inline(token.tokens)}</strong>`;
      case 'em': return `<em>${this.#inline(token.tokens)}</em>`;
      case 'del': return `<del>${this.#inline(token.tokens)}</del>`;
      case 'br': return '<br>';
      case 'codespan':
        return this.#verbatim('code', '', token.text) + this.#chipsAfterSpan();
      case 'math': return this.#math('span', token) + this.#chipsAfterSpan();
      case 'link': return this.#link(token);
      case 'image': return this.#link({ ...token,
        tokens: [{ type: 'text', text: token.text || token.href }] });
      case 'checkbox': return token.checked ? '☑ ' : '☐ ';
      case 'escape': return escape(token.text);
      default: return this.#prose(token.raw);
    }
  }

  #verbatim(tag, attributes, text) {
    const inside = escape(this.#deferChips(text));
    return `<${tag} dir="ltr"${attributes}>${inside}</${tag}>`;
  }

  #math(tag, { text, display, open }) {
    return this.#verbatim(tag, ' class="fn-math"' +
      (display ? ' data-display=""' : '') + (open ? ' data-open=""' : ''),
    text);
  }

  /** The deferred chips of a span; inside of a link they wait for its end. */
  #chipsAfterSpan() {
    return this.#insideLink ? '' : this.#takeDeferredChips();
  }

  /** A link shows its host; without an allowed address it is only text.  Images
   *  are links too: loading one would tell its host who reads. */
  #link(token) {
    const href = safeHref(this.#deferChips(token.href ?? ''));
    if (this.#insideLink) return this.#inline(token.tokens);
    if (!href) return this.#inline(token.tokens) + this.#takeDeferredChips();
    this.#insideLink = true;
    const inside = this.#inline(token.tokens);
    this.#insideLink = false;
    const host = href.startsWith('mailto:') ? href.slice(7) : hostOf(href);
    const shown = isOwnAddress(this.#markersAsText(token.text ?? ''), href) ? ''
      : `<span class="fn-host" dir="ltr">${escape(host)}</span>`;
    return `<a class="fn-link" href="${escape(href)}" target="_blank" ` +
      `rel="noopener noreferrer nofollow">${inside}</a>${shown}` +
      this.#takeDeferredChips();
  }

  // ---- Blocks --------------------------------------------------------------

  #blocks(tokens) {
    return tokens.map((token) => this.block(token)).join('');
  }

  /** Markdown's # becomes h3: the page has h1 and h2 of its own. */
  #heading({ depth, tokens }) {
    const tag = `h${Math.min(depth + 2, 6)}`;
    return `<${tag} dir="auto">${this.#inline(tokens)}</${tag}>`;
  }

  #code({ text, lang, raw, codeBlockStyle }, growing) {
    const name = /^[\w+#.-]{1,32}/.exec(lang ?? '')?.[0];
    const open = growing && codeBlockStyle !== 'indented' &&
      !/\n {0,3}(?:`{3,}|~{3,})[ \t]*\n*$/.test(raw);
    const inside = escape(this.#deferChips(text));
    return '<pre class="fn-code" dir="ltr" tabindex="0"' +
      (name ? ` data-lang="${escape(name)}"` : '') +
      (open ? ' data-open=""' : '') + `><code>${inside}</code></pre>` +
      this.#takeDeferredChips('<p>', '</p>');
  }

  #mathBlock(token) {
    return this.#math('div', { ...token, display: true }) +
      this.#takeDeferredChips('<p>', '</p>');
  }

  #list({ ordered, start, items, loose }) {
    const tag = ordered ? 'ol' : 'ul';
    const from = ordered && start > 1 ? ` start="${Number(start)}"` : '';
    const inside = items.map((item) =>
      `<li dir="auto">${this.#item(item, loose)}</li>`).join('');
    return `<${tag}${from}>${inside}</${tag}>`;
  }

  #item({ tokens }, loose) {
    return tokens.map((token) => {
      if (token.type === 'checkbox') return this.#span(token);
      if (token.type !== 'text') return this.block(token);
      return loose ? `<p>${this.#span(token)}</p>` : this.#span(token);
    }).join('');
  }

  #table({ header, rows }) {
    const cell = (tag, { tokens, align }) => {
      const side = align && align !== 'left' ? ` class="fn-${align}"` : '';
      return `<${tag} dir="auto"${side}>${this.#inline(tokens)}</${tag}>`;
    };
    const row = (tag, cells) =>
      `<tr>${cells.map((c) => cell(tag, c)).join('')}</tr>`;
    return '<div class="fn-table" tabindex="0"><table><thead>' +
      `${row('th', header)}</thead><tbody>` +
      `${rows.map((cells) => row('td', cells)).join('')}</tbody></table></div>`;
  }

  /** A text that could not be read as Markdown. */
  plain(text) {
    this.#deferredChips = '';
    this.#insideLink = false;
    return `<p dir="auto">${this.#prose(text)}</p>`;
  }

  /** `growing`: this is the last block, and more text may come. */
  block(token, growing = false) {
    switch (token.type) {
      case 'space':
      case 'def': return '';
      case 'paragraph':
        return `<p dir="auto">${this.#inline(token.tokens)}</p>`;
      case 'heading': return this.#heading(token);
      case 'code': return this.#code(token, growing);
      case 'mathBlock': return this.#mathBlock(token);
      case 'blockquote':
        return '<blockquote dir="auto">' +
          `${this.#blocks(token.tokens)}</blockquote>`;
      case 'list': return this.#list(token);
      case 'table': return this.#table(token);
      case 'hr': return '<hr>';
      default: return `<p dir="auto">${this.#span(token)}</p>`;
    }
  }
}
