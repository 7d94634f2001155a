// library_case.mjs - the library: from nothing to a first document, by keyboard
// alone; what a change does to old answers; what a reader cannot do; a phone.
import { expectNoViolations } from './axe.mjs';
import { phone } from './browser.mjs';
import { equal, ok, test } from './case.mjs';
import { signIn } from './steps.mjs';

const file = (name, text) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) });
const row = (page, name) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const shelf = (w) => w.api('GET', '/api/documents?sort=name').then(({ documents }) => documents);

async function openLibrary(w, path = '/library', options = {}) {
  const page = await w.page(options);
  await page.goto(w.server.url + path);
  await page.getByRole('main').waitFor();
  return page;
}
async function choose(page, press, files) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()]);
  await chooser.setFiles(files);
}
/** By keys alone: the menu of what can be added. */
async function add(page, name, files) {
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name, exact: true }).waitFor();
  if (files) await choose(page, () => page.getByRole('menuitem', { name, exact: true }).press('Enter'), files);
  else await page.getByRole('menuitem', { name, exact: true }).press('Enter');
}

test('library: from nothing to versions, by keyboard alone', { flags: [] }, async (w) => {
  const page = await openLibrary(w);
  await page.getByRole('heading', { name: 'Start with one document.' }).waitFor();
  await expectNoViolations(page, 'empty library');
  await choose(page, () => page.getByRole('button', { name: 'Choose files' }).press('Enter'), file('oak.md', '# Oaks\n\nOaks live long.\n'));
  await row(page, 'Oaks').getByText('Ready').waitFor();
  equal((await w.api('GET', '/api/courses')).courses.map((c) => c.title), ['My documents'], 'the course that was made');

  const [oak] = await shelf(w);
  await w.api('POST', '/api/sessions', { id: 's', courseId: oak.courseId });
  await w.api('POST', '/api/sessions/s/messages', { role: 'assistant', content: 'They live long [1].',
    sources: [{ sourceType: 'text', documentId: oak.id, part: 1, contentPreview: 'Oaks live long.' }] });
  await page.reload();
  await row(page, 'Oaks').getByText('cited by 1 answer').waitFor();

  await add(page, 'Files', file('oak.md', '# Oaks\n\nOaks live very long.\n'));
  const same = page.getByRole('dialog', { name: '1 file is here already' });
  await same.getByText('cited by 1 answer').waitFor();
  await expectNoViolations(page, 'the same name');
  await w.shot(page, 'library the same name');
  await page.keyboard.press('Enter'); // the focus is on what one mostly wants
  await row(page, 'Oaks').getByText('version 2').waitFor();
  await row(page, 'Oaks').getByText('Ready').waitFor();
  equal((await w.api('GET', '/api/sessions/s/messages')).messages[0].sources[0].state, 'changed', 'the old answer');

  await row(page, 'Oaks').focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name' }).fill('On oaks');
  await page.keyboard.press('Enter');
  await row(page, 'On oaks').waitFor();

  await add(page, 'Pasted text');
  await page.getByRole('textbox', { name: 'Title' }).fill('A note');
  await page.getByRole('textbox', { name: 'Text' }).fill('Leaves fall.');
  await page.getByRole('button', { name: 'Add the text' }).press('Enter');
  await row(page, 'A note').getByText('Ready').waitFor();
  await add(page, 'A journal entry');
  await page.getByRole('textbox', { name: 'Title' }).fill('Day one');
  await page.getByRole('textbox', { name: 'Entry' }).fill('Planted.');
  await page.getByRole('button', { name: 'Save entry' }).press('Enter');
  await row(page, 'Day one').getByText('Ready').waitFor();
  await row(page, 'Day one').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Edit the entry' }).press('Enter');
  await page.getByRole('textbox', { name: 'Entry' }).fill('Planted and watered.');
  await page.getByRole('button', { name: 'Save entry' }).press('Enter');
  await row(page, 'Day one').getByText('version 2').waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('NOTE');
  await page.getByRole('status').filter({ hasText: /^1 document$/ }).waitFor();
  ok(page.url().endsWith('/library?q=NOTE'), `the address is ${page.url()}`);
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await row(page, 'On oaks').waitFor();
  await page.getByRole('button', { name: 'Name' }).press('Enter');
  await page.getByRole('columnheader', { name: 'Name', exact: true }).and(page.locator('[aria-sort=ascending]')).waitFor();
  await row(page, 'A note').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  const chosen = page.getByRole('group', { name: '2 selected' });
  await chosen.waitFor();
  await expectNoViolations(page, 'library with a selection');
  await w.shot(page, 'library selected');
  await page.keyboard.press('Delete');
  const sure = page.getByRole('dialog', { name: 'Delete 2 documents?' });
  await sure.getByText('1 answer cites it, and keeps the passages that it quotes.').waitFor();
  await sure.getByRole('button', { name: 'Delete' }).press('Enter');
  await row(page, 'On oaks').waitFor({ state: 'detached' });
  equal((await shelf(w)).map((d) => d.title), ['A note'], 'what is left');
  await page.reload();
  await row(page, 'A note').press('Enter');
  await page.getByRole('heading', { name: 'A note', level: 1 }).waitFor();
  await page.goBack();
  await row(page, 'A note').waitFor();
});

test('library: moving, replacing, a course; what a reader cannot do; a phone, dark, in Spanish', { flags: ['--auth', 'key'] }, async (w) => {
  const [ada, bob] = ['ada', 'bob'].map((user) => w.key(user));
  await w.course('otters', 'Sea otters hold hands while they sleep.', ada);
  await w.api('POST', '/api/courses', { id: 'seals', title: 'Seals' }, ada);
  await w.api('PUT', '/api/courses/otters/members/bob', { role: 'reader' }, ada);
  const page = await openLibrary(w, '/library/otters');
  await signIn(page, ada);
  const menu = async (item) => {
    await page.getByRole('button', { name: 'What to do with On otters' }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    return page.getByRole('dialog');
  };
  const replace = await menu('Replace');
  await replace.getByText('No answer cites this version. None will change.').waitFor();
  await replace.locator('input[type=file]').setInputFiles(file('otters.md', '# Otters\n\nThey hold hands, and more.\n'));
  await expectNoViolations(page, 'replacing');
  await replace.getByRole('button', { name: 'Replace' }).click();
  await row(page, 'On otters').getByText('version 2').waitFor();
  await page.getByRole('button', { name: 'This course' }).click();
  await page.getByRole('menuitem', { name: 'Name and description' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Of the sea');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('main').getByText('Of the sea').first().waitFor();

  const his = await openLibrary(w, '/library');
  await signIn(his, bob);
  await his.getByRole('button', { name: 'What to do with On otters' }).click();
  equal(await his.getByRole('menuitem').allTextContents(), ['Read', 'Ask about it', 'Download'], 'what a reader may do');
  await his.keyboard.press('Escape');
  await row(his, 'On otters').focus();
  await his.keyboard.press('Delete');
  equal(await his.getByRole('dialog').count(), 0, 'questions about deleting');

  const move = await menu('Move');
  await move.getByText('who may not, sees no more of it').waitFor();
  await move.getByRole('button', { name: 'Move' }).click();
  await page.getByRole('heading', { name: 'Start with one document.' }).waitFor();
  await his.reload();
  await his.getByRole('main').getByText('0 documents').waitFor();
  equal(await his.getByRole('link', { name: 'On otters' }).count(), 0, 'what is left for a reader of the old course');

  const small = await openLibrary(w, '/library', { ...phone, locale: 'es', colorScheme: 'dark' });
  await small.getByRole('textbox', { name: 'Clave o token' }).fill(ada);
  await small.getByRole('button', { name: 'Entrar' }).tap();
  await row(small, 'On otters').waitFor();
  equal(await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing scrolls sideways');
  await expectNoViolations(small, 'library on a phone');
  await w.shot(small, 'library phone');
  await small.getByRole('button', { name: 'Seleccionar', exact: true }).tap();
  await small.getByRole('checkbox', { name: 'Seleccionar On otters' }).tap();
  await small.getByRole('group', { name: '1 seleccionado' }).waitFor();
  await expectNoViolations(small, 'selecting on a phone');
});

test('library: a document is read by its outline, its pages and the answers that cite it', {}, async (w) => {
  const page = await openLibrary(w, '/library?kind=slides');
  await page.getByRole('row').getByRole('link', { name: /Entropy|slides/i }).first().click();
  await page.getByRole('complementary', { name: /^Cited in \d+ of your answers$/ }).waitFor();
  const contents = page.getByRole('navigation', { name: 'Outline' });
  await contents.getByRole('tab', { name: 'Outline' }).waitFor();
  await contents.getByText(/^cited by \d+ answers?$/).first().waitFor({ state: 'attached' });
  await expectNoViolations(page, 'reading');
  await w.shot(page, 'library reading');
  await contents.getByRole('link').nth(3).click();
  await page.waitForURL(/[?&]page=\d+/);
  await contents.getByRole('tab', { name: 'Outline' }).press('ArrowRight');
  await contents.getByRole('link', { name: /^Page 7 of/ }).click();
  await page.waitForURL(/[?&]page=7/);
  await page.getByRole('heading', { name: 'On this page' }).waitFor();
  await page.getByRole('link', { name: 'Back to the library' }).click();
  await page.waitForURL(/\/library\/[^/]+$/);
  await page.goBack();
  await page.getByRole('button', { name: 'Ask about this document' }).click();
  await page.getByRole('button', { name: /^Where to look: Entropy/ }).waitFor();

  const small = await openLibrary(w, '/library', phone);
  await small.getByRole('row').getByRole('link', { name: /Entropy/ }).first().tap();
  await small.getByRole('button', { name: 'Outline' }).tap();
  await small.getByRole('navigation', { name: 'Outline' }).getByRole('link').first().waitFor();
  equal(await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing scrolls sideways');
  await expectNoViolations(small, 'reading on a phone');
  await w.shot(small, 'library reading phone');
});
