// persistence_case.mjs - references stay: reload, switching, another tab, a link.
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask, panel, shownAnswer, shownReferences } from './steps.mjs';

const CHAT = { model: true };
const QUESTION = 'How good can an engine be between 800 K and 300 K?';

test('seed 004: ask, reload, reopen from the sidebar, download', CHAT, async (w) => {
  const page = await w.open();
  await ask(page, QUESTION);
  await answered(page);
  await panel(page).getByRole('heading', { name: 'References' }).waitFor();
  await page.getByText('Documents referenced').waitFor();
  const first = { text: await shownAnswer(page), references: await shownReferences(page) };
  ok(first.references.length > 0, 'no references are shown');
  await w.shot(page);

  await page.reload();
  await answered(page);
  equal({ text: await shownAnswer(page), references: await shownReferences(page) }, first, 'after a reload');

  await page.getByRole('button', { name: /^New question/ }).click();
  await page.getByRole('heading', { name: /exact page/ }).waitFor();
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: QUESTION }).click();
  await answered(page);
  equal({ text: await shownAnswer(page), references: await shownReferences(page) }, first, 'after reopening it');

  const link = panel(page).getByRole('link', { name: /^Download document/ }).first();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  equal(await download.failure(), null, 'the download');
  const response = await page.request.get(w.server.url + await link.getAttribute('href'));
  equal(response.status(), 200, 'status of the download');
  ok((await response.body()).length > 0, 'the file is empty');
});

test('a refetch of the session changes nothing', CHAT, async (w) => {
  const page = await w.open();
  await ask(page, QUESTION);
  await answered(page);
  const before = await shownReferences(page);
  const again = page.waitForResponse((r) => r.url().includes('/api/sessions'));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await again;
  equal(await shownReferences(page), before, 'after the refetch');
});

test('history: switching sessions shows each its own references', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  const entropy = await shownReferences(page);
  await page.getByRole('navigation').getByRole('link', { name: /melting ice/ }).click();
  await page.getByRole('heading', { level: 1, name: /melting ice/ }).waitFor();
  await answered(page);
  const ice = await shownReferences(page);
  ok(JSON.stringify(ice) !== JSON.stringify(entropy), 'both show the same');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: /best efficiency/ }).waitFor();
  await answered(page, 2);
  equal(await shownReferences(page), entropy, 'after switching back');
});

test('a new conversation is there again after another one', CHAT, async (w) => {
  const page = await w.open();
  await ask(page, QUESTION);
  await answered(page);
  const first = { text: await shownAnswer(page), references: await shownReferences(page) };
  await page.getByRole('button', { name: /^New question/ }).click();
  await page.getByRole('heading', { name: /exact page/ }).waitFor();
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: QUESTION }).click();
  await answered(page);
  equal({ text: await shownAnswer(page), references: await shownReferences(page) }, first, 'after coming back');
});

test('history: a link to a reference opens it', {}, async (w) => {
  const { messages } = await w.api('GET', '/api/sessions/demo-entropy/messages');
  const first = messages.find((m) => m.role === 'assistant');
  const page = await w.open(`/c/demo-entropy/m/${first.id}#ref-2`);
  await panel(page).locator('#ref-2[aria-current=true]').waitFor();
  await page.locator(`.answer[data-id="${first.id}"] .fn-chip.current`).first().waitFor();
});

test('two tabs show one answer', CHAT, async (w) => {
  const one = await w.open();
  await ask(one, QUESTION);
  await answered(one);
  const two = await one.context().newPage();
  w.pages.push(two);
  await two.goto(one.url());
  await answered(two);
  await ask(one, 'And why does the river matter?');
  await answered(one, 2);
  await answered(two, 2);
  equal(await shownAnswer(two), await shownAnswer(one), 'the other tab');
  equal(await shownReferences(two), await shownReferences(one), 'references of the other tab');
});

test('history: rename and delete a conversation', {}, async (w) => {
  const page = await w.open('/c/demo-ice');
  const rail = page.getByRole('navigation', { name: 'Conversations' });
  await rail.getByRole('button', { name: /Options for .*melting ice/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New title' }).fill('Ice, again');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ice, again' }).waitFor();
  await rail.getByRole('button', { name: /Options for .*Ice, again/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await rail.getByRole('link', { name: 'Ice, again' }).waitFor({ state: 'detached' });
  equal((await fetch(`${w.server.url}/api/sessions/demo-ice`)).status, 404, 'the deleted session');
});

test('history: copy with references', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await answered(page, 2);
  await answers(page).first().getByRole('button', { name: 'Copy with references' }).click();
  await page.getByText('Copied with its references').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  ok(text.includes('62.5 %'), 'the text is not there');
  ok(/\b1\b.*slide 7/s.test(text), `no reference in: ${text}`);
});
