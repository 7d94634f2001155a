// claims.js - what an answer says before each marker of a source, as text.
//
// It goes back to the marker before, or to the start of the paragraph or of the
// item: the server finds which of it the source carries.

const CHARS_MAX = 1000;
/** The start of a paragraph, an item, a heading, a quotation or a cell. */
const BLOCK = /\n[ \t]*\n|\n(?=[ \t]*(?:[-*+#>|]|\d+[.)][ \t]))|\|/g;

/** Links are their words. */
const plain = (text) => text.replace(/\[([^\][]*)\]\([^()\s]*\)/g, '$1').trim();

function blockStart(content, to) {
  let start = 0;
  for (const found of content.slice(0, to).matchAll(BLOCK)) start = found.index + found[0].length;
  return start;
}

/** Where the text before a marker ends: in front of the markers beside it. */
function textEnd(content, markers, start) {
  for (let to = start; ;) {
    to = content.slice(0, to).trimEnd().length;
    const beside = markers.find(([from, end]) => end === to && from < to);
    if (!beside) return to;
    [to] = beside;
  }
}

/** A marker that begins its paragraph stands for what follows. */
function textAfter(content, markers, end) {
  const next = Math.min(content.length, ...markers.map(([from]) => from).filter((from) => from > end));
  return plain(content.slice(end, next).trimStart().split(/\n[ \t]*\n/)[0]);
}

export function claimsOf(content, sources, source) {
  const markers = sources.flatMap((s) => s.spans ?? []);
  return (source.spans ?? []).map(([start, end]) => {
    const to = textEnd(content, markers, start);
    const before = markers.map(([, e]) => e).filter((e) => e <= to);
    const from = Math.max(blockStart(content, to), to - CHARS_MAX, ...before);
    const text = content.slice(from, to);
    return plain(from === to - CHARS_MAX ? text.replace(/^\S*\s+/, '') : text) ||
      textAfter(content, markers, end);
  });
}
