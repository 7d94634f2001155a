// verdict_case.mjs - whether the sources carry the sentences of an answer.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered, answers, ask, panel } from './steps.mjs';

const SAID = 'The best efficiency depends on the two temperatures alone [1]. ' +
  'It was known in the year 1971 [1].\nPlants make sugar out of light and of water [99].';
const summary = (page) => answers(page).last().getByText(/sentences are carried by their source$/);

test('an answer says which of its sentences are not carried', { model: true }, async (w) => {
  w.model.say('engine', SAID);
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  await summary(page).click();
  const list = answers(page).last().locator('.verdicts');
  await list.getByText('no source has the number 99').waitFor();
  await list.getByText('These are measures of words').waitFor();
  ok(!(await list.innerText()).toLowerCase().includes('verified'), 'it is called verified');
  await w.shot(page);
  const before = await list.innerText();
  await page.reload();
  await answered(page);
  await summary(page).click();
  equal(await list.innerText(), before, 'the verdicts after a reload');
  await list.getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.closest('.pane'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.matches('.said'));
  await panel(page).getByRole('region', { name: 'Evidence' }).waitFor();
});

test('what is quoted without a model is not judged in the page', {}, async (w) => {
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency of an engine between 800 K and 300 K?');
  await answered(page);
  equal(await summary(page).count(), 0, 'summaries');
});

test('fingers reach the sentences that are not carried', { model: true }, async (w) => {
  w.model.say('engine', SAID);
  const page = await w.open('/', phone);
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  await summary(page).tap();
  const list = answers(page).last().locator('.verdicts');
  await list.getByText('no source has the number 99').waitFor();
  const small = await list.locator('summary, button').evaluateAll((all) =>
    all.map((el) => el.getBoundingClientRect().height).filter((height) => height < 43.5));
  equal(small, [], 'heights of small targets');
  equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'the page is wider than the window');
  await w.shot(page);
  await list.getByRole('button').first().tap();
  await page.getByRole('dialog', { name: 'References' }).getByRole('region', { name: 'Evidence' }).waitFor();
});
