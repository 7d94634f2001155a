// claim.js - the sentence before a chip.
//
// It is a Range, so that a page can highlight it with the CSS Custom Highlight
// API without changing the text.

const BLOCKS = 'p, li, td, th, h3, h4, h5, h6, blockquote';

/** The text nodes of a block, without chips and nested blocks. */
function textNodes(block) {
  const { NodeFilter } = block.ownerDocument.defaultView;
  const walker = block.ownerDocument.createTreeWalker(block,
    NodeFilter.SHOW_ALL, (node) => {
      if (node.nodeType === 3) return NodeFilter.FILTER_ACCEPT;
      return node.matches?.(`.fn-chip, .fn-host, ${BLOCKS}`)
        ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    });
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

/** Blanks and the word joiners before chips. */
const LEADING = /^[\s\u2060]*/;
const TRAILING = /[\s\u2060]*$/;

/** The places of sentences, without blanks around them. */
function sentences(text, language) {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  return [...segmenter.segment(text)].map(({ index, segment }) => ({
    start: index + LEADING.exec(segment)[0].length,
    end: index + TRAILING.exec(segment).index,
  })).filter(({ start, end }) => start < end);
}

export function claimOf(chip) {
  const block = chip.closest(BLOCKS);
  if (!block) return null;
  const nodes = textNodes(block);
  const before = nodes.filter((node) =>
    chip.compareDocumentPosition(node) & 2 /* preceding */);
  const text = nodes.map((node) => node.data).join('');
  const at = before.reduce((n, node) => n + node.data.length, 0);
  const written = TRAILING.exec(text.slice(0, at)).index;
  const all = sentences(text, block.ownerDocument.documentElement.lang ||
    undefined);
  // A chip at the very start belongs to the sentence after it.
  const found = all.find(({ start, end }) => start < written &&
    end >= written) ?? all[0];
  return found ? rangeOf(nodes, found) : null;
}

function rangeOf(nodes, { start, end }) {
  const range = nodes[0].ownerDocument.createRange();
  let at = 0;
  for (const node of nodes) {
    const next = at + node.data.length;
    if (start >= at && start < next) range.setStart(node, start - at);
    if (end > at && end <= next) {
      range.setEnd(node, end - at);
      return range;
    }
    at = next;
  }
  return range;
}
