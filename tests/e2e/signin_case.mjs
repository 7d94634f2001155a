// signin_case.mjs - servers with sign-in: keys, tokens, limits, and a session
// that ends while somebody types.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { axePath } from './browser.mjs';
import { equal, test } from './case.mjs';
import { HOLD } from './model.mjs';
import { answered, answers, ask, question, signIn } from './steps.mjs';

const SECRET = 'a secret of more than thirty-two bytes, for a test';

function tokenOf(claims, secret = SECRET) {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

async function signOut(page, name) {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Key or token').waitFor();
}

test('signing in with a key', { flags: ['--auth', 'key'] }, async (w) => {
  const page = await w.page();
  await page.goto(w.server.url);
  await signIn(page, 'fn_wrong');
  await page.getByRole('alert').getByText('not accepted').waitFor();
  await w.shot(page);
  await signIn(page, w.key('ada'));
  await question(page).waitFor();
  await signOut(page, /ada/);
});

test('signing out elsewhere', { flags: ['--auth', 'key'] }, async (w) => {
  const key = w.key('ada');
  const [lost, here] = [await w.page(), await w.page()];
  for (const page of [lost, here]) {
    await page.goto(w.server.url);
    await signIn(page, key);
    await question(page).waitFor();
  }
  await here.getByRole('button', { name: /ada/ }).click();
  await here.getByRole('menuitem', { name: 'Where you are signed in' }).click();
  await here.getByText('This browser').waitFor();
  await here.evaluate(`${readFileSync(axePath, 'utf8')};0`);
  const found = await here.evaluate(async () =>
    (await window.axe.run('dialog, [role=dialog]')).violations.map((v) => v.id));
  equal(found, [], 'axe on the list of logins');
  await w.shot(here);
  await here.getByRole('button', { name: /^Sign out there/ }).click();
  await here.getByRole('button', { name: /^Sign out there/ }).waitFor({ state: 'detached' });
  await lost.reload();
  await lost.getByLabel('Key or token').waitFor();
  await here.reload();
  await question(here).waitFor();
});

test('signing in with a token', {
  flags: (w) => ['--auth', 'jwt', '--jwt-secret-file', w.file('secret', SECRET)],
}, async (w) => {
  const page = await w.page();
  await page.goto(w.server.url);
  const bad = { forged: tokenOf({ sub: 'grace', exp: inAnHour() }, `${SECRET} `),
    old: tokenOf({ sub: 'grace', exp: inAnHour() - 7200 }) };
  for (const token of Object.values(bad)) {
    await signIn(page, token);
    await page.getByRole('alert').getByText('not accepted').waitFor();
  }
  await signIn(page, tokenOf({ sub: 'grace', exp: inAnHour() }));
  await question(page).waitFor();
  await page.reload(); // a cookie has it now, not the page
  await question(page).waitFor();
  await signOut(page, /grace/);
});

test('too many questions at once: the last one waits', { model: true,
  flags: ['--auth', 'key', '--turns-per-user', '1'] }, async (w) => {
  const key = w.key('ada');
  await w.course('otters', 'Sea otters hold hands while they sleep, so that they do not drift apart.', key);
  w.model.say('one of', 'Slowly [1]', HOLD, '.');
  const one = await w.page();
  await one.goto(w.server.url);
  await signIn(one, key);
  await ask(one, 'What does one of the otters hold?');
  await answers(one).last().getByText('Slowly').waitFor();

  const two = await w.page({ storageState: await one.context().storageState() });
  await two.goto(w.server.url);
  await ask(two, 'Why do otters hold hands?');
  await two.getByRole('alert').getByText('Too many questions at once.').waitFor();
  await w.shot(two);
  w.model.release();
  await answered(one);
  await two.getByRole('log').getByRole('button', { name: 'Try again' }).click();
  await answered(two);
  equal(await two.locator('.bubble').allInnerTexts(), ['Why do otters hold hands?'], 'questions');
});

test('signed out in the middle: the question is kept', { model: true, flags: ['--auth', 'key'] }, async (w) => {
  const key = w.key('ada');
  const page = await w.page();
  await page.goto(w.server.url);
  await signIn(page, key);
  await question(page).waitFor();
  await page.context().clearCookies();
  await ask(page, 'A question worth keeping');
  await page.getByText('You are signed out. Sign in again: what you typed is kept.').waitFor();
  await w.shot(page);
  await signIn(page, key);
  await question(page).waitFor();
  equal(await question(page).inputValue(), 'A question worth keeping', 'the question');
  await question(page).press('Enter');
  await answered(page);
  equal(await page.locator('.bubble').allInnerTexts(), ['A question worth keeping'], 'questions');
});
