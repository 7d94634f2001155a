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

/** What a page may draw over: math and code. */
const UPGRADABLE = '.fn-math, .fn-code';

/** Whether the children of `live` can be changed one by one. */
const followable = (live, before, after) => sameShell(before, after) &&
  live.nodeName === before.nodeName &&
  (!before.matches(UPGRADABLE) || live.isEqualNode(before));

/** Brings `live`, which was drawn as `before`, to `after`.  What is equal in
 *  the last two is left alone, whatever the page has made of it: lit chips,
 *  drawn formulas.  Text grows at its end, so equal nodes are at the start. */
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
    else if (followable(here, old, node)) morph(here, old, node);
    else if (here.nodeType === 3 && node.nodeType === 3) here.data = node.data;
    else here.replaceWith(node.cloneNode(true));
  });
  for (const here of lives.slice(after.childNodes.length)) here.remove();
}

export function mountMarkdown(element, options) {
  const renderer = createRenderer(options);
  /** Per block: its element, what was drawn there, and whether for good. */
  let shown = [];

  function draw(slot, html) {
    const fresh = clean(html, element.ownerDocument.defaultView);
    morph(slot.element, slot.drawn, fresh);
    slot.drawn = fresh;
  }

  function slotOf(i) {
    if (!shown[i]) {
      const block = element.ownerDocument.createElement('div');
      block.className = 'fn-block';
      element.append(block);
      shown[i] = { element: block, html: null, done: false,
        drawn: element.ownerDocument.createDocumentFragment() };
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
        if (slot.html !== html) draw(slot, html);
        Object.assign(slot, { html, done: final });
        mount.onBlock?.(slot.element, final);
      });
      for (const slot of shown.splice(blocks.length)) slot.element.remove();
    },
  };
  return mount;
}
