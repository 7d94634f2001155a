// stream_case.mjs - answers in the middle: reload, crash, stop, retry, edit.
import { blockedWhile } from './blocked.mjs';
import { equal, ok, test } from './case.mjs';
import { HOLD, PACE } from './model.mjs';
import { answered, answers, ask, shownAnswer, shownReferences } from './steps.mjs';

const CHAT = { model: true };
const FIRST = 'Only the two temperatures matter [1]. ';
const REST = 'Steam, air or alcohol make no difference [2].';

/** Asks, and returns when the first half of the answer is shown. */
async function askForHalf(w) {
  w.model.say('temperatures', FIRST, HOLD, REST);
  const page = await w.open();
  await ask(page, 'Which temperatures matter for an engine?');
  await answers(page).last().locator('.prose').getByText('Only the two temperatures matter').waitFor();
  return page;
}

test('reload in mid-answer', CHAT, async (w) => {
  const page = await askForHalf(w);
  await page.reload();
  await answers(page).last().locator('.prose').getByText('Only the two temperatures matter').waitFor();
  w.model.release();
  await answered(page);
  const live = { text: await shownAnswer(page), references: await shownReferences(page) };
  ok(live.text.includes('make no difference'), `cut: ${live.text}`);
  await page.reload();
  await answered(page);
  equal({ text: await shownAnswer(page), references: await shownReferences(page) }, live, 'after another reload');
});

test('the server is killed in mid-answer', CHAT, async (w) => {
  const page = await askForHalf(w);
  await w.server.kill();
  await w.server.start();
  await page.reload();
  await page.getByText('The answer was cut off.').waitFor();
  ok((await shownAnswer(page)).includes('Only the two temperatures matter'), 'the text is lost');
  ok((await shownReferences(page)).length > 0, 'the references are lost');
  await w.shot(page);
  w.model.release();
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await answers(page).last().locator('.prose').getByText('make no difference').waitFor();
  await answered(page);
});

test('continue an answer that was cut off', CHAT, async (w) => {
  const page = await askForHalf(w);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('You stopped this answer.').waitFor();
  w.model.say('temperatures', 'It goes on from there [1].');
  w.model.say('ontinue', 'It goes on from there [1].');
  await page.getByRole('button', { name: 'Continue' }).click();
  await answered(page, 2);
  equal(await answers(page).count(), 2, 'answers');
  ok((await answers(page).first().innerText()).includes('Only the two temperatures'), 'the first half is gone');
});

test('stop keeps what was written', CHAT, async (w) => {
  const page = await askForHalf(w);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('You stopped this answer.').waitFor();
  const text = await shownAnswer(page);
  await page.reload();
  await page.getByText('You stopped this answer.').waitFor();
  equal(await shownAnswer(page), text, 'after a reload');
});

test('retry keeps the earlier version', CHAT, async (w) => {
  w.model.say('engine', 'First try [1].');
  const page = await w.open();
  await ask(page, 'What does an engine need?');
  await answered(page);
  w.model.say('engine', 'Second try [1].');
  await answers(page).last().getByRole('button', { name: 'Retry' }).click();
  await answers(page).last().locator('.prose').getByText('Second try').waitFor();
  await answered(page);
  await page.getByText('2 of 2', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Earlier version' }).click();
  await answers(page).last().locator('.prose').getByText('First try').waitFor();
  await page.getByText('1 of 2', { exact: true }).waitFor();
});

test('edit a question', CHAT, async (w) => {
  w.model.say('engine', 'About engines [1].');
  w.model.say('demon', 'About the demon [1].');
  const page = await w.open();
  await ask(page, 'Tell me about an engine');
  await answered(page);
  await page.getByRole('article', { name: 'You asked' }).hover();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Change your question' }).fill('Tell me about the demon');
  await page.keyboard.press('Enter');
  await answers(page).last().locator('.prose').getByText('About the demon').waitFor();
  await answered(page);
  equal(await answers(page).count(), 1, 'answers');
  await page.reload();
  await answered(page);
  equal(await page.locator('.bubble').allInnerTexts(), ['Tell me about the demon'], 'questions');
});

test('screen readers hear the start and the end', CHAT, async (w) => {
  const page = await askForHalf(w);
  const status = page.locator('main > [role=status]');
  equal(await status.innerText(), 'Answering', 'at the start');
  equal(await page.getByRole('log').getAttribute('aria-live'), 'off', 'the log');
  equal(await answers(page).last().getAttribute('aria-busy'), 'true', 'while it streams');
  w.model.release();
  await answered(page);
  await page.waitForFunction(() => /^Answer ready, \d reference/.test(
    document.querySelector('main > [role=status]').textContent));
});

test('reading back is not interrupted by new text', CHAT, async (w) => {
  const long = Array.from({ length: 60 }, (_, i) => `Line ${i} of a long answer [1].\n\n`).join('');
  w.model.say('long', long, HOLD, 'The very end [1].');
  const page = await w.open();
  await ask(page, 'Give me a long one');
  await answers(page).last().locator('.prose').getByText('Line 59').waitFor();
  const log = page.getByRole('log');
  await log.hover();
  await page.mouse.wheel(0, -2000);
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  const top = await log.evaluate((el) => el.scrollTop);
  w.model.release();
  await answers(page).last().locator('.prose').getByText('The very end').waitFor();
  ok(Math.abs(await log.evaluate((el) => el.scrollTop) - top) < 200, 'it jumped');
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' });
});

test('a long answer on a slow machine blocks the page little', CHAT, async (w) => {
  const BLOCKED_MS_MAX = 1000;
  const text = Array.from({ length: 34 }, (_, i) => `## Part ${i}\n\n${'Heat flows from warm to cold [1], and never back [2]. '
    .repeat(5)}\n\n- one **bold** item\n- $S = k \\ln W$\n\n`).join('');
  const pieces = text.match(/[\s\S]{1,6}/g).slice(0, 1700);
  w.model.say('slow', ...pieces.flatMap((p) => [p, PACE]));
  const page = await w.open();
  const ms = await blockedWhile(page, 4, async () => {
    await ask(page, 'slow machine?');
    await answered(page, 1, { timeout: 120_000 });
  });
  console.log(`     ${pieces.length} deltas on a quarter of a core: blocked for ${ms} ms, at most ${BLOCKED_MS_MAX}`);
  ok(ms <= BLOCKED_MS_MAX, `blocked for ${ms} ms`);
});

test('formulas and code are drawn, by what is loaded then', CHAT, async (w) => {
  const libraries = /\/(?:katex|hljs)-[^/]*\.js$/;
  w.model.say('formula', HOLD, 'Entropy is $S = k \\ln W$ [1].\n\n```js\nconst k = 1.38e-23; // J/K\n```\n\nThe price is $5 or $6.\n');
  const page = await w.open();
  const loaded = [];
  page.on('request', (r) => libraries.test(r.url()) && loaded.push(r.url()));
  await ask(page, 'Which formula?');
  await answers(page).last().waitFor();
  equal(loaded, [], 'loaded before there was a formula');
  w.model.release();
  await answered(page);
  await answers(page).last().locator('.fn-math .katex').waitFor();
  await answers(page).last().locator('.fn-code .hljs-keyword', { hasText: 'const' }).waitFor();
  equal(await answers(page).last().locator('.fn-math').count(), 1, 'formulas');
  equal(loaded.length, 2, 'scripts that were loaded');
  await w.shot(page);
});
