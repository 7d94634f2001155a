// error_case.mjs - errors are explained, and nothing typed is lost.
import { equal, ok, test } from './case.mjs';
import { FAIL } from './model.mjs';
import { answered, answers, ask, question } from './steps.mjs';

test('the server is gone: the question is kept', { model: true }, async (w) => {
  const page = await w.open('/');
  await w.server.kill();
  await ask(page, 'Is anybody there?');
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await w.shot(page);
  await w.server.start();
  await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
  await answered(page);
  equal(await page.locator('.bubble').allInnerTexts(), ['Is anybody there?'], 'questions');
});

test('what is typed survives a reload', {}, async (w) => {
  const page = await w.open('/');
  await question(page).fill('half a quest');
  await page.reload();
  await question(page).waitFor();
  equal(await question(page).inputValue(), 'half a quest', 'the draft');
  await page.goto(`${w.server.url}/c/demo-ice`);
  await question(page).waitFor();
  equal(await question(page).inputValue(), '', 'the box of another conversation');
});

test('offline: the question waits for the connection', { model: true }, async (w) => {
  const page = await w.open('/');
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await ask(page, 'Will this arrive?');
  await page.getByText('Your question waits for the connection.').waitFor();
  await page.context().setOffline(false);
  await answered(page);
  equal(await page.locator('.bubble').allInnerTexts(), ['Will this arrive?'], 'questions');
});

for (const [status, code, said] of [
  [409, 'turn_running', 'An answer is still being written here.'],
  [503, 'model_unavailable', 'The model does not answer.'],
])
  test(`an answer of ${status} is put into words`, { model: true }, async (w) => {
    const page = await w.open('/');
    await page.route('**/api/chat', (route) => route.fulfill({ status, contentType: 'application/json',
      headers: { 'retry-after': '7', 'x-should-retry': 'false' }, body: JSON.stringify({ error: 'x', code }) }));
    await ask(page, 'A question worth keeping');
    await page.getByRole('alert').getByText(said).waitFor();
    await page.unroute('**/api/chat');
    await page.reload();
    await question(page).waitFor();
    equal(await question(page).inputValue(), 'A question worth keeping', 'the draft after a reload');
  });

for (const [locale, said, again] of [['en', 'The model does not answer.', 'Retry'],
  ['es', 'El modelo no responde.', 'Reintentar']])
  test(`a model that fails is one box with its cause (${locale})`, { model: true }, async (w) => {
    w.model.say('engine', FAIL);
    const page = await w.open('/', { locale });
    const box = page.locator('#question');
    await box.fill('What matters for an engine?');
    await box.press('Enter');
    await answered(page);
    await page.getByText(said).waitFor();
    equal(await page.locator('.notice').count(), 1, 'boxes');
    ok(!(await page.content()).includes('secrets'), 'what the model server said is shown');
    await w.shot(page);
    await page.reload();
    await answered(page);
    await page.getByText(said).waitFor();
    equal(await page.locator('.notice').count(), 1, 'boxes after a reload');
    w.model.say('engine', 'Only two temperatures matter [1].');
    await answers(page).or(page.getByRole('article', { name: 'Respuesta' })).last()
      .locator('.notice').getByRole('button', { name: again }).click();
    await page.locator('.prose').getByText('Only two temperatures matter').waitFor();
  });

test('a question that is too long is kept', { model: true }, async (w) => {
  const long = 'Why? '.repeat(20_000);
  const page = await w.open('/');
  await ask(page, long);
  await page.getByRole('alert').getByText('That is too large. Shorten it and try again.').waitFor();
  await page.reload();
  await question(page).waitFor();
  equal((await question(page).inputValue()).length, long.trim().length, 'the draft after a reload');
});

test('a history that is no JSON', {}, async (w) => {
  const page = await w.page();
  await page.route('**/api/sessions/demo-ice/messages*', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{"messages": [' }));
  await page.goto(`${w.server.url}/c/demo-ice`);
  await page.getByRole('alert').getByText('What was stored could not be read.').waitFor();
  await page.unroute('**/api/sessions/demo-ice/messages*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await answered(page);
});

test('a source without a document still shows its words', {}, async (w) => {
  await w.api('POST', '/api/sessions/bare/messages', { role: 'user', content: 'What?' });
  await w.api('POST', '/api/sessions/bare/messages', { role: 'assistant', content: 'This [1].',
    sources: [{ sourceType: 'text', sourceId: 'x', contentPreview: 'Words of a bare source.' }] });
  const page = await w.open('/c/bare');
  await answered(page);
  await page.getByRole('complementary').getByText('Words of a bare source.').first().waitFor();
});

test('upload: from a file to the first answer', { model: true }, async (w) => {
  w.model.say('otters', 'Otters hold hands [1].');
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Add files' }).click()]);
  await chooser.setFiles({ name: 'otters.md', mimeType: 'text/markdown',
    buffer: Buffer.from('# Otters\n\nSea otters hold hands while they sleep, so that they do not drift apart.\n') });
  const list = page.getByRole('region', { name: /^Adding 1 file/ });
  await list.getByText(/^Ready/).waitFor();
  await ask(page, 'Why do otters hold hands?');
  await answered(page, 3);
  ok((await answers(page).last().innerText()).includes('Otters hold hands'), 'no answer');
  await page.getByRole('complementary').getByText('Sea otters hold hands while they sleep').first().waitFor();
});

test('a new journal entry is kept until it is saved', {}, async (w) => {
  const page = await w.open('/');
  const form = page.getByRole('dialog', { name: 'New journal entry' });
  const open = async () => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New journal entry' }).click();
  };
  await open();
  await form.getByLabel('Title').fill('Otters at the pier');
  await form.getByLabel('Entry').fill('Counted eleven otters at the pier this morning.');
  await page.reload();
  await question(page).waitFor();
  await open();
  equal(await form.getByLabel('Title').inputValue(), 'Otters at the pier', 'the title after a reload');
  await form.getByRole('button', { name: 'Save entry' }).click();
  await page.getByText('Entry saved').waitFor();
  const { documents } = await w.api('GET', '/api/courses/demo/documents');
  ok(documents.some((d) => d.kind === 'journal' && d.title === 'Otters at the pier'), 'it is not there');
});
