// adding_case.mjs - files on their way in: dropped anywhere, found again after a
// reload, cancelled; and who may not add any.
import { equal, test } from './case.mjs';
import { addFiles, openCourse, question, signIn } from './steps.mjs';

const NO_WORKERS = ['--ingest-workers', '0']; // what is added stays unread
const file = (name, text) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) });
const listOf = (page) => page.getByRole('region', { name: 'Adding 1 file' });
const documentsOf = (w) => w.api('GET', '/api/courses/otters/documents').then(({ documents }) => documents);

async function openWithCourse(w) {
  await w.api('POST', '/api/courses', { id: 'otters', title: 'Otters' });
  return w.open('/');
}
/** Drags a file over an element, as a file manager does, and may let go. */
const drag = (page, where, letGo = true) => page.locator(where).evaluate((el, drops) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['# Otters\n\nThey hold hands.\n'], 'dropped.md', { type: 'text/markdown' }));
  const send = (type) => el.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  send('dragover');
  if (drops) send('drop');
}, letGo);

test('adding: a file that is dropped anywhere on the page', { flags: [] }, async (w) => {
  const page = await openWithCourse(w);
  await drag(page, '.rail', false);
  await page.getByText('Drop files to add them').waitFor();
  await w.shot(page);
  await drag(page, '.rail');
  await listOf(page).getByText(/^Ready/).waitFor();
  equal((await documentsOf(w)).map((d) => d.filename), ['dropped.md'], 'documents');
  equal(await page.getByText('Drop files to add them').count(), 0, 'signs left');
});

test('adding: what is being read is found again, in the course too, and can be cancelled', { flags: NO_WORKERS }, async (w) => {
  const page = await openWithCourse(w);
  await addFiles(page, file('otters.md', '# Otters\n\nThey hold hands.\n'));
  await listOf(page).getByText('Uploaded · waiting to be read').waitFor();
  await page.reload();
  await listOf(page).getByText('Uploaded · waiting to be read').waitFor();
  const course = await openCourse(page, 'Otters');
  await course.getByText(/^waiting/).waitFor();
  await w.shot(page);
  await page.keyboard.press('Escape');
  const deleted = page.waitForResponse((r) => r.request().method() === 'DELETE');
  await listOf(page).getByRole('button', { name: /^Cancel/ }).click();
  await listOf(page).waitFor({ state: 'detached' });
  await deleted;
  equal(await documentsOf(w), [], 'documents after cancelling');

  await addFiles(page, file('seals.md', '# Seals\n\nThey clap.\n'));
  await listOf(page).getByText('Uploaded · waiting to be read').waitFor();
  const again = await openCourse(page, 'Otters');
  await again.getByRole('button', { name: 'Cancel seals.md' }).click();
  await again.getByText('seals.md').waitFor({ state: 'detached' });
  equal(await documentsOf(w), [], 'documents after cancelling in the course');
});

test('adding: leaving while a file is sent asks first; sending can be cancelled', { flags: NO_WORKERS }, async (w) => {
  const page = await openWithCourse(w);
  const asked = [];
  page.on('dialog', (d) => asked.push(d.type()));
  let held;
  const arrived = new Promise((done) => { held = done; });
  await page.route('**/api/courses/otters/documents', (route) => held(route)); // never answered
  await addFiles(page, file('otters.md', '# Otters\n'));
  await arrived;
  await page.reload();
  equal(asked, ['beforeunload'], 'questions');
  await question(page).waitFor();
  await addFiles(page, file('otters.md', '# Otters\n'));
  await listOf(page).getByRole('button', { name: 'Cancel otters.md' }).click();
  await listOf(page).waitFor({ state: 'detached' });
  await page.reload();
  await question(page).waitFor();
  equal([asked, await documentsOf(w)], [['beforeunload'], []], 'questions and documents in the end');
});

test('adding: readers of a course see no way to add or delete', { flags: ['--auth', 'key'] }, async (w) => {
  const [ada, bob] = ['ada', 'bob'].map((user) => w.key(user));
  await w.course('otters', 'Sea otters hold hands while they sleep.', ada);
  await w.api('PUT', '/api/courses/otters/members/bob', { role: 'reader' }, ada);
  for (const [key, ways] of [[bob, 0], [ada, 1]]) {
    const page = await w.page();
    await page.goto(w.server.url);
    await signIn(page, key);
    const course = await openCourse(page, 'Otters');
    await course.getByText('On otters').first().waitFor();
    equal([await course.getByRole('button', { name: 'Add files' }).count(), await course.getByRole('button', { name: /^Remove|^Delete/ }).count()],
      [ways, ways], 'ways to add and to delete in the course');
    await w.shot(page, `adding a reader ${ways}`);
    await page.keyboard.press('Escape');
    equal(await page.getByRole('button', { name: 'Add', exact: true }).count(), ways, 'ways to add beside the question');
  }
});

test('adding: what is refused is told in the reader’s language', { flags: NO_WORKERS }, async (w) => {
  await w.api('POST', '/api/courses', { id: 'otters', title: 'Otters' });
  const page = await w.open('/', { locale: 'es' });
  await page.getByRole('button', { name: 'Añadir', exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Añadir archivos' }).click()]);
  await chooser.setFiles({ name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 255, 254, 0, 7]) });
  await page.getByText('No se pudo subir.').or(page.getByText('No se pueden leer archivos de este tipo.')).waitFor();
  equal(await page.getByText('No se pueden leer archivos de este tipo.').count(), 1, 'the reason');
});
