// layout_case.mjs - what is too large scrolls by itself, and nothing else moves.
import { equal, ok, test } from './case.mjs';
import { answered, answers, chip, panel, pointAt } from './steps.mjs';

const say = (w, session, content, sources) => w.api('POST', `/api/sessions/${session}/messages`,
  { role: 'assistant', content, ...(sources && { sources }) });
const ask = (w, session, content) => w.api('POST', `/api/sessions/${session}/messages`, { role: 'user', content });

test('history: a wide table and a long line of code scroll by themselves', {}, async (w) => {
  const cells = Array.from({ length: 9 }, (_, i) => `a long heading ${i}`);
  const row = (list) => `| ${list.join(' | ')} |`;
  await ask(w, 'wide', 'A table?');
  await say(w, 'wide', [row(cells), row(cells.map(() => '---')), row(cells.map((c) => c.replaceAll(' ', '_'))), '',
    '```', `x = ${'long_name + '.repeat(40)}1`, '```'].join('\n'));
  const page = await w.open('/c/wide');
  await answered(page);
  const measure = await page.evaluate(() => {
    const wide = (selector) => {
      const el = document.querySelector(selector);
      return { width: el.clientWidth, scrolls: el.scrollWidth > el.clientWidth };
    };
    return { turns: wide('.turns'), answer: wide('.answer'), transcript: wide('.transcript'), table: wide('.prose table'), code: wide('.prose pre') };
  });
  for (const name of ['table', 'code']) {
    ok(measure[name].scrolls, `the ${name} does not scroll`);
    ok(measure[name].width <= measure.turns.width, `the ${name} is wider than the column`);
  }
  for (const name of ['turns', 'answer', 'transcript']) ok(!measure[name].scrolls, `the ${name} scrolls sideways`);
  await w.shot(page);
});

test('history: a link into a long conversation moves nothing but the conversation', {}, async (w) => {
  let middle = null;
  for (let n = 0; n < 100; n++) {
    await ask(w, 'long', `Question ${n}?`);
    const { id } = await say(w, 'long', `Answer ${n}. `.repeat(30));
    if (n === 50) middle = id;
  }
  const page = await w.open(`/c/long/m/${middle}`);
  await answered(page, 100);
  await page.waitForFunction((id) => {
    const { top } = document.querySelector(`[data-id="${id}"]`).getBoundingClientRect();
    return top > 40 && top < 140;
  }, middle);
  equal(await page.evaluate(() => [...document.querySelectorAll('html, body, #app, .shell, .main')]
    .map((el) => el.scrollTop + el.getBoundingClientRect().top)), [0, 0, 0, 0, 0], 'what has moved');
  ok(await page.locator('#question').isVisible(), 'the question box is gone');
  await page.getByRole('log').focus();
  for (let n = 0; n < 3; n++) await page.keyboard.press('j');
  equal(await page.locator('.shell').evaluate((el) => el.getBoundingClientRect().top), 0, 'after going on by keys');
});

test('history: at 1024 by 768 the picture and its pager are in view', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', { viewport: { width: 1024, height: 768 } });
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
  const picture = panel(page).getByRole('img', { name: /^Page \d of/ });
  const isInView = () => picture.evaluate((el) => {
    const { top, bottom } = el.getBoundingClientRect();
    return top > 50 && bottom < innerHeight;
  });
  await picture.waitFor();
  await panel(page).locator('details summary').click();
  await panel(page).locator('.reference').last().scrollIntoViewIfNeeded();
  await panel(page).locator('.reference').last().hover();
  await page.mouse.wheel(0, 2000);
  ok(await isInView(), 'the list has pushed the picture away');
  await panel(page).locator('#ref-2').click();
  await panel(page).getByRole('img', { name: /^Page 5 of/ }).waitFor();
  ok(await isInView(), 'the picture is not in view');
  const pager = panel(page).getByText(/^5 \/ 30$/);
  equal(await pager.evaluate((el) => el.getClientRects().length), 1, 'lines of the page number');
  await w.shot(page);
});

test('history: the preview shows the cited line and whole words', {}, async (w) => {
  const filler = Array.from({ length: 24 }, (_, i) => `Sentence number ${i} says nothing of interest.`);
  const claim = 'Otters keep a favourite stone in a pocket of skin.';
  const text = [...filler.slice(0, 12), claim, ...filler.slice(12)].join(' ');
  const { id } = await w.api('POST', '/api/courses/demo/documents', { kind: 'text', title: 'Otters', text });
  await w.read(id);
  await ask(w, 'stones', 'Stones?');
  await say(w, 'stones', 'Otters keep a favourite stone in a pocket [1].',
    [{ sourceType: 'text', documentId: id, courseId: 'demo', part: 1, title: 'Otters', contentPreview: text }]);
  let page = await w.open('/c/stones');
  await answered(page);
  const preview = page.getByRole('dialog', { name: /^Reference 1:/ });
  await pointAt(page, chip(page, 1), preview.getByText('favourite stone'));
  const quote = await preview.locator('blockquote').innerText();
  for (const word of quote.replaceAll('…', ' ').trim().split(/\s+/))
    ok(` ${text} `.includes(` ${word} `), `a word is cut: ${word}`);
  equal(await preview.locator('.position').evaluate((el) => el.getClientRects().length), 1, 'lines of the position');

  page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await pointAt(page, answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }),
    page.locator('.preview-strip .mark-open').first());
  await page.waitForFunction(() => {
    const strip = document.querySelector('.preview-strip').getBoundingClientRect();
    const mark = document.querySelector('.preview-strip .mark-open').getBoundingClientRect();
    return mark.top >= strip.top && mark.bottom <= strip.bottom;
  });
  await w.shot(page);
  ok(await page.locator('.preview-strip .mark-open').count() < 4, 'the whole passage is marked');
});

test('history: no word of a preview is cut off in a longer language', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', { locale: 'es' });
  await page.locator('.answer .fn-chip').first().hover();
  await page.locator('.preview').waitFor();
  equal(await page.locator('.preview').evaluate((el) => el.scrollWidth - el.clientWidth), 0, 'pixels that are cut off');
  await w.shot(page);
});

test('history: on paper there is the conversation and its references', { chromiumOnly: 'printing' }, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.rail', '.composer', '.answer .tools'])
    ok(!await page.locator(hidden).first().isVisible(), `${hidden} is printed`);
  const shown = await page.evaluate(() => ['.transcript', '.shell'].map((s) => {
    const el = document.querySelector(s);
    return el.scrollHeight <= el.clientHeight + 1;
  }));
  equal(shown, [true, true], 'whether all of it is printed');
  ok(await panel(page).locator('.reference').first().isVisible(), 'no references are printed');
  await w.shot(page);
});
