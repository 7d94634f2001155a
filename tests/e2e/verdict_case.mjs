// verdict_case.mjs - whether the sources carry the sentences of an answer.
import { readFile } from 'node:fs/promises';
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered, answers, ask, panel } from './steps.mjs';

const SAID = 'The best efficiency depends on the two temperatures alone [1]. ' +
  'It was known in the year 1971 [1].\nPlants make sugar out of light and of water [99].';
const summary = (page) => answers(page).last().getByText(/sentences are carried by their source(, 1 says otherwise)?$/);
/** What stands at the numbers, and under the words. */
const signs = (page) => answers(page).last().locator('.prose').evaluate((el) => ({
  chips: [...el.querySelectorAll('.fn-chip[data-verdict]')].map((c) => [c.textContent, c.dataset.verdict]),
  said: [...el.querySelectorAll('.said')].map((s) => s.textContent.replaceAll('\u2060', '')),
}));

test('an answer says which of its sentences are not carried', { model: true }, async (w) => {
  w.model.say('engine', SAID);
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  await summary(page).click();
  const list = answers(page).last().locator('.verdicts');
  await list.getByText('no source has the number 99').waitFor();
  await list.getByText('How is this measured?').click();
  await list.getByText('These are measures of words').waitFor();
  ok(!(await list.innerText()).toLowerCase().includes('verified'), 'it is called verified');
  await w.shot(page);
  const before = await list.innerText();
  await page.reload();
  await answered(page);
  await summary(page).click();
  await list.getByText('How is this measured?').click();
  equal(await list.innerText(), before, 'the verdicts after a reload');
  await list.getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.closest('.pane'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.matches('.exception'));
  await panel(page).getByRole('region', { name: 'Evidence' }).waitFor();
});

const MARKED = 'A *real* coal plant reaches about **40 %** [1]. ' +
  'A real coal plant reaches about 40 %, wrote Perrault [1]. ' +
  'A real coal plant does not reach about 40 % [1].\n\n' +
  'Otters sleep `in kelp` all night long [1]. Dogs bark in the night [99]. Many a reader of books would agree with that.';

test('what is not carried has a sign, a thin line and a card', { model: true }, async (w) => {
  w.model.say('engine', MARKED);
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  await answers(page).last().locator('.said').first().waitFor();
  const before = await signs(page);
  equal(before.chips, [['1', 'partly'], ['1', 'contradicts'], ['1', 'not_found'], ['[99]', 'not_found'], ['–', 'no_source']], 'signs');
  ok(before.said[0].includes('Perrault'), `what is missing: ${before.said[0]}`);
  equal(before.said.slice(2).join('|'), 'Otters sleep |in kelp| all night long.|Dogs bark in the night|Many a reader of books would agree with that.', 'sentences');
  await answers(page).last().getByRole('link', { name: /^Reference 1, the source says otherwise: / }).hover();
  const card = page.getByRole('dialog', { name: /^Reference 1:/ });
  await card.getByText('The source says', { exact: true }).waitFor();
  equal(await card.locator('del').innerText(), 'not', 'what differs');
  await card.locator('mark').first().waitFor(); // the words that are stored
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Markdown with footnotes' }).first().click();
  const text = await readFile(await (await saved).path(), 'utf8');
  ok(/^> 1 of 6 sentences.*:$/m.test(text) && text.includes('> - Not found in the source: “Dogs bark in the night.”'), `what is saved: ${text}`);
  // Keys stop at signs that are no links, too.
  await answers(page).last().focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press(']');
  await page.getByRole('dialog', { name: 'What the source has of this sentence' }).waitFor();
  await page.evaluate(() => document.activeElement.click());
  await page.waitForFunction(() => document.activeElement.matches('.exception'));
  // Another language draws the signs anew, and a reload the same ones.
  await page.reload();
  await answered(page);
  await answers(page).last().locator('.said').first().waitFor();
  equal(await signs(page), before, 'signs after a reload');
});

const LOOKING = { model: true, flags: (w) => ['--demo', '--model-url', w.model.url, '--model', 'scripted', '--verify-model', 'scripted'] };
test('what a model says otherwise stands beside the measure', LOOKING, async (w) => {
  w.model.say('engine', SAID);
  w.model.say('sentence 1, passage', JSON.stringify({ verdicts: [
    { sentence: 1, verdict: 'contradicts' }, { sentence: 2, verdict: 'not_found' }] }));
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  const session = page.url().split('/').at(-1);
  await page.waitForFunction(async (id) => {
    const { messages } = await (await fetch(`/api/sessions/${id}/messages`)).json();
    return messages.at(-1).verdicts.length === 2;
  }, session);
  await page.reload();
  await answered(page);
  await summary(page).click();
  const list = answers(page).last().locator('.verdicts');
  await list.getByText('scripted, a model, says: The source says otherwise').waitFor();
  await list.getByText('How is this measured?').click();
  await list.getByText('Afterwards a model, scripted, was asked').waitFor();
  await w.shot(page);
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
  await list.locator('.how summary').tap();
  const small = await list.locator('summary, button').evaluateAll((all) =>
    all.map((el) => el.getBoundingClientRect().height).filter((height) => height < 43.5));
  equal(small, [], 'heights of small targets');
  equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'the page is wider than the window');
  await w.shot(page);
  await list.getByRole('button').first().tap();
  const sheet = page.getByRole('dialog', { name: 'References' });
  await sheet.getByText('Not found there').waitFor();
  await sheet.getByRole('link', { name: /^Open at/ }).waitFor();
});
