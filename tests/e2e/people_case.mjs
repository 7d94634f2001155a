// people_case.mjs - sharing a frozen copy, the members of a course,
// administration, and the sign-in page of a provider.
import { equal, ok, test } from './case.mjs';
import { expectNoViolations } from './axe.mjs';
import { phone } from './browser.mjs';
import { answered, question } from './steps.mjs';

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const menuItem = async (page, button, item) => {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

async function shareIt(page) {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share a frozen copy' });
  await dialog.getByLabel('Whole conversation').check();
  await dialog.getByText('No links are open.').waitFor();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Copy link' }).press('Enter');
  const url = await dialog.locator('.made code').textContent();
  await dialog.getByRole('button', { name: /^End now: Whole conversation/ }).waitFor();
  return { dialog, url };
}

test('a link to a frozen copy: shared, read by a stranger, ended', {}, async (w) => {
  const page = await w.page();
  await page.goto(`${w.server.url}/c/demo-entropy`);
  await answered(page, 2);
  const { dialog, url } = await shareIt(page);
  await expectNoViolations(page, 'the dialog of a link');
  await w.shot(page, 'share');
  for (const options of [{}, phone, { javaScriptEnabled: false }]) {
    const stranger = await w.page(options);
    await stranger.goto(url);
    await stranger.getByRole('heading', { level: 1 }).waitFor();
    equal(await stranger.context().cookies(), [], 'cookies of a stranger');
    if (options.javaScriptEnabled === false) continue;
    ok(await fits(stranger), 'a shared page fits the window');
    const shown = stranger.locator('li img').first();
    await shown.scrollIntoViewIfNeeded();
    await stranger.waitForFunction(() => [...document.images].some((i) => i.complete && i.naturalWidth > 100));
    await expectNoViolations(stranger, 'a shared page');
    await w.shot(stranger, `shared ${options === phone ? 'phone' : 'wide'}`);
  }
  await dialog.getByRole('button', { name: /^End now/ }).click();
  await dialog.getByText('No links are open.').waitFor();
  const late = await w.page();
  equal((await late.goto(url)).status(), 404, 'a link that was ended');
  await late.getByText('This link has ended.').waitFor();
});

test('members of a course: invited, given a role, removed', {}, async (w) => {
  const page = await w.page({ ...phone, colorScheme: 'dark' });
  await w.api('POST', '/api/courses', { id: 'heat', title: 'Heat' });
  await page.goto(`${w.server.url}/library/heat`);
  await menuItem(page, 'This course', 'People and sharing');
  const dialog = page.getByRole('dialog', { name: 'Heat: People and sharing' });
  await dialog.getByText('1 person can ask').waitFor();
  await dialog.getByRole('textbox', { name: 'Name, as they sign in' }).fill('ben');
  await dialog.getByRole('button', { name: 'Invite' }).press('Enter');
  await dialog.getByText('2 people can ask').waitFor();
  await dialog.getByLabel('Role of ben', { exact: true }).selectOption('editor');
  await dialog.getByText('2 people can add').waitFor();
  await dialog.getByLabel('Everyone who signs in').click();
  await dialog.getByText('Everyone who signs in can ask').waitFor();
  await expectNoViolations(page, 'the members of a course');
  ok(await fits(page), 'the members fit a phone');
  await w.shot(page, 'people');
  equal((await w.api('GET', '/api/courses/heat/members')).members.map((m) => `${m.userId} ${m.role}`).sort(),
    ['* reader', 'ben editor'], 'members');
  await dialog.getByRole('button', { name: 'Remove ben' }).click();
  await page.getByRole('dialog', { name: 'Remove ben?' }).getByRole('button', { name: 'Remove ben' }).click();
  await dialog.getByText('1 person can add').waitFor();
});

test('administration: who is signed in, keys, the log', {}, async (w) => {
  const page = await w.page({ locale: 'es' });
  await page.goto(w.server.url);
  await page.locator('#question').waitFor();
  await page.locator('.account > button, button.account').first().click();
  await page.getByRole('menuitem', { name: 'Administración' }).click();
  const dialog = page.getByRole('dialog', { name: 'Administración' });
  await dialog.getByText(/^\d+ MB · \d+ documentos? · \d+ conversaci/).first().waitFor();
  await dialog.getByRole('tab', { name: 'Personas y espacio' }).press('ArrowRight');
  await dialog.getByText('Nadie.').waitFor();
  await dialog.getByRole('tab', { name: 'Sesiones abiertas' }).press('ArrowRight');
  await dialog.getByLabel('De quién es').fill('ada');
  await dialog.getByLabel('Para qué es').fill('pruebas');
  await dialog.getByRole('button', { name: 'Nueva clave' }).press('Enter');
  await dialog.getByText(/^fn_\w{10}_\w{43}$/).waitFor();
  await expectNoViolations(page, 'the keys');
  await w.shot(page, 'admin keys');
  await dialog.getByRole('button', { name: 'Terminar: pruebas' }).click();
  await page.getByRole('dialog', { name: /Terminar la clave/ }).getByRole('button', { name: 'Terminar', exact: true }).click();
  await dialog.getByText(/terminada/).waitFor();
  await dialog.getByRole('tab', { name: 'Sistema' }).click();
  await dialog.getByText('extractive').waitFor();
  await dialog.getByRole('tab', { name: 'Registro' }).click();
  await dialog.getByLabel('Acto').selectOption('key.make');
  await dialog.getByText(/key\.make/).nth(1).waitFor();
  await expectNoViolations(page, 'the log');
  await w.shot(page, 'admin log');
});

test('a provider that does not answer: one is told, and the key is there', {
  flags: ['--auth', 'key,oidc', '--oidc-issuer', 'http://127.0.0.1:9', '--oidc-client-id', 'x', '--oidc-name', 'Example School'],
}, async (w) => {
  const page = await w.page();
  await page.goto(`${w.server.url}/c/somewhere?x=1`);
  await page.getByRole('link', { name: 'Continue with Example School' }).press('Enter');
  await page.getByRole('alert').getByText('not completed').waitFor();
  equal(new URL(page.url()).pathname + new URL(page.url()).search, '/c/somewhere?x=1', 'where one was going');
  await expectNoViolations(page, 'the sign-in page');
  await w.shot(page, 'sign in');
  await page.getByText('Use a key or token instead').click();
  await page.getByLabel('Key or token').fill(w.key('ada'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await question(page).waitFor();
});
