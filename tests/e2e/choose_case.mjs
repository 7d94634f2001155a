// choose_case.mjs - choosing the model, the scope, and files for a course.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered, ask, question } from './steps.mjs';

const modelsOf = (w) => w.file('footnote.toml', ['small', 'large'].map((name) =>
  `[[models]]\nname = "${name}"\nurl = "${w.model.url}"\nmodel = "${name}-2"\n`).join('\n'));

test('a model is chosen, and stays chosen', { model: true, flags: (w) => ['--demo', '--config', modelsOf(w)] }, async (w) => {
  const page = await w.open('/');
  await page.getByRole('button', { name: 'Model: Usual model' }).click();
  await page.getByRole('menuitemradio', { name: 'large' }).click();
  await ask(page, 'Which one are you?');
  await answered(page);
  equal(w.model.asked.at(-1).model, 'large-2', 'the model that answered');
  await page.reload();
  await page.getByRole('button', { name: 'Model: large' }).click();
  await page.getByRole('menuitemradio', { name: 'Usual model' }).click();
  await ask(page, 'And now?');
  await answered(page, 2);
  equal(w.model.asked.at(-1).model, 'small-2', 'the model that answered');
});

test('one model is nothing to choose from', { model: true }, async (w) => {
  const page = await w.open('/');
  const asked = page.waitForResponse((r) => r.url().endsWith('/v1/models'));
  await page.reload();
  await (await asked).finished();
  await page.getByRole('button', { name: /^Where to look/ }).waitFor();
  equal(await page.getByRole('button', { name: /^Model/ }).count(), 0, 'pickers');
});

test('a question looks only where it is told to', { model: true }, async (w) => {
  const page = await w.open('/');
  const where = page.getByRole('button', { name: /^Where to look/ });
  await where.click();
  await page.getByRole('menuitemradio', { name: /Entropy/ }).first().click();
  await where.click();
  await page.getByRole('menuitemcheckbox', { name: /notebook/ }).click();
  await page.getByRole('button', { name: /^Where to look: .*notebook/ }).waitFor();
  await ask(page, 'What did the demon write down about engines and entropy?');
  await answered(page);
  const id = new URL(page.url()).pathname.split('/')[2];
  const { messages } = await w.api('GET', `/api/sessions/${id}/messages`);
  const kinds = new Set(messages.at(-1).sources.map((s) => s.sourceType));
  equal([...kinds], ['lecture'], 'kinds of sources');
});

/** The chips of the last question, once they have their titles. */
async function chipsOf(page, n) {
  const chips = page.getByRole('article', { name: 'You' }).last()
    .getByRole('list', { name: 'Limited to' }).getByRole('listitem').filter({ hasNotText: '…' });
  await chips.nth(n - 1).waitFor();
  return chips.allInnerTexts();
}

test('a question keeps what it is limited to: documents, kinds, days', {}, async (w) => {
  const page = await w.open('/', phone);
  const where = page.getByRole('button', { name: /^Where to look/ });
  const limits = page.getByRole('button', { name: 'Limit to kinds and dates' });
  await where.click();
  await page.getByRole('menuitemradio', { name: /Entropy/ }).first().click();
  await where.click();
  const documents = page.getByRole('menuitemcheckbox');
  await documents.filter({ hasText: /notebook/ }).click();
  await documents.filter({ hasNotText: /notebook/ }).first().click();
  await page.getByRole('button', { name: 'Where to look: 2 documents' }).waitFor();
  await page.keyboard.press('Escape');
  await limits.click();
  const form = page.getByRole('dialog', { name: 'Limit to kinds and dates' });
  await form.getByLabel('Recordings').check();
  await w.shot(page);
  await page.keyboard.press('Escape');
  await ask(page, 'What did the demon write down about engines and entropy?');
  await answered(page);
  const chips = await chipsOf(page, 3);
  ok(chips.includes('Recordings'), `no kind: ${chips}`);
  const sources = async (n) => {
    const id = new URL(page.url()).pathname.split('/')[2];
    const { messages } = await w.api('GET', `/api/sessions/${id}/messages`);
    equal(messages.at(-2).scope.documentIds.length, n, 'documents');
    return [...new Set(messages.at(-1).sources.map((s) => s.sourceType))];
  };
  equal(await sources(2), ['lecture'], 'kinds of sources');
  await page.reload();
  await answered(page);
  equal(await chipsOf(page, 3), chips, 'chips after a reload');
  // Another scope now; the old question keeps its own.
  const again = page.waitForRequest((r) => r.url().endsWith('/api/chat'));
  await page.getByRole('button', { name: 'Retry' }).last().click();
  await again;
  await answered(page);
  equal(await sources(2), ['lecture'], 'kinds of sources, once more');
  await limits.click();
  await form.getByLabel('Web pages').check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Not only Web pages' }).waitFor();
  await ask(page, 'And heat?');
  await answered(page, 2);
  await page.getByText('No document lies in what this question is limited to.').waitFor();
  equal(await chipsOf(page, 1), ['Web pages'], 'chips of the second question');
  await w.shot(page);
});

test('a new course takes the files that waited for it', { flags: [] }, async (w) => {
  const page = await w.open('/');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Add files' }).click()]);
  await chooser.setFiles([
    { name: 'otters.md', mimeType: 'text/markdown', buffer: Buffer.from('# Otters\n\nThey hold hands.\n') },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 not much of one') },
  ]);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Files go into a course.').waitFor();
  await dialog.getByLabel('Title of the course').fill('Sea life');
  await page.keyboard.press('Enter');
  const list = page.getByRole('region', { name: 'Adding 2 files' });
  await list.getByRole('listitem').filter({ hasText: 'otters.md' }).getByText(/^Ready/).waitFor();
  const broken = list.getByRole('listitem').filter({ hasText: 'broken.pdf' });
  await broken.locator('.subtitle.bad').waitFor();
  ok((await broken.locator('.subtitle.bad').innerText()).length > 10, 'it does not say why');
  await page.getByRole('button', { name: /^Where to look: Sea life/ }).waitFor();
  await page.getByText('Ready: 1 text.').waitFor();
  await w.shot(page);
});

// The program fetches nothing from its own network, so that a page of this
// machine is one that cannot be had.
test('a web page that cannot be had says why', {}, async (w) => {
  const page = await w.open('/');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add a web page' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a web page' });
  await dialog.getByLabel('Address of the page').fill(`${w.server.url}/docs`);
  await dialog.getByRole('button', { name: 'Add page' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('region', { name: 'Adding 1 file' }).getByRole('listitem');
  await row.getByText('/docs').waitFor();
  await row.locator('.subtitle.bad').waitFor();
  ok((await row.locator('.subtitle.bad').innerText()).length > 10, 'it does not say why');
  await w.shot(page);
  ok(await question(page).isVisible(), 'the page is not usable');
  const spanish = await w.open('/', { locale: 'es' });
  await spanish.getByRole('button', { name: /^Dónde buscar/ }).click();
  await spanish.getByRole('menuitemradio', { name: 'Entropy, from steam engines to bits' }).click();
  await spanish.getByRole('button', { name: /^Dónde buscar/ }).click();
  await spanish.getByRole('menuitem', { name: /^Documentos de/ }).click();
  await spanish.getByText('no se pudo leer: La dirección nombra un puerto; solo se leen los habituales de la web, 80 y 443.').waitFor();
  await w.shot(spanish, 'failed in Spanish');
});
