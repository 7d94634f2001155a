// lex.js - Markdown to tokens: marked, without raw HTML and with math.
//
// HTML tags are text, so nothing that a model writes becomes markup.  The only
// exception is <br>, which models put into tables.
import { Lexer, Marked } from 'marked';

const find = (pattern) => (source) => pattern.exec(source)?.index;

// Neither kind of math spans a blank line.
const TEX = String.raw`((?:(?!\n[ \t]*\n)[^])+?)`;
const DISPLAY = new RegExp(String.raw`^\$\$${TEX}\$\$`);
const BRACKETS = new RegExp(String.raw`^\\\[${TEX}\\\]`);
const PARENS = new RegExp(String.raw`^\\\(${TEX}\\\)`);
const BLOCK = new RegExp(String.raw`^ {0,3}(?:\$\$${TEX}\$\$|\\\[${TEX}\\\])` +
  String.raw`[ \t]*(?:\n+|$)`);
const BLOCK_OPEN = /^ {0,3}(?:\$\$|\\\[)((?:(?!\n[ \t]*\n)[^])*)$/;
// Pandoc's rule: no space inside, no digit after, so that prices stay text.
const DOLLARS =
  /^\$(?![\s$])((?:\\[^]|[^\\$\n]|\n(?![ \t]*\n))*?)(?<![\s\\])\$(?!\d)/;

const isMath = (tex) => tex !== undefined && tex.trim() !== '';

// Math in the middle of a paragraph is inline math: if blocks of math could
// interrupt a paragraph, it would depend on text far after it.
function blockMath(streaming) {
  return {
    name: 'mathBlock',
    level: 'block',
    tokenizer(source) {
      const whole = BLOCK.exec(source);
      const tex = whole?.[1] ?? whole?.[2];
      if (isMath(tex))
        return { type: 'mathBlock', raw: whole[0], text: tex.trim() };
      const open = streaming ? BLOCK_OPEN.exec(source) : null;
      return open ? { type: 'mathBlock', raw: open[0], text: open[1].trim(),
        open: true } : undefined;
    },
  };
}

const inlineMath = {
  name: 'math',
  level: 'inline',
  start: find(/(?:\$|\\[([])/),
  tokenizer(source) {
    for (const [pattern, display] of [[DISPLAY, true], [BRACKETS, true],
      [PARENS, false], [DOLLARS, false]]) {
      const found = pattern.exec(source);
      if (isMath(found?.[1]))
        return { type: 'math', raw: found[0], text: found[1].trim(), display };
    }
    return undefined;
  },
};

const lineBreak = {
  name: 'breakTag',
  level: 'inline',
  start: find(/<br/i),
  tokenizer(source) {
    const found = /^<br\s*\/?>/i.exec(source);
    return found ? { type: 'br', raw: found[0] } : undefined;
  },
};

function optionsOf(streaming) {
  const marked = new Marked({
    gfm: true,
    tokenizer: { html: () => undefined, tag: () => undefined },
  });
  marked.use({ extensions: [blockMath(streaming), inlineMath, lineBreak] });
  return marked.defaults;
}

const OPTIONS = { whole: null, growing: null };

/** Tokens of a text, and the link definitions that it adds to `links`. */
export function lex(text, { links = {}, growing = false } = {}) {
  const kind = growing ? 'growing' : 'whole';
  OPTIONS[kind] ??= optionsOf(growing);
  const lexer = new Lexer(OPTIONS[kind]);
  Object.assign(lexer.tokens.links, links);
  const tokens = lexer.lex(text);
  return { tokens: [...tokens], links: { ...tokens.links } };
}
