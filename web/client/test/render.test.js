// render.test.js - Markdown while it streams: at the end the same as at once,
// and on the way nothing raw, nothing redrawn that stands.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createRenderer, renderMarkdown, toSource } from '../src/index.js';

export const SOURCES = [1, 2, 3].map((n) => toSource({ chunkNumber: n,
  sourceType: 'slide', title: `Lecture ${n}`, slideNumber: 10 + n }));
const options = { sources: SOURCES };
const render = (text) => renderMarkdown(text, options);

const TEXTS = [
  'Entropy grows [1]. It never falls [2][3].',
  '# Title\n\nFirst **bold [1]** and *soft*.\n\nSecond `code[1]` and ~~gone~~.\n',
  '- one [1]\n- two\n  - inner [2]\n\n  more\n- three\n\nAfter.\n\n1. a\n2. b\n\n5. c\n',
  '- a\n\n- b\n\n* c\n\n  d\n\ne\n',
  '| a | b |\n|---|--:|\n| x [1] | y<br>z |\n| `|` | [2] |\n\ntext\n',
  '```js\nconst a = b[1];\n```\n\nText [1].\n\n~~~\n[2]\n~~~\n\nend [3]',
  '> quote [1]\n> more\nlazy\n\n> > deep\n\nout\n',
  'See [the page][p] and [1][p] and [p].\n\nMore.\n\n[p]: https://example.org/x "T"\n\nEnd [p].\n',
  'Price $5 and $6, but $x_1 + [1]$ and \\(y\\).\n\n$$\n\\int_0^1 x\\,dx\n$$\n\n\\[ z^2 \\]\n\nend [2]',
  'Setext\n===\n\nNext\n---\n\n***\n\n    indented [1]\n\ntext\n',
  'A [link](https://example.org/a_(b)) and ![pic](https://e.org/p.png) https://e.org/x. <https://e.org>\n\n- [ ] todo\n- [x] done [1]\n',
  'مرحبا [1] بالعالم.\n\n日本語【1】です。［2］\n\n😀 [3]\n',
  'a\r\n\r\nb [1]\r\n\r\n- c\r\n- d\r\n\r\ne\r\n',
  'unclosed **bold and `code and [link](http://x and $math\n\nnext [1',
  '<b>x</b> <script>alert(1)</script>\n\n<div>\n\n*a*\n\n</div>\n',
  '1. x\n\n   ```\n   [1]\n   ```\n\n2. y [2]\n\nz\n',
  '[^Page] and [1,9] and [9] and [1-3] and [\\[1]\n',
  'a\n\n\n\n\nb\n\n \n\nc\n',
  // A fence to the end for the grammar, not for Markdown.
  '- a\n\n  ```\n\nb [1]\n\nc [1]\n\nd [1]\n',
];

/** Feeds a text in pieces; gives all states. */
function stream(text, size) {
  const renderer = createRenderer(options);
  const states = [];
  for (let end = 0; end < text.length; end += size)
    states.push(renderer.render(text.slice(0, end)));
  states.push(renderer.render(text, true));
  return states;
}

const join = (blocks) => blocks.map(({ html }) => html).join('\n');

test('a streamed text ends as the same text at once', () => {
  for (const text of TEXTS)
    for (const size of [1, 2, 3, 7, 50])
      assert.equal(join(stream(text, size).at(-1)), render(text), text);
});

const PIECES = ['[1]', '[2]', ' ', ' ', 'word', 'word ', '\n', '\n\n', '- ', '* ',
  '1. ', '> ', '# ', '**', '*', '_', '`', '```', '\n```\n', '~~~\n', '$', '$$',
  '\\(', '\\)', '\\[', '\\]', '|', '| a | b |\n', '|--|--|\n', '[x](', ')',
  'https://e.org/', '[r]', '[r]: https://e.org\n', '    ', '  ', '---\n', '===\n',
  '<b>', '<br>', '&amp;', '\\', '[', ']', '😀', '[ ] ', '\t', '\r\n', '~~', '.'];

function randoms(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) &
      (2n ** 64n - 1n);
    return Number(state >> 33n);
  };
}

test('so does any text', () => {
  const random = randoms(7);
  for (let i = 0; i < 1500; i++) {
    let text = '';
    for (let n = random() % 40; n > 0; n--)
      text += PIECES[random() % PIECES.length];
    const size = 1 + random() % 9;
    assert.equal(join(stream(text, size).at(-1)), render(text),
      JSON.stringify(text));
  }
});

test('blocks that stand are the same objects, with the same keys', () => {
  const paragraphs = Array.from({ length: 30 }, (_, i) => `Paragraph ${i} [1].`);
  const states = stream(paragraphs.join('\n\n'), 3);
  let redrawn = 0;
  for (let i = 1; i < states.length; i++) {
    const [old, now] = [states[i - 1], states[i]];
    redrawn += now.filter((block, k) => block !== old[k]).length;
    // All but the last two are as they were.
    for (let k = 0; k < old.length - 2; k++) assert.equal(now[k], old[k]);
    assert.deepEqual(now.map(({ key }) => key), now.map((_, k) => `b${k}`));
  }
  assert.ok(redrawn < states.length * 1.5, `${redrawn} of ${states.length}`);
});

test('half a construct is not shown raw', () => {
  const shows = (text, want) => {
    const html = join(createRenderer(options).render(text));
    assert.equal(html.replace(/<[^>]*>/g, ''), want, text);
  };
  shows('A **bold', 'A bold');
  shows('A **bold*', 'A bold');
  shows('A **', 'A ');
  shows('A *soft wo', 'A soft wo');
  shows('A `code', 'A code');
  shows('A [link](https://exa', 'A link');
  shows('A [link](', 'A link');
  shows('Text [1', 'Text ');
  shows('Text\n\n-', 'Text');
  shows('Text\n\n- ', 'Text');
  shows('Text\n\n12', 'Text');
  shows('Text\n\n##', 'Text');
  shows('Text\n--', 'Text');
  shows('Text\n\n| a | b |', 'Text');
  shows('Text\n\n| a | b |\n|--', 'Text');
  shows('Text\n\n| a | b |\n|--|--|\n', 'Text\nab');
  shows('Cost is 5 * 3', 'Cost is 5 * 3');
  shows('```js\nlet a', 'let a');
});

test('math and code that are not finished say so', () => {
  const renderer = createRenderer(options);
  assert.match(join(renderer.render('```js\nlet a')), /data-open/);
  assert.doesNotMatch(join(renderer.render('```js\nlet a\n```\n')), /data-open/);
  assert.match(join(renderer.render('$$\nx^2')), /fn-math[^>]*data-open/);
  assert.doesNotMatch(join(renderer.render('$$\nx^2\n$$')), /data-open/);
  assert.doesNotMatch(render('```js\nlet a'), /data-open/);
});

test('a chip names its source, and unknown numbers are text', () => {
  assert.equal(render('Grows [1].'), '<p dir="auto">Grows.\u2060' +
    '<a href="#ref-1" class="fn-chip" data-n="1" ' +
    'aria-label="Reference 1: Lecture 1, slide 11">1</a></p>');
  assert.equal(render('Grows [7].'), '<p dir="auto">Grows ' +
    '<span class="fn-no-source" role="img" title="No source has this number" ' +
    'aria-label="[7]: No source has this number">[7]</span>.</p>');
  assert.match(renderMarkdown('[2]', { ...options, chip: 'button',
    refPrefix: 'm-' }), /<button type="button" class="fn-chip" data-n="2"/);
  assert.match(renderMarkdown('[2]', { ...options, refPrefix: 'm1-ref-' }),
    /href="#m1-ref-2"/);
  assert.equal((render('[1-3]').match(/fn-chip/g)).length, 3);
  assert.match(render('[1,9]'), /data-n="1".*\[9\]/);
});

test('where no chip can stand it stands behind', () => {
  assert.match(render('[see [1]](https://e.org)'),
    />see \[1\]<\/a><span[^>]*>e\.org<\/span>\u2060<a [^>]*data-n="1"/);
  assert.match(render('$x[1]$'), />x\[1\]<\/span>\u2060<a [^>]*data-n="1"/);
  assert.match(render('    a[1]'), /a\[1\]<\/code><\/pre><p>\u2060<a /);
  assert.doesNotMatch(render('`a[1]`'), /fn-chip/);
});

test('a picture source is what [^Page] means', () => {
  const picture = toSource({ chunkNumber: 4, sourceType: 'image',
    title: 'Slides', slideNumber: 42 });
  const html = renderMarkdown('On the page [^Page].',
    { sources: [...SOURCES, picture] });
  assert.match(html, /data-n="4" aria-label="Reference 4: Slides, page 42"/);
  assert.equal(render('[^Page]'), '<p dir="auto">[^Page]</p>');
});

test('links show their host unless they are it', () => {
  assert.match(render('[bank](https://evil.example/x)'),
    /class="fn-host" dir="ltr">evil\.example</);
  assert.match(render('[https://bank.example](https://evil.example/)'),
    />evil\.example</);
  assert.doesNotMatch(render('https://e.org/x'), /fn-host/);
  assert.match(render('[x](https://bank.example@evil.example)'),
    />evil\.example</);
  assert.match(render('[x](https://e.org)'),
    /target="_blank" rel="noopener noreferrer nofollow"/);
});

test('other sources or words draw anew', () => {
  const renderer = createRenderer({ sources: [] });
  assert.doesNotMatch(join(renderer.render('a [1]\n\nb\n\nc [2]\n\nd ', false)),
    /fn-chip/);
  renderer.set({ sources: SOURCES });
  assert.equal((join(renderer.render('a [1]\n\nb\n\nc [2]\n\nd ')).match(/fn-chip/g))
    .length, 2);
});

test('a text that does not go on starts afresh', () => {
  const renderer = createRenderer(options);
  renderer.render('one\n\ntwo\n\nthree\n\nfour');
  assert.equal(join(renderer.render('other [1]', true)), render('other [1]'));
});

test('deep nesting is text, not a crash', () => {
  for (const text of ['>'.repeat(20_000) + 'x', '- '.repeat(3000) + 'x',
    '['.repeat(20_000), '*a '.repeat(5000), '**a '.repeat(5000)])
    assert.equal(typeof render(text), 'string');
});

test('the private characters of a text are not markers', () => {
  assert.equal(render('a \u{F0000} [1]').match(/fn-chip/g).length, 1);
});
