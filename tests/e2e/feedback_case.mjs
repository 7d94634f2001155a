// feedback_case.mjs - what a reader says of an answer is kept with it.
import { phone } from './browser.mjs';
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask, chip, pointAt } from './steps.mjs';

const SAID = 'A real coal plant does not reach about 40 % [1]. Otters sleep in kelp [1].';
const kept = async (w) => {
  const { sessions } = await w.api('GET', '/api/sessions');
  const { messages } = await w.api('GET', `/api/sessions/${sessions[0].id}/messages`);
  return (messages.at(-1).feedback ?? []).map(({ number, rating, note }) => [number, rating, note]);
};

test('an answer is good with one click, and wrong with a reason and a number', { model: true }, async (w) => {
  w.model.say('engine', SAID);
  const page = await w.open('/');
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  const tools = answers(page).last().getByRole('group', { name: 'What to do with this answer' });
  const good = tools.getByRole('button', { name: 'Good answer' });
  await good.click();
  await page.getByText('Thank you. It is kept with the answer').waitFor();
  equal(await kept(w), [[null, 'good', null]], 'what is kept');
  await good.click();
  await page.getByText('Taken back').waitFor();
  equal(await kept(w), [], 'what is kept');
  // From the card of a sentence that is not carried.
  await answers(page).last().locator('.said').first().waitFor();
  const wrong = page.getByRole('dialog', { name: /^Reference 1:/ }).getByRole('button', { name: 'Wrong source' });
  await pointAt(page, chip(page, 1), wrong);
  await wrong.click();
  const form = page.getByRole('form', { name: 'What is wrong?' });
  equal(await form.locator('[aria-pressed=true]').evaluateAll((all) => all.map((el) => el.textContent)), ['Wrong source', '1'], 'what is chosen');
  await form.getByRole('textbox').fill('The slide says it does');
  await w.shot(page);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.waitFor({ state: 'detached' });
  equal(await kept(w), [[1, 'wrong_source', 'The slide says it does']], 'what is kept');
  await page.reload();
  await answered(page);
  await tools.getByRole('button', { name: 'Something is wrong' }).click();
  equal(await form.getByRole('textbox').inputValue(), 'The slide says it does', 'what was said');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.getAttribute('aria-label') === 'Something is wrong');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Take back' }).click();
  await form.waitFor({ state: 'detached' });
  equal(await kept(w), [], 'what is kept');
});

test('fingers say what is wrong', { model: true, chromiumOnly: 'touch' }, async (w) => {
  w.model.say('engine', SAID);
  const page = await w.open('/', phone);
  await ask(page, 'What is the best efficiency of an engine?');
  await answered(page);
  await answers(page).last().locator('.said').first().waitFor();
  await chip(page, 1).tap();
  await page.getByRole('dialog', { name: 'References' }).getByRole('button', { name: 'Wrong source' }).tap();
  const form = page.getByRole('form', { name: 'What is wrong?' });
  await form.waitFor();
  equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'the page is wider than the window');
  ok((await form.getByRole('button').evaluateAll((all) => all.every((el) => el.getBoundingClientRect().height > 43.5))), 'small targets');
  await w.shot(page);
  await form.getByRole('button', { name: 'Send' }).tap();
  await form.waitFor({ state: 'detached' });
  equal(await kept(w), [[1, 'wrong_source', null]], 'what is kept');
});
