// appearance_case.mjs - narrow screens, themes, languages, right to left, keyboard.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered, answers, panel, question } from './steps.mjs';

/** No element is wider than the page, except inside of boxes that scroll or clip. */
const noOverflow = (page) => page.evaluate(() => {
  const clipped = (el) => el && (getComputedStyle(el).overflowX !== 'visible' || clipped(el.parentElement));
  return document.documentElement.scrollWidth <= innerWidth &&
    [...document.querySelectorAll('main, main *')].every((el) => {
      const r = el.getBoundingClientRect();
      return !r.width || r.right <= innerWidth + 1 || clipped(el.parentElement.closest('main *'));
    });
});

test('history: 320 pixels are enough', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', { ...phone, viewport: { width: 320, height: 640 } });
  await answered(page, 2);
  ok(await noOverflow(page), 'something is wider than the page');
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).tap();
  const sheet = page.getByRole('dialog', { name: 'References' });
  await sheet.getByText('Reference 1 of 2').waitFor();
  ok(await sheet.evaluate((el) => el.scrollWidth <= innerWidth), 'the sheet is wider than the page');
  await sheet.getByRole('button', { name: 'Next', exact: true }).tap();
  await sheet.getByText('Reference 2 of 2').waitFor();
  await w.shot(page);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await sheet.waitFor({ state: 'detached' });
});

test('history: touch targets are large enough', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', phone);
  await answered(page, 2);
  const small = await page.evaluate(() => [...document.querySelectorAll('button, a')].filter((el) => {
    const r = el.getBoundingClientRect();
    const inText = el.matches('.fn-chip, .skip') || el.closest('.rail');
    return r.width && !inText && (r.height < 24 || r.width < 24);
  }).map((el) => el.outerHTML.slice(0, 120)));
  equal(small, [], 'too small');
});

test('history: dark when the system is', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', { colorScheme: 'dark' });
  await answered(page, 2);
  equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor ||
    getComputedStyle(document.documentElement).backgroundColor) !== 'rgb(250, 250, 247)', true, 'dark ground');
  equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 'theme');
  await w.shot(page);
  await page.getByRole('button', { name: /This computer/ }).click();
  await page.getByRole('menuitemradio', { name: 'Light' }).click();
  equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light', 'chosen theme');
  await page.reload();
  await answered(page, 2);
  equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light', 'after a reload');
});

test('history: Spanish', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', { locale: 'es-ES' });
  await answered(page, 2).catch(() => {});
  await page.getByRole('heading', { name: /^Referencias/ }).waitFor();
  await page.getByText('Documentos referenciados').first().waitFor();
  equal(await page.evaluate(() => document.documentElement.lang), 'es', 'language of the page');
  await page.getByRole('link', { name: /^Referencia 1:/ }).first().waitFor();
  await w.shot(page);
});

test('history: right to left', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', { locale: 'he' });
  await answered(page, 2);
  equal(await page.evaluate(() => document.documentElement.dir), 'rtl', 'direction');
  const rail = await page.getByRole('navigation', { name: 'Conversations' }).boundingBox();
  const pane = await panel(page).boundingBox();
  ok(rail.x > pane.x, 'the rail is not on the right');
  ok(await noOverflow(page), 'something is wider than the page');
  await w.shot(page);
});

test('history: everything by keys', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await page.getByRole('log').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('log').focus();
  await page.keyboard.press(']');
  equal(await page.evaluate(() => document.activeElement.dataset.n), '1', 'the first number');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#ref-1$/);
  await page.keyboard.press(']');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#ref-2$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  ok(await question(page).evaluate((el) => el === document.activeElement), 'c does not lead to the box');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('melting');
  await page.getByRole('option', { name: /melting ice/ }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/c\/demo-ice/);
  await page.keyboard.press('Control+j');
  await page.waitForURL(/\/$/);
  await page.waitForFunction(() => document.activeElement?.id === 'question');
});

// Newer browsers return a promise from scrollIntoView().
test('search: arrow keys walk the results when scrolling returns a promise', {}, async (w) => {
  const page = await w.page();
  await page.addInitScript(() => {
    const scroll = Element.prototype.scrollIntoView;
    Element.prototype.scrollIntoView = function (...options) {
      scroll.apply(this, options);
      return Promise.resolve();
    };
  });
  await page.goto(w.server.url);
  await question(page).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('entropy');
  await page.getByRole('option').nth(1).waitFor();
  for (const n of [1, 0]) {
    await page.keyboard.press(n ? 'ArrowDown' : 'ArrowUp');
    await page.locator(`#found-${n}[aria-selected=true]`).waitFor();
  }
});

/** Presses Tab until the focus is on the element. */
async function tabTo(page, selector, back = false) {
  for (let n = 0; n < 80; n++) {
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`the keyboard does not come to ${selector}`);
}

test('by keys alone: from a question to the page behind its answer', { model: true }, async (w) => {
  w.model.say('engine', 'Only the temperatures matter [1]. The river as well [2].');
  const page = await w.open('/');
  await page.waitForFunction(() => document.activeElement?.id === 'question');
  await page.keyboard.type('What does an engine need?');
  await page.keyboard.press('Enter');
  await answered(page);
  await tabTo(page, '.answer .fn-chip[data-n="2"]', true);
  await page.getByRole('dialog', { name: /^Reference 2:/ }).waitFor();
  await page.keyboard.press('Enter');
  await panel(page).locator('#ref-2[aria-current=true]').waitFor();
  await tabTo(page, '.viewer a[download]');
  await tabTo(page, '#ref-1');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#ref-1$/);
  ok(await page.evaluate(() => getComputedStyle(document.activeElement).boxShadow !== 'none'), 'the focus cannot be seen');
  await tabTo(page, '.pane-head .icon-button', true);
  await page.keyboard.press('Enter');
  await panel(page).waitFor({ state: 'detached' });
});

test('the empty page offers questions of the demo', {}, async (w) => {
  const page = await w.open('/');
  await page.getByRole('heading', { name: /exact page/ }).waitFor();
  await page.getByRole('main').getByRole('button', { name: /best efficiency of an engine/ }).waitFor();
  await w.shot(page);
});
