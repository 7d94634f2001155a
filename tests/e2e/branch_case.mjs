// branch_case.mjs - an edited question and a second answer are branches: arrows
// step between them, and what followed comes back.
import { readFileSync } from 'node:fs';
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask, panel, shownAnswer, shownReferences } from './steps.mjs';

const CHAT = { model: true };
// Words that no document has: the model's scripts go by them.
const QUESTIONS = ['Alfa: what does an engine need?', 'Bravo: why did the demon fail?', 'Charlie: what is entropy?'];
const BETTER = 'Delta: what does a turbine need?';

const questions = (page) => page.locator('.bubble').allInnerTexts();
const article = (page, text) => page.locator('.question, .answer').filter({ hasText: text });
const step = (at, which) => at.getByRole('button', { name: `${which} version` }).click();
const shows = (page, texts) => page.waitForFunction((want) =>
  JSON.stringify([...document.querySelectorAll('.bubble')].map((el) => el.innerText)) === want,
JSON.stringify(texts), { polling: 100 });

async function editQuestion(page, text, to) {
  const question = article(page, text);
  await question.hover();
  await question.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Change your question' }).fill(to);
  await page.keyboard.press('Enter');
}

/** Three turns; then the first question is asked in other words. */
async function edited(w) {
  w.model.say('Alfa', 'About engines [1]. And more [2].');
  w.model.say('Bravo', 'About the demon [1].');
  w.model.say('Charlie', 'About entropy [2].');
  w.model.say('Delta', 'About turbines [1].');
  const page = await w.open();
  for (const [i, question] of QUESTIONS.entries()) {
    await ask(page, question);
    await answered(page, i + 1);
  }
  const before = { text: await shownAnswer(page), references: await shownReferences(page) };
  const ids = await page.locator('.answer').evaluateAll((all) => all.map((el) => el.dataset.id));
  const session = new URL(page.url()).pathname.split('/')[2];
  await editQuestion(page, QUESTIONS[0], BETTER);
  await answers(page).last().locator('.prose').getByText('About turbines').waitFor();
  await answered(page);
  await shows(page, [BETTER]);
  await article(page, BETTER).getByText('2 of 2').waitFor();
  return { page, before, ids, session };
}

test('branch: the turns behind an edited question come back with its first version', CHAT, async (w) => {
  const { page, before } = await edited(w);
  await w.shot(page);
  await step(article(page, BETTER), 'Earlier');
  await shows(page, QUESTIONS);
  await article(page, QUESTIONS[0]).getByText('1 of 2').waitFor();
  const same = async (when) =>
    equal({ text: await shownAnswer(page), references: await shownReferences(page) }, before, when);
  await same('stepped back');
  await w.shot(page, 'branch stepped back');
  await page.reload();
  await answered(page, 3);
  await same('after a reload');
  equal(await questions(page), QUESTIONS, 'after a reload');
  await w.server.kill();
  await w.server.start();
  await page.reload();
  await answered(page, 3);
  await same('after a restart');
  equal(await questions(page), QUESTIONS, 'after a restart');

  await ask(page, 'And the demon again?');
  await answered(page, 4);
  await step(article(page, QUESTIONS[0]), 'Later');
  await shows(page, [BETTER]);
  await step(article(page, BETTER), 'Earlier');
  await shows(page, [...QUESTIONS, 'And the demon again?']);
});

test('branch: arrows at an answer step through its own versions', CHAT, async (w) => {
  const { page } = await edited(w);
  await step(article(page, BETTER), 'Earlier');
  await shows(page, QUESTIONS);
  w.model.say('Bravo', 'Once more about the demon [1].');
  await article(page, 'About the demon').getByRole('button', { name: 'Retry' }).click();
  await article(page, 'Once more about the demon').getByText('2 of 2').waitFor();
  await answered(page, 2);
  equal(await questions(page), QUESTIONS.slice(0, 2), 'with the new answer');
  equal(await page.getByText(/^\d+ of \d+$/).allInnerTexts(), ['1 of 2', '2 of 2'], 'versions');
  await step(article(page, 'Once more about the demon'), 'Earlier');
  await shows(page, QUESTIONS);
  // Below the first question nothing has changed since it was left.
  await step(article(page, QUESTIONS[0]), 'Later');
  await shows(page, [BETTER]);
  await step(article(page, BETTER), 'Earlier');
  await shows(page, QUESTIONS);
});

test('branch: a link to an answer of another branch opens that branch', CHAT, async (w) => {
  const { page, before, ids, session } = await edited(w);
  const path = `/api/sessions/${session}/messages`;
  const stored = () => w.api('GET', path).then(({ messages }) => messages.map((m) => m.content));
  const [link, written] = [await w.open(`/c/${session}/m/${ids[2]}#ref-2`), []];
  link.on('request', (r) => r.method() !== 'GET' && !r.url().endsWith('/api/marks') && written.push(`${r.method()} ${r.url()}`));
  await shows(link, QUESTIONS);
  await panel(link).locator('#ref-2[aria-current=true]').waitFor();
  equal(await link.getByText('is not in this conversation').count(), 0, 'words that it is missing');
  equal(await shownAnswer(link), before.text, 'the linked answer');
  await w.shot(link);
  await link.reload();
  await shows(link, QUESTIONS);
  equal([(await stored())[0], written], [BETTER, []], 'what a look has changed');

  await ask(link, 'And the demon again?');
  await answered(link, 4);
  equal((await stored()).filter((_, i) => i % 2 === 0), [...QUESTIONS, 'And the demon again?'], 'what is shown now');
  await page.reload();
  await shows(page, [...QUESTIONS, 'And the demon again?']);
});

test('branch: what is saved and copied is the branch that is seen', CHAT, async (w) => {
  const { page } = await edited(w);
  const saved = async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^Markdown with footnotes/ }).last().click()]);
    return readFileSync(await file.path(), 'utf8');
  };
  const later = await saved();
  ok(later.includes('About turbines') && !later.includes('About entropy'), later);
  await step(article(page, BETTER), 'Earlier');
  await shows(page, QUESTIONS);
  const first = await saved();
  ok(first.includes('About entropy') && !first.includes('About turbines'), first);
});

test('branch: versions are stepped with the keyboard, and stay in their place', CHAT, async (w) => {
  const { page } = await edited(w);
  const place = async (text) => Math.round((await article(page, text).boundingBox()).y);
  const top = await place(BETTER);
  await article(page, BETTER).focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await shows(page, QUESTIONS);
  equal(await place(QUESTIONS[0]), top, 'where the question stands');
  equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
    'Earlier version, with what followed it', 'what has the focus');
  await page.keyboard.press('Enter'); // there is none
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await shows(page, [BETTER]);
  await page.keyboard.press('Alt+ArrowLeft');
  await shows(page, QUESTIONS);
});
