// unfinished.js - makes the end of a text that still streams presentable.
//
// Half a construct would be shown raw and then change its shape.  So the start
// of a block (a lone dash, the first row of a table) is hidden until its line is
// there, and emphasis, code and links that are open are closed for now.  A
// finished text does not need this.

/** A last line that is only a bullet, a number, hashes or a rule so far. */
const UNFINISHED_LINE =
  /(^|\n)[ \t>]*(?:[-+*=_#~`|]+|\d{1,9}[.)]?|[-+*]\s+\[[ xX]?\]?)?[ \t]*$/;
/** The head of a table, whose second line is not complete. */
const TABLE_HEAD = /(^|\n)[ \t>]*\|[^\n]*(?:\n[ \t>]*\|?[-:| \t]*)?$/;
/** A link whose address is not complete. */
const LINK = /!?\[([^[\]\n]*)\]\([^()\n]*$/;
/** Hostile texts open more, and closing all of them takes long. */
const OPEN_MAX = 8;
const DELIMITER = /(\\.)|(`+)|(\*{1,3}|~~)/gs;

function isInFence(text) {
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

/** Delimiters that close open emphasis and code; null for backticks at the end. */
function closingDelimiters(text) {
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

export function closeUnfinished(text) {
  if (isInFence(text)) return text;
  let shown = text.replace(UNFINISHED_LINE, '$1');
  const tableHead = TABLE_HEAD.exec(lastParagraph(shown));
  if (tableHead && tableHead.index === 0) shown = shown.slice(0, -tableHead[0].length);
  shown = shown.replace(LINK, '$1').replace(/(?:\*{1,3}|~{1,2}|`+|!?\[)$/, '');
  const closing = closingDelimiters(lastParagraph(shown));
  if (!closing?.length || closing.length > OPEN_MAX) return shown;
  return shown.trimEnd() + closing.toReversed().join('');
}
