// lex.js - Markdown to tokens: marked, without raw HTML and with math.
//
// A tag is text like any other, so nothing that a model writes is ever markup;
// only <br>, which models put into tables, means what it says.
import { Lexer, Marked } from 'marked';

const find = (pattern) => (source) => pattern.exec(source)?.index;

// Neither kind of math spans a blank line.
const BLOCK = /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n)[^])+?)\$\$|\\\[((?:(?!\n[ \t]*\n)[^])+?)\\\])[ \t]*(?:\n+|$)/;
const BLOCK_OPEN = /^ {0,3}(?:\$\$|\\\[)((?:(?!\n[ \t]*\n)[^])*)$/;
const DISPLAY = /^\$\$((?:(?!\n[ \t]*\n)[^])+?)\$\$/;
const PARENS = /^\\\(((?:(?!\n[ \t]*\n)[^])+?)\\\)/;
const BRACKETS = /^\\\[((?:(?!\n[ \t]*\n)[^])+?)\\\]/;
// Pandoc's rule: no space inside, no digit behind, so that prices stay text.
const DOLLARS = /^\$(?![\s$])((?:\\[^]|[^\\$\n]|\n(?![ \t]*\n))*?)(?<![\s\\])\$(?!\d)/;

const isMath = (tex) => tex !== undefined && tex.trim() !== '';

// Math that begins in the middle of a paragraph is found inside of it: a block
// that interrupts paragraphs would make them depend on text far behind.
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
