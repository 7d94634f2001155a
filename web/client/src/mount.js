// mount.js - draws blocks into a page.
//
// render.js makes safe HTML.  DOMPurify sanitizes it a second time with its own
// list and returns nodes, so that nothing is parsed again and a page with
// Trusted Types needs no other policy.  Nodes that did not change stay: focus,
// selection and open previews survive the next piece.
import DOMPurify from 'dompurify';

import { createRenderer } from './render.js';

const PLAIN_ATTRIBUTES = ['class', 'target', 'rel', 'dir', 'start', 'type',
  'tabindex', 'role', 'title', 'aria-label', 'data-n', 'data-display', 'data-open', 'data-lang'];

const ALLOWED = {
  ALLOWED_TAGS: ['a', 'blockquote', 'br', 'button', 'code', 'del', 'div', 'em',
    'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre', 'span', 'strong',
    'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul', '#text'],
  ALLOWED_ATTR: ['href', ...PLAIN_ATTRIBUTES],
  ADD_URI_SAFE_ATTR: PLAIN_ATTRIBUTES,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#[\w-]*$)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const purifiers = new WeakMap();

/** DOMPurify belongs to a window; a page has one, a test may have many. */
function purifierOf(view) {
  if (DOMPurify.isSupported && view === globalThis.window) return DOMPurify;
  if (!purifiers.has(view)) purifiers.set(view, DOMPurify(view));
  return purifiers.get(view);
}

/** The nodes of HTML, with only the tags and attributes of ALLOWED. */
export const sanitize = (html, view) => purifierOf(view).sanitize(html, ALLOWED);

function sameTagAndAttributes(a, b) {
  return a.nodeType === 1 && b.nodeType === 1 && a.tagName === b.tagName &&
    a.attributes.length === b.attributes.length &&
    [...a.attributes].every(({ name, value }) =>
      b.getAttribute(name) === value);
}

/** Elements that a page may redraw in onBlock: math and code. */
const REDRAWN_BY_PAGE = '.fn-math, .fn-code';

/** Whether the children of `live` can be changed one by one. */
const canMorph = (live, before, after) => sameTagAndAttributes(before, after) &&
  live.nodeName === before.nodeName &&
  (!before.matches(REDRAWN_BY_PAGE) || live.isEqualNode(before));

/** Changes `live`, which was drawn as `before`, to `after`.  Nodes that are equal
 *  in the last two are not touched: the page may have highlighted chips or drawn
 *  formulas there.  Text grows at its end, so equal nodes are at the start. */
function morph(live, before, after) {
  const lives = [...live.childNodes];
  const olds = [...before.childNodes];
  if (lives.length !== olds.length)
    return void live.replaceChildren(
      ...[...after.childNodes].map((node) => node.cloneNode(true)));
  [...after.childNodes].forEach((node, i) => {
    const [here, old] = [lives[i], olds[i]];
    if (!here) live.append(node.cloneNode(true));
    else if (old.isEqualNode(node)) return;
    else if (canMorph(here, old, node)) morph(here, old, node);
    else if (here.nodeType === 3 && node.nodeType === 3) here.data = node.data;
    else here.replaceWith(node.cloneNode(true));
  });
  for (const here of lives.slice(after.childNodes.length)) here.remove();
}

export function mountMarkdown(element, options) {
  const renderer = createRenderer(options);
  /** For each block: its element, what was drawn there, whether it is final. */
  let slots = [];

  function draw(slot, html) {
    const fresh = sanitize(html, element.ownerDocument.defaultView);
    morph(slot.element, slot.drawn, fresh);
    slot.drawn = fresh;
  }

  function slotOf(i) {
    if (!slots[i]) {
      const block = element.ownerDocument.createElement('div');
      block.className = 'fn-block';
      element.append(block);
      slots[i] = { element: block, html: null, done: false,
        drawn: element.ownerDocument.createDocumentFragment() };
    }
    return slots[i];
  }

  const mount = {
    onBlock: null,
    set: (more) => renderer.set(more),
    clear() {
      slots = [];
      element.replaceChildren();
    },
    update(text, done = false) {
      const blocks = renderer.render(text, done);
      blocks.forEach(({ html }, i) => {
        const slot = slotOf(i);
        const final = done || i < blocks.length - 1;
        if (slot.html === html && slot.done === final) return;
        if (slot.html !== html) draw(slot, html);
        Object.assign(slot, { html, done: final });
        mount.onBlock?.(slot.element, final);
      });
      for (const slot of slots.splice(blocks.length)) slot.element.remove();
    },
  };
  return mount;
}
