// link_case.mjs - addresses: what they open, what they are called, and the way back.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { HOLD } from './model.mjs';
import { pdfForm } from './pdf.mjs';
import { answered, answers, ask, chip, panel, question, signIn } from './steps.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name });
const message = (w, session, role) => w.api('GET', `/api/sessions/${session}/messages`)
  .then(({ messages }) => messages.find((m) => m.role === role));

// ---- A document -------------------------------------------------------------

test('history: a document opens in the reader, at the cited page', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,].*slide 7$/ }).click();
  const [reader] = await Promise.all([page.context().waitForEvent('page'),
    panel(page).getByRole('link', { name: 'Open at slide 7' }).click()]);
  w.pages.push(reader);
  await reader.getByText(/^7 \/ 30$/).waitFor();
  const url = new URL(reader.url());
  equal([url.pathname.slice(0, 3), url.search], ['/d/', '?version=1&page=7'], 'the address');
  const picture = reader.getByRole('img', { name: /^Page 7 of/ });
  await reader.waitForFunction((el) => el.complete && el.naturalWidth > 0, await picture.elementHandle());
  ok(/Entropy/.test(await reader.title()), `the title is ${await reader.title()}`);
  await w.shot(reader);
  await reader.reload();
  await reader.getByText(/^7 \/ 30$/).waitFor();
});

test('history: a recording opens in the reader, at its second', {}, async (w) => {
  const page = await w.open('/c/demo-notebook');
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
  const href = await panel(page).getByRole('link', { name: /^Open at 9:33/ }).getAttribute('href');
  ok(/^\/d\/.*t=573$/.test(href), `the address is ${href}`);
  await page.goto(w.server.url + href);
  await page.locator('.cue[aria-current=true]').first().getByText(/^9:(2|3)\d/).waitFor();
});

test('history: an old version has an address', {}, async (w) => {
  const put = (method, path, line) => w.api(method, path, pdfForm([[line]], method === 'POST' ? { id: 'plan', title: 'Plans' } : {}));
  await put('POST', '/api/courses/demo/documents', 'The first plan.');
  await w.read('plan');
  await put('PUT', '/api/documents/plan', 'The second plan.');
  await w.read('plan');
  const page = await w.page();
  await page.goto(`${w.server.url}/d/plan?version=1&page=1`);
  await page.getByText('Edited later. You are seeing the cited version.').waitFor();
  await page.getByRole('img', { name: 'Page 1 of Plans' }).and(page.locator('[src$="/pages/1.png?version=1"]')).waitFor();
  for (const path of ['/d/plan?version=9', '/d/none', '/d/none?version=1']) {
    await page.goto(w.server.url + path);
    await page.getByText('This document is not there, or not for you to read.').waitFor();
  }
  await w.shot(page);
  await page.getByRole('alert').getByRole('link', { name: 'New question' }).click();
  await question(page).waitFor();
});

test('history: a foreign document and a foreign conversation say so', { flags: ['--auth', 'key'] }, async (w) => {
  const [ada, bob] = ['ada', 'bob'].map((user) => w.key(user));
  await w.course('otters', 'Sea otters hold hands while they sleep.', ada);
  const { documents } = await w.api('GET', '/api/courses/otters/documents', undefined, ada);
  await w.api('POST', '/api/sessions', { id: 'hers', title: 'Her secret' }, ada);
  const page = await w.page();
  await page.goto(`${w.server.url}/d/${encodeURIComponent(documents[0].id)}?version=1`);
  await signIn(page, bob);
  await page.getByText('This document is not there, or not for you to read.').waitFor();
  ok(!(await page.content()).includes('On otters'), 'its title is told');
  await page.goto(`${w.server.url}/c/hers`);
  await page.getByText('This conversation is not there, or not yours.').waitFor();
  equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'ways to try again');
  await page.getByText('A link opens only for the account that asked.').waitFor();
  ok(!(await page.content()).includes('Her secret'), 'its title is told');
  await w.shot(page);
});

// ---- Links to answers ---------------------------------------------------------

test('history: a link to an answer or a reference that is not there says so', {}, async (w) => {
  const { id } = await message(w, 'demo-entropy', 'assistant');
  const page = await w.page();
  for (const [path, missing] of [['/m/none', true], [`/m/${id}#ref-99`, true], [`/m/${id}#ref-1`, false]]) {
    await page.goto(`${w.server.url}/c/demo-entropy${path}`);
    await answered(page, 2);
    await page.getByText('is not in this conversation').waitFor({ state: missing ? 'visible' : 'detached' });
  }
});

test('history: what is copied and saved links to its reference', {}, async (w) => {
  const { id } = await message(w, 'demo-entropy', 'assistant');
  const link = `${w.server.url}/c/demo-entropy/m/${id}#ref-1`;
  const page = await w.open('/c/demo-entropy');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await answered(page, 2);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await answers(page).first().getByRole('button', { name: 'Copy with references' }).click();
  await page.getByText('Copied with its references').waitFor();
  ok((await copied()).includes(link), `the copied answer: ${await copied()}`);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
  await panel(page).getByRole('button', { name: 'Copy all' }).click();
  await page.getByText('Reference copied').waitFor();
  ok((await copied()).includes(link), `the copied references: ${await copied()}`);
  await page.goto(link);
  await panel(page).locator('#ref-1[aria-current=true]').waitFor();
});

// ---- Titles -------------------------------------------------------------------

test('history: a conversation behind the newest 50 has its title', {}, async (w) => {
  await w.api('POST', '/api/sessions/ancient/messages', { role: 'user', content: 'Who built Stonehenge?' });
  await w.api('PATCH', '/api/sessions/ancient', { title: 'Old stones' });
  for (let n = 0; n < 60; n += 20)
    await Promise.all(Array.from({ length: 20 }, (_, i) => w.api('POST', '/api/sessions', { title: `Chat ${n + i}` })));
  const page = await w.open('/c/ancient');
  await heading(page, 'Old stones').waitFor();
  await page.waitForFunction(() => document.title.startsWith('Old stones'));
  await page.keyboard.press('Control+j');
  await page.waitForFunction(() => document.title === 'Footnote');
});

test('a first answer has its title while it is written', { model: true }, async (w) => {
  w.model.say('penguins', 'They huddle [1]', HOLD);
  const page = await w.open('/');
  const missing = [];
  page.on('response', (r) => r.status() === 404 && missing.push(r.url()));
  await ask(page, 'Why do penguins stand in a circle?');
  await answers(page).last().locator('.prose').getByText('They huddle').waitFor();
  await heading(page, 'Why do penguins stand in a circle?').waitFor();
  await page.waitForFunction(() => document.title.startsWith('Why do penguins'));
  equal(missing, [], 'what is asked for before it is there');
});

// ---- Back ---------------------------------------------------------------------

test('history: Back closes what lies over the page', {}, async (w) => {
  const page = await w.open('/');
  await page.getByRole('navigation').getByRole('link', { name: /melting ice/ }).click();
  await answered(page);
  const dialog = page.getByRole('dialog', { name: 'Search conversations and documents' });
  await page.keyboard.press('Control+k');
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  equal(new URL(page.url()).pathname, '/c/demo-ice', 'the page');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Closed by a key, and opened again before the browser went back.
  await page.evaluate(() => {
    addEventListener('popstate', () => { document.body.dataset.left = 'yes'; }, { once: true });
    const press = (key, ctrlKey) => document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
    press('k', true);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      press('Escape');
      setTimeout(() => press('k', true));
    }));
  });
  await dialog.waitFor();
  await page.locator('body[data-left]').waitFor();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await chip(page, 1).click();
  await page.waitForURL(/#ref-1$/);
  await page.goBack();
  await page.waitForURL(/\/c\/demo-ice$/);
  await answered(page);
  await page.goBack();
  await page.waitForURL(/\/$/);
});

test('history: Back closes the sheet and the list on a phone', {}, async (w) => {
  const page = await w.open('/c/demo-ice', phone);
  await answered(page);
  const sheet = page.getByRole('dialog', { name: 'References' });
  for (const leave of [() => page.goBack(), () => sheet.getByRole('button', { name: 'Close', exact: true }).tap()]) {
    await chip(page, 1).tap();
    await sheet.waitFor();
    await leave();
    await sheet.waitFor({ state: 'detached' });
    await page.waitForURL(/\/c\/demo-ice$/);
  }
  await page.getByRole('button', { name: 'Open the list of conversations' }).tap();
  await page.locator('.rail.open').waitFor();
  await page.goBack();
  await page.locator('.rail:not(.open)').waitFor({ state: 'attached' });
  equal(new URL(page.url()).pathname, '/c/demo-ice', 'the page');
});
