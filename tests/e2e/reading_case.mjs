// reading_case.mjs - a page is enlarged, its words are selected and found, and
// the pane that shows it gets the room that it needs.
import { readFile } from 'node:fs/promises';
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { pdfForm } from './pdf.mjs';
import { answered, answers, panel } from './steps.mjs';

const viewerOf = (page) => page.getByRole('region', { name: 'Evidence' });
const pictureOf = (page, n) => viewerOf(page).getByRole('img', { name: new RegExp(`^Page ${n} of`) });
const widthOf = (locator) => locator.evaluate((el) => el.getBoundingClientRect().width);

/** Slide 7 of the demo, beside its answer. */
async function openSlide(w, options) {
  const page = await w.open('/c/demo-entropy', options);
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
  await viewerOf(page).locator('.page-words span').first().waitFor();
  return page;
}

test('reading: the pane is made wider by keys and by pointer, and stays so', {}, async (w) => {
  const page = await openSlide(w);
  const edge = page.getByRole('separator', { name: 'Width of this side' });
  const width = () => widthOf(panel(page));
  const usual = await width();
  await edge.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
  const wider = await width();
  ok(wider > usual + 50, `${wider} px after keys, ${usual} px before`);
  equal(Number(await edge.getAttribute('aria-valuenow')), Math.round(wider), 'what the edge says');
  await page.keyboard.press('End');
  ok(await widthOf(page.getByRole('main')) >= 380, 'the conversation has no room');
  await page.keyboard.press('Home');
  ok(await width() >= 350, 'the pane has no room');
  const { x, y, height } = await edge.boundingBox();
  await page.mouse.move(x + 6, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 194, y + height / 2, { steps: 4 });
  await page.mouse.up();
  const dragged = await width();
  ok(Math.abs(dragged - 552) < 12, `${dragged} px after dragging`);
  await page.reload();
  await answered(page, 2);
  equal(await width(), dragged, 'the width after a reload');
  await page.setViewportSize({ width: 900, height: 700 });
  ok(await widthOf(page.getByRole('main')) >= 340, 'no room in a small window');
});

test('reading: the number that is open goes back to its page', {}, async (w) => {
  const page = await openSlide(w);
  await viewerOf(page).getByRole('button', { name: 'Next page' }).click();
  await viewerOf(page).getByText('8 / 30').waitFor();
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
  await viewerOf(page).getByText('7 / 30').waitFor();
});

test('reading: the pane fills the window, and Escape and Back leave it', {}, async (w) => {
  const page = await openSlide(w);
  const fill = panel(page).getByRole('button', { name: 'Fill the window' });
  await fill.click();
  equal(await widthOf(panel(page)), 1440, 'the width of the pane');
  ok(!await page.getByRole('textbox', { name: 'Question', exact: true }).isVisible(), 'the question box can be reached');
  ok(await widthOf(pictureOf(page, 7)) > 900, 'the picture is small');
  await w.shot(page);
  await page.keyboard.press('Escape');
  ok(await widthOf(panel(page)) < 700, 'Escape does not leave it');
  ok(await pictureOf(page, 7).isVisible(), 'Escape has closed more');
  await fill.click();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.pane').offsetWidth < 700);
  ok(await pictureOf(page, 7).isVisible(), 'Back has closed more');
});

test('reading: a page is enlarged, sharp, and its marks stay in place', {}, async (w) => {
  const page = await openSlide(w);
  const viewer = viewerOf(page);
  const picture = pictureOf(page, 7);
  const place = () => viewer.evaluate((el) => {
    const img = el.querySelector('.page-picture img').getBoundingClientRect();
    const mark = el.querySelector('.mark-open').getBoundingClientRect();
    return [(mark.x - img.x) / img.width, (mark.y - img.y) / img.height, mark.width / img.width].map((v) => v.toFixed(2));
  });
  await viewer.locator('.mark-open').first().waitFor();
  const [before, wasWide] = [await place(), await widthOf(picture)];
  const sharp = page.waitForResponse((r) => /pages\/7\.png\?.*scale=2/.test(r.url()) && r.ok());
  for (let i = 0; i < 4; i++) await viewer.getByRole('button', { name: 'Larger' }).click();
  await sharp;
  const frame = viewer.getByRole('region', { name: /^Page 7 of/ });
  const room = await frame.evaluate((el) => el.clientWidth); // without a scroll bar
  ok(Math.abs(await widthOf(picture) - 3 * room) < 3, 'it is not three times as wide');
  equal(await place(), before, 'where the mark is');
  await page.waitForFunction((el) => el.complete && el.naturalWidth === 2200, await picture.elementHandle());
  ok(await frame.evaluate((el) => el.scrollWidth > 2 * el.clientWidth), 'it does not scroll in its frame');
  equal(await viewer.evaluate((el) => el.scrollWidth <= el.clientWidth), true, 'whether all else keeps its width');
  await w.shot(page);
  await frame.focus();
  await page.keyboard.press('-');
  await viewer.getByText('200%').waitFor();
  await page.keyboard.press('0');
  await viewer.getByText('100%').waitFor();
  equal(await widthOf(picture), wasWide, 'the width that fits');
  await page.keyboard.press('+');
  await viewer.getByText('125%').waitFor();
});

test('reading: arrows turn pages while the focus is in the pane', {}, async (w) => {
  const page = await openSlide(w);
  await viewerOf(page).getByRole('button', { name: 'Next page' }).focus();
  await page.keyboard.press('ArrowRight');
  await pictureOf(page, 8).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await pictureOf(page, 6).waitFor();
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('ab');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('log').focus();
  await page.keyboard.press('ArrowLeft');
  ok(await pictureOf(page, 6).isVisible(), 'arrows elsewhere turn pages');
});

test('reading: words of a page are selected and copied in reading order', {}, async (w) => {
  const page = await openSlide(w);
  const word = (text) => viewerOf(page).locator('.page-words span').filter({ hasText: text }).first().boundingBox();
  const [from, to] = [await word('Steam'), await word('62.5')];
  await page.mouse.move(from.x + 1, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 1, to.y + to.height / 2, { steps: 5 });
  await page.mouse.up();
  const selected = await page.evaluate(() => getSelection().toString());
  ok(/^Steam at 800 K and a river at 300 K: at most 1 . 300\/800 = 62\.5/.test(selected), `selected: ${selected}`);
  const drawn = await viewerOf(page).evaluate((el) => {
    const words = [...el.querySelectorAll('.page-words span')].map((s) => s.getBoundingClientRect());
    const img = el.querySelector('.page-picture img').getBoundingClientRect();
    return words.every((r) => r.width > 0 && r.left >= img.left - 2 && r.right <= img.right + 12);
  });
  ok(drawn, 'words are not over the picture');
});

test('reading: words are found on the page and on others', {}, async (w) => {
  const page = await openSlide(w);
  const viewer = viewerOf(page);
  await panel(page).focus();
  await page.keyboard.press('Control+f');
  const field = viewer.getByRole('searchbox', { name: 'Find in this document' });
  ok(await field.evaluate((el) => el === document.activeElement), 'the field has no focus');
  await field.fill('300 k');
  await viewer.getByText(/^1 of 1/).waitFor();
  equal(await viewer.locator('.mark-found.current').count(), 2, 'words of the place');
  const fill = await viewer.locator('.mark-found').first().evaluate((el) => getComputedStyle(el).fill);
  equal(fill, 'rgb(47, 63, 191)', 'the colour of what was found');
  await field.fill('demon');
  await viewer.getByText(/^Not on this page · \d+ more pages/).waitFor();
  await w.shot(page);
  await field.press('Enter');
  await viewer.getByText(/^1 of \d/).waitFor();
  const first = await viewer.locator('.page-tools bdi').textContent();
  ok(first !== '7 / 30', 'it stays on the page');
  await field.press('Shift+Enter');
  await page.waitForFunction((was) => document.querySelector('.page-tools bdi').textContent !== was, first);
  await field.fill('no such words anywhere');
  await viewer.getByText('Not found').waitFor();
  await field.press('Escape');
  await field.waitFor({ state: 'detached' });
  equal(await viewer.locator('.mark-found').count(), 0, 'marks that are left');
  ok(await viewer.isVisible(), 'Escape has closed more');
});

test('reading: on a phone a page is enlarged and its targets are large', {}, async (w) => {
  const page = await w.open('/c/demo-entropy', phone);
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).tap();
  const sheet = page.getByRole('dialog', { name: 'References' });
  await sheet.getByRole('button', { name: 'Larger' }).tap();
  await sheet.getByText('125%').waitFor();
  await sheet.getByRole('button', { name: 'Find in this document' }).tap();
  await sheet.getByRole('searchbox').fill('engine');
  equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'the width of the page');
  await w.shot(page);
});

test('reading: two fingers enlarge a page in its frame', { chromiumOnly: 'two fingers' }, async (w) => {
  const page = await w.open('/c/demo-entropy', phone);
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).tap();
  const sheet = page.getByRole('dialog', { name: 'References' });
  await sheet.locator('.page-words span').first().waitFor();
  const { x, y, width, height } = await sheet.locator('.page-picture').boundingBox();
  const fingers = await page.context().newCDPSession(page);
  const touch = (type, gap) => fingers.send('Input.dispatchTouchEvent', { type,
    touchPoints: gap ? [-1, 1].map((side) => ({ x: x + width / 2 + (side * gap) / 2, y: y + height / 2 })) : [] });
  await touch('touchStart', 60);
  await touch('touchMove', 90);
  await touch('touchMove', 150);
  await touch('touchEnd');
  await sheet.getByText('250%').waitFor();
  equal(await page.evaluate(() => visualViewport.scale), 1, 'how much all of the page is enlarged');
  await w.shot(page);
  await sheet.getByRole('button', { name: /fit the width/ }).tap();
  await sheet.getByText('100%').waitFor();
});

test('reading: a reader of a paper has the keys without a click', {}, async (w) => {
  const lines = (n) => [`Page ${n} of a paper about boilers`, 'A boiler that is kept hot loses heat all night.',
    ...Array.from({ length: 18 }, (_, i) => `Sentence ${i} of page ${n} says what a boiler number ${10 * n + i} costs.`)];
  const { id } = await w.api('POST', '/api/courses/demo/documents', pdfForm([lines(1), lines(2), lines(3)]));
  await w.read(id);
  const page = await w.page();
  await page.goto(`${w.server.url}/d/${id}?page=2`);
  await pictureOf(page, 2).waitFor();
  await page.keyboard.press('ArrowRight');
  await pictureOf(page, 3).waitFor();
  await page.keyboard.press('+');
  await page.getByText('125%').waitFor();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('kept hot');
  await page.getByText(/^1 of 1 · 2 more pages/).waitFor();
  await w.shot(page);
});

const LABELS = '/PageLabels << /Nums [0 << /S /r >> 2 << /S /D >>] >>';
/** A paper of five pages: i, ii, 1, 2, 3.  Returns the id of its document. */
async function addPaper(w) {
  const page = (n) => [`Chapter ${n} of a handbook of boilers`,
    ...Array.from({ length: 16 }, (_, i) => `Line ${i} of chapter ${n} tells what boiler ${20 * n + i} has cost.`)];
  const { id } = await w.api('POST', '/api/courses/demo/documents',
    pdfForm([page(1), page(2), page(3), page(4), page(5)], { title: 'Handbook of boilers' }, LABELS));
  await w.read(id);
  return id;
}

test('reading: a paper is called a paper, and its pages as they are printed', {}, async (w) => {
  const id = await addPaper(w);
  const { hits } = await w.api('GET', `/api/search?q=${encodeURIComponent('what boiler 87 has cost')}&documentId=${id}&limit=8`);
  const hit = hits.find((h) => h.slideNumber === 4);
  ok(hit, 'sheet 4 is not found');
  await w.api('POST', '/api/sessions/boilers/messages', { role: 'user', content: 'What did it cost?' });
  await w.api('POST', '/api/sessions/boilers/messages', { role: 'assistant', content: 'Line 7 of chapter 4 tells what boiler 87 has cost [1].', sources: [hit] });
  const page = await w.open('/c/boilers');
  await answered(page);
  const link = answers(page).getByRole('link', { name: /^Reference 1[:,].* Handbook of boilers, page 2$/ });
  await link.waitFor();
  await link.click();
  const viewer = viewerOf(page);
  await viewer.getByText(/^2 · 4 of 5$/).waitFor();
  await viewer.getByText(/^Paper · 5 pages$/).waitFor();
  await viewer.getByRole('link', { name: 'Open at page 2' }).waitFor();
  equal(await panel(page).locator('.locator').allTextContents(), ['Reference 1Page 2'], 'the place in the list');
  equal(await panel(page).getByText('Slides').count(), 0, 'how often it is called slides');
  await w.shot(page);
  for (let n = 0; n < 3; n++) await viewer.getByRole('button', { name: 'Previous page' }).click();
  await viewer.getByText(/^i · 1 of 5$/).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Markdown with footnotes' }).first().click();
  const file = await saved;
  const text = await readFile(await file.path(), 'utf8');
  ok(text.includes('Handbook of boilers, page 2.'), `the export: ${text}`);

  const spanish = await w.page({ locale: 'es' });
  await spanish.goto(`${w.server.url}/d/${id}?page=2`);
  await spanish.getByText(/^ii · 2 de 5$/).waitFor();
  await spanish.getByText(/^Documento · 5 páginas$/).waitFor();
});

test('reading: slides stay slides, and are counted as they are', {}, async (w) => {
  const page = await openSlide(w);
  await viewerOf(page).getByText(/^Slides · 30 pages$/).waitFor();
  await viewerOf(page).getByText(/^7 \/ 30$/).waitFor();
  equal((await panel(page).locator('.locator').allTextContents()).slice(0, 2), ['Reference 1Slide 7', 'Reference 2Slide 5'], 'places');
});
