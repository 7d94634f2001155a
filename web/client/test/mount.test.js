// mount.test.js - blocks in a page: what stands is not touched.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { JSDOM } from 'jsdom';

import { claimOf, mountMarkdown, renderMarkdown, toSource } from '../src/index.js';

const { document } = new JSDOM('<!doctype html><html lang="en"><body>').window;
const sources = [1, 2, 3].map((n) => toSource({ chunkNumber: n,
  sourceType: 'slide', title: `L${n}`, slideNumber: n }));

function mounted() {
  const box = document.createElement('div');
  document.body.replaceChildren(box);
  return { box, mount: mountMarkdown(box, { sources }) };
}

function stream(mount, text, size = 3) {
  for (let end = 0; end < text.length; end += size)
    mount.update(text.slice(0, end));
  mount.update(text, true);
}

const TEXT = '# Heat\n\nGrows [1].\n\n- a [2]\n- b\n- c [3]\n\n```js\nx[1]\n```\n\nEnd.';

test('the page shows what the renderer made', () => {
  const { box, mount } = mounted();
  stream(mount, TEXT);
  const want = document.createElement('div');
  want.innerHTML = renderMarkdown(TEXT, { sources }).replace(/\n(?=<)/g, '');
  assert.equal([...box.children].map((b) => b.innerHTML).join(''),
    want.innerHTML);
  assert.ok([...box.children].every((b) => b.className === 'fn-block'));
});

test('nodes that did not change are the same nodes', () => {
  const { box, mount } = mounted();
  mount.update('Grows [1]. And\n\n- a [2]\n- b');
  const [chip, item] = [box.querySelector('.fn-chip'), box.querySelector('li')];
  chip.focus();
  mount.update('Grows [1]. And more\n\n- a [2]\n- bc\n- d');
  assert.equal(box.querySelector('.fn-chip'), chip);
  assert.equal(box.querySelector('li'), item);
  assert.equal(document.activeElement, chip);
  assert.equal(box.querySelectorAll('li').length, 3);
});

test('a page is told of each block, and when it is done', () => {
  const { mount } = mounted();
  const told = [];
  mount.onBlock = (element, done) => told.push([element.textContent, done]);
  mount.update('One.\n\nTw');
  mount.update('One.\n\nTwo.', true);
  assert.deepEqual(told, [['One.', true], ['Tw', false], ['Two.', true]]);
});

test('what the page made of a block stays while its source does', () => {
  const { box, mount } = mounted();
  let drawn = 0;
  mount.onBlock = (element) => {
    for (const math of element.querySelectorAll('.fn-math:not([data-drawn])')) {
      math.innerHTML = `<b>drawn ${++drawn}</b>`;
      math.setAttribute('data-drawn', '');
    }
  };
  mount.update('Heat $x$ [1] is');
  box.querySelector('.fn-chip').classList.add('lit');
  mount.update('Heat $x$ [1] is **not');
  mount.update('Heat $x$ [1] is **not** $y$', true);
  assert.equal(box.textContent.replace(/\u2060/g, ''), 'Heat drawn 11 is not drawn 2');
  assert.ok(box.querySelector('.fn-chip.lit'));
  mount.update('$$a', false);
  mount.update('$$a+b', false);
  mount.update('$$a+b$$', true);
  assert.equal(box.textContent, `drawn ${drawn}`);
});

test('a shorter or another text leaves nothing behind', () => {
  const { box, mount } = mounted();
  mount.update(TEXT, true);
  mount.update('Other.', true);
  assert.equal(box.textContent, 'Other.');
  mount.clear();
  assert.equal(box.childNodes.length, 0);
});

test('a chip knows its sentence', () => {
  const { box, mount } = mounted();
  mount.update('Heat flows. **Entropy** grows always [1]. It is so [2][3]. End.' +
    '\n\n[1] says so.\n\n- one [1]\n- two\n', true);
  const claims = [...box.querySelectorAll('.fn-chip')].map((chip) =>
    String(claimOf(chip)).replace(/\u2060/g, '').trim());
  assert.deepEqual(claims, ['Entropy grows always.', 'It is so.', 'It is so.',
    'says so.', 'one']);
  assert.equal(claimOf(document.body), null);
});
