// marker_case.mjs - what models write in brackets: places, and numbers of nothing.
import { equal, test } from './case.mjs';
import { answered, answers, ask, chip, panel } from './steps.mjs';

test('a place behind a number is read past', { model: true }, async (w) => {
  w.model.say('engine', 'Only two temperatures matter [1, p. 6-7], as said [2, 8:19].');
  const page = await w.open('/');
  await ask(page, 'What matters for an engine?');
  await answered(page);
  equal((await answers(page).last().locator('.prose').innerText()).replaceAll('\u2060', ''),
    'Only two temperatures matter,1 as said.2', 'the answer');
  await chip(page, 1).click();
  await panel(page).getByRole('region', { name: 'Evidence' }).waitFor();
});

test('a number that no source has is shown as that', { model: true }, async (w) => {
  w.model.say('engine', 'Only two temperatures matter [1]. It was known [99].');
  const page = await w.open('/');
  await ask(page, 'What matters for an engine?');
  await answered(page);
  await answers(page).last().getByRole('img', { name: '[99]: No source has this number' }).waitFor();
  equal(await answers(page).last().getByRole('link', { name: /^Reference/ }).count(), 1, 'chips');
  await w.shot(page);
  await page.getByRole('button', { name: 'This computer' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await page.getByRole('img', { name: '[99]: Ninguna fuente tiene este número' }).waitFor();
});
