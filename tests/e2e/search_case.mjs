// search_case.mjs - what a search finds, and what it opens.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered } from './steps.mjs';

const CHATS = 500;
const AT_ONCE = 25;

/** One old conversation, and many newer ones that have `word` in every tenth title. */
async function manyChats(w, old, word) {
  await w.api('POST', '/api/sessions', { id: 'old', title: old });
  for (let n = 0; n < CHATS; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) =>
      w.api('POST', '/api/sessions', { title: `${(n + i) % 10 ? 'Chat' : word} ${n + i}` })));
}
const option = (page, name) => page.getByRole('option', { name }).first();
async function find(page, words) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(words);
}

test('history: a passage that a search finds opens at its page', {}, async (w) => {
  const page = await w.open('/c/demo-ice');
  await answered(page);
  const where = page.getByRole('button', { name: /^Where to look/ });
  const scope = await where.innerText();
  await find(page, 'best efficiency between two temperatures');
  await page.getByRole('group', { name: 'In your documents' }).getByRole('option', { name: /slide 7/ }).click();
  const found = page.getByRole('complementary', { name: 'Found in your documents' });
  await found.getByText(/^7 \/ \d+$/).waitFor();
  await found.locator('svg[data-marks]:not([data-marks="0"])').waitFor();
  await w.shot(page);
  equal(await where.innerText(), scope, 'where the next question looks');
  equal(new URL(page.url()).pathname, '/c/demo-ice', 'the conversation beside it');
  await page.goBack();
  await found.waitFor({ state: 'detached' });
  await page.getByRole('complementary', { name: 'References' }).waitFor();
});

test('history: a found passage is a sheet on a phone', {}, async (w) => {
  const page = await w.open('/c/demo-ice', phone);
  await answered(page);
  await find(page, 'best efficiency between two temperatures');
  await option(page, /slide 7/).tap();
  const sheet = page.getByRole('dialog', { name: 'Found in your documents' });
  await sheet.getByText(/^7 \/ \d+$/).waitFor();
  await w.shot(page);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await sheet.waitFor({ state: 'detached' });
});

test('history: an old conversation among 500 is found by its title', {}, async (w) => {
  await manyChats(w, 'Cloves of Zanzibar', 'Gardens');
  const page = await w.open('/');
  await find(page, 'zanzibar');
  await option(page, 'Cloves of Zanzibar').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/c\/old$/);
});

test('history: results can be read and chosen while more come', {}, async (w) => {
  await manyChats(w, 'Gardens of Babylon', 'Gardens');
  const page = await w.open('/');
  let go;
  const held = new Promise((done) => { go = done; });
  await page.route(/\/api\/sessions\?.*cursor=/, async (route) => {
    await held;
    await route.continue();
  });
  await find(page, 'gardens');
  await page.locator('#found-1').waitFor();
  await page.keyboard.press('ArrowDown');
  const chosen = page.getByRole('option', { selected: true });
  const title = await chosen.locator('b').innerText();
  const place = await chosen.boundingBox();
  go();
  await page.getByRole('group', { name: 'Older conversations' }).getByRole('option').nth(9).waitFor();
  equal(await chosen.locator('b').innerText(), title, 'the chosen row');
  equal(await chosen.boundingBox(), place, 'where it stands');
  await page.getByRole('combobox').fill('gardens o');
  ok(await page.getByRole('option').count() > 1, 'the rows are gone while more is typed');
});
