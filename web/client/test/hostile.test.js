// hostile.test.js - nothing that comes from a model or a document is markup.
//
// Each payload is drawn whole and at every length on its way, in the text, in
// titles and in quotes; then the nodes are searched for anything that could
// run, load or navigate.  The HTML is checked with and without DOMPurify: each
// of the two must be enough alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { JSDOM } from 'jsdom';

import {
  createRenderer, mountMarkdown, renderMarkdown, toHtml, toSource,
} from '../src/index.js';
import { sanitize } from '../src/mount.js';
import { HOSTILE } from './hostile.js';

const { window } = new JSDOM('<!doctype html><body></body>',
  { runScripts: 'dangerously', url: 'http://localhost/' });
const ran = [];
window.alert = (x) => ran.push(x);

const TAGS = new Set(['A', 'BLOCKQUOTE', 'BR', 'CODE', 'DEL', 'DIV', 'EM', 'H3',
  'H4', 'H5', 'H6', 'HR', 'LI', 'OL', 'P', 'PRE', 'SPAN', 'STRONG', 'TABLE',
  'TBODY', 'TD', 'TH', 'THEAD', 'TR', 'UL', 'BUTTON']);
const ATTRIBUTES = new Set(['class', 'href', 'target', 'rel', 'dir', 'start',
  'tabindex', 'aria-label', 'data-n', 'data-display', 'data-open', 'data-lang',
  'type', 'role', 'title']);
const CLASSES = /^fn-(chip|no-source|link|host|math|code|table|block|right|center)$/;

function check(root, why) {
  for (const element of root.querySelectorAll('*')) {
    assert.ok(TAGS.has(element.tagName), `${element.tagName} in ${why}`);
    for (const { name, value } of element.attributes) {
      assert.ok(ATTRIBUTES.has(name), `${name} in ${why}`);
      if (name === 'href')
        assert.match(value, /^(?:https?:\/\/|mailto:|#ref-\d+$)/, why);
      if (name === 'role' || name === 'title')
        assert.equal(element.className, 'fn-no-source', why);
      if (name === 'class') assert.match(value, CLASSES, why);
    }
    if (element.target === '_blank') assert.match(element.rel, /noopener/);
  }
}

function parsed(html) {
  const box = window.document.createElement('div');
  window.document.body.replaceChildren(box);
  box.innerHTML = html;
  return box;
}

const sourcesFor = (payload) => [1, 2].map((n) => toSource({ chunkNumber: n,
  sourceType: 'slide', title: payload, slideNumber: n, contentPreview: payload,
  url: payload, documentId: payload }));

test('there is enough to try', () => {
  assert.ok(HOSTILE.length >= 150, `${HOSTILE.length} payloads`);
  assert.equal(new Set(HOSTILE).size, HOSTILE.length);
});

test('no payload is markup, without DOMPurify', () => {
  for (const payload of HOSTILE) {
    for (const text of [payload, `Text [1] ${payload} more [2].`,
      `- a\n- ${payload}\n\n> ${payload}`])
      check(parsed(renderMarkdown(text, { sources: sourcesFor('x') })), payload);
    check(parsed(toHtml({ role: 'assistant', content: `${payload} [1]`,
      sources: sourcesFor(payload) })), payload);
  }
  assert.deepEqual(ran, []);
});

test('nor is half of one, while it streams', () => {
  for (const payload of HOSTILE) {
    const renderer = createRenderer({ sources: sourcesFor(payload) });
    const text = `A [1] ${payload}`;
    const seen = new Set();
    for (let end = 0; end <= text.length; end += end < 300 ? 1 : 97)
      for (const { html } of renderer.render(text.slice(0, end))) seen.add(html);
    for (const html of seen) check(parsed(html), payload);
  }
  assert.deepEqual(ran, []);
});

test('the page itself stays clean', () => {
  for (const payload of HOSTILE) {
    const box = window.document.createElement('div');
    window.document.body.replaceChildren(box);
    const mount = mountMarkdown(box, { sources: sourcesFor(payload) });
    const text = `${payload}\n\nA [1] ${payload} [2]`;
    for (let end = 0; end < text.length; end += 7) mount.update(text.slice(0, end));
    mount.update(text, true);
    check(box, payload);
  }
  assert.deepEqual(ran, []);
});

test('DOMPurify alone would be enough', () => {
  for (const payload of HOSTILE) {
    const box = window.document.createElement('div');
    window.document.body.replaceChildren(box);
    box.append(sanitize(payload, window));
    for (const element of box.querySelectorAll('*')) {
      assert.ok(TAGS.has(element.tagName), `${element.tagName} in ${payload}`);
      for (const { name, value } of element.attributes) {
        assert.ok(ATTRIBUTES.has(name), `${name} in ${payload}`);
        if (name === 'href') assert.match(value, /^(?:https?:|mailto:|#)/, payload);
      }
    }
  }
  assert.deepEqual(ran, []);
});
