// walk_case.mjs - what everybody does, from a question to the page behind its
// answer and back.  firefox.sh runs it in Firefox, too.
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask, chip, panel, question, shownAnswer, shownReferences } from './steps.mjs';

const CLAIM = 'Steam at 800 K and a river at 300 K: at most 1 – 300/800 = 62.5 %';

test('the walk: ask, see the page, reload, step through versions, search', { model: true }, async (w) => {
  w.model.say('efficiency', `${CLAIM} [1].`);
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency between 800 K and 300 K?');
  await answered(page);
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByRole('img', { name: /^Page 7 of/ }).waitFor();
  await viewer.locator('svg[data-marks]:not([data-marks="0"])').waitFor();
  ok(page.url().endsWith('#ref-1'), 'the address does not name the reference');
  const before = [await shownAnswer(page), await shownReferences(page)];
  await w.shot(page);

  await page.reload();
  await answered(page);
  await viewer.getByRole('img', { name: /^Page 7 of/ }).waitFor();
  equal([await shownAnswer(page), await shownReferences(page)], before, 'after a reload');

  w.model.say('efficiency', 'Less than that, says the second try [2].');
  await answers(page).last().getByRole('button', { name: 'Retry' }).click();
  await answers(page).last().getByText('2 of 2', { exact: true }).waitFor();
  await answers(page).last().locator('.prose').getByText('says the second try').waitFor();
  await answers(page).last().getByRole('button', { name: 'Earlier version' }).click();
  await answers(page).last().getByText('1 of 2', { exact: true }).waitFor();
  equal(await shownAnswer(page), before[0], 'the first version');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('melting ice');
  await page.getByRole('option', { name: /^What did we do wrong/ }).first().click();
  await page.waitForURL(/\/c\/demo-ice/);
  await answered(page);
  await page.goBack();
  await answers(page).last().getByText(/^(2 of 2|1 of 2)$/).waitFor();
  ok(await question(page).isVisible(), 'the question box is gone');
});
