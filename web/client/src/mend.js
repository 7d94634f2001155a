// mend.js - the last block of a text that is still being written.
//
// Half a construct would be shown raw and then jump into shape.  So what only
// announces a block (a lone dash, a table's first row) waits for its line, and
// what was opened inside of a line is closed for the time being.  A finished
// text never comes here.

/** The last line says nothing yet: a bullet, a number, hashes, a rule. */
const BARE =
  /(^|\n)[ \t>]*(?:[-+*=_#~`|]+|\d{1,9}[.)]?|[-+*]\s+\[[ xX]?\]?)?[ \t]*$/;
/** A table is one from its second line on. */
const TABLE_HEAD = /(^|\n)[ \t>]*\|[^\n]*(?:\n[ \t>]*\|?[-:| \t]*)?$/;
/** A link whose address has not come to its end. */
const LINK = /!?\[([^[\]\n]*)\]\([^()\n]*$/;
/** So much is open at once in no honest text; to close it all takes long. */
const OPEN_MAX = 8;
const DELIMITER = /(\\.)|(`+)|(\*{1,3}|~~)/gs;

function openFence(text) {
  let fence = null;
  for (const [, run, rest] of text.matchAll(
    /^[ \t>]*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})([^\n]*)/gm)) {
    if (!fence) fence = run;
    else if (run[0] === fence[0] && run.length >= fence.length &&
      rest.trim() === '') fence = null;
  }
  return fence !== null;
}

const lastParagraph = (text) =>
  text.slice(/^[^]*\n[ \t]*\n/.exec(text)?.[0].length ?? 0);

/** What closes the emphasis and the code that are open at the end. */
function closers(text) {
  const open = [];
  for (let m; (m = DELIMITER.exec(text));) {
    const [found, escaped, ticks, run] = m;
    const end = DELIMITER.lastIndex;
    if (escaped) continue;
    if (ticks) {
      const close = text.slice(end).search(
        new RegExp(`(?<!\`)\`{${found.length}}(?!\`)`));
      if (close < 0) {
        DELIMITER.lastIndex = 0;
        return text.slice(end).trim() ? [...open, found] : null;
      }
      DELIMITER.lastIndex = end + close + found.length;
    } else if (open.at(-1) === run && /\S/.test(text[m.index - 1] ?? ' ')) {
      open.pop();
    } else if (/\S/.test(text[end] ?? ' ')) {
      open.push(run);
    }
  }
  return open;
}

export function mend(text) {
  if (openFence(text)) return text;
  let shown = text.replace(BARE, '$1');
  const head = TABLE_HEAD.exec(lastParagraph(shown));
  if (head && head.index === 0) shown = shown.slice(0, -head[0].length);
  shown = shown.replace(LINK, '$1').replace(/(?:\*{1,3}|~{1,2}|`+|!?\[)$/, '');
  const close = closers(lastParagraph(shown));
  if (!close?.length || close.length > OPEN_MAX) return shown;
  return shown.trimEnd() + close.toReversed().join('');
}
