// mount.js - blocks into a page.
//
// render.js makes safe HTML; DOMPurify cleans it a second time with a list of
// its own, and hands over nodes, so that nothing is parsed again and a page
// with Trusted Types needs no policy but DOMPurify's.  Nodes that did not
// change stay: focus, selection and open previews survive the next piece.
import DOMPurify from 'dompurify';

import { createRenderer } from './render.js';

const PLAIN_ATTRIBUTES = ['class', 'target', 'rel', 'dir', 'start', 'type',
  'tabindex', 'aria-label', 'data-n', 'data-display', 'data-open', 'data-lang'];

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

/** Nodes of HTML, with nothing in them that is not on the list. */
export const clean = (html, view) => purifierOf(view).sanitize(html, ALLOWED);

function sameShell(a, b) {
  return a.nodeType === 1 && b.nodeType === 1 && a.tagName === b.tagName &&
    a.attributes.length === b.attributes.length &&
    [...a.attributes].every(({ name, value }) => b.getAttribute(name) === value);
}

/** Makes `old` the same as `fresh` with as few changes as are easy to find:
 *  text grows at its end, so equal nodes are at the start. */
function morph(old, fresh) {
  const wanted = [...fresh.childNodes];
  wanted.forEach((node, i) => {
    const here = old.childNodes[i];
    if (!here) old.append(node);
    else if (here.isEqualNode(node)) return;
    else if (sameShell(here, node)) morph(here, node);
    else if (here.nodeType === 3 && node.nodeType === 3) here.data = node.data;
    else here.replaceWith(node);
  });
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

export function mountMarkdown(element, options) {
  const renderer = createRenderer(options);
  /** Per block: its element, what was drawn there, and whether for good. */
  let shown = [];

  function draw(slot, html, upgraded) {
    const fresh = clean(html, element.ownerDocument.defaultView);
    // The page may have put its own nodes (math, colours) in place of ours.
    if (upgraded) slot.element.replaceChildren(fresh);
    else morph(slot.element, fresh);
  }

  function slotOf(i) {
    if (!shown[i]) {
      const block = element.ownerDocument.createElement('div');
      block.className = 'fn-block';
      element.append(block);
      shown[i] = { element: block, html: null, done: false };
    }
    return shown[i];
  }

  const mount = {
    onBlock: null,
    set: (more) => renderer.set(more),
    clear() {
      shown = [];
      element.replaceChildren();
    },
    update(text, done = false) {
      const blocks = renderer.render(text, done);
      blocks.forEach(({ html }, i) => {
        const slot = slotOf(i);
        const final = done || i < blocks.length - 1;
        if (slot.html === html && slot.done === final) return;
        if (slot.html !== html) draw(slot, html, mount.onBlock !== null);
        Object.assign(slot, { html, done: final });
        mount.onBlock?.(slot.element, final);
      });
      for (const slot of shown.splice(blocks.length)) slot.element.remove();
    },
  };
  return mount;
}
