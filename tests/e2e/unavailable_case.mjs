// unavailable_case.mjs - sources that were removed, withdrawn, or are elsewhere.
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask, chip, panel, signIn } from './steps.mjs';

const WORDS = 'divided everything by the final temperature';
const ice = (w) => w.api('GET', '/api/sessions/demo-ice/messages')
  .then(({ messages }) => messages.at(-1).sources.find((s) => s.contentPreview?.includes(WORDS)));

test('history: a passage that its owner removed is gone everywhere', {}, async (w) => {
  const { documentId, chunkNumber } = await ice(w);
  await w.api('DELETE', `/api/documents/${encodeURIComponent(documentId)}?citations=redact`);
  const page = await w.open('/c/demo-ice');
  await answered(page);
  await chip(page, chunkNumber).click();
  await panel(page).getByText('This passage was removed by the owner of the document.').first().waitFor();
  ok((await answers(page).last().innerText()).length > 20, 'the answer is gone too');
  ok(!(await page.content()).includes(WORDS), 'the passage is still somewhere on the page');
  await w.shot(page);
});

test('history: what somebody may not read any more is not shown', { model: true, flags: ['--auth', 'key'] }, async (w) => {
  const [ada, bob] = ['ada', 'bob'].map((user) => w.key(user));
  await w.course('otters', 'Sea otters hold hands while they sleep, so that they do not drift apart.', ada);
  await w.api('PUT', '/api/courses/otters/members/bob', { role: 'reader' }, ada);
  w.model.say('otters', 'They hold hands [1].');
  const page = await w.page();
  await page.goto(w.server.url);
  await signIn(page, bob);
  await ask(page, 'Why do otters hold hands?');
  await answered(page);
  await panel(page).getByText('Sea otters hold hands while they sleep').first().waitFor();

  await w.api('DELETE', '/api/courses/otters/members/bob', undefined, ada);
  await page.reload();
  await answered(page);
  await panel(page).getByText('No longer available to you.').first().waitFor();
  ok((await answers(page).last().innerText()).includes('They hold hands'), 'the answer is gone too');
  ok(!(await page.content()).includes('drift apart'), 'the passage is still somewhere on the page');
  equal(await panel(page).getByRole('link', { name: /^Download/ }).count(), 0, 'ways to download it');
  await w.shot(page);
});

test('history: a web page that was cited says where it is', {}, async (w) => {
  await w.api('POST', '/api/sessions/web/messages', { role: 'user', content: 'What?' });
  await w.api('POST', '/api/sessions/web/messages', { role: 'assistant', content: 'Warm it up first [1].',
    sources: [{ sourceType: 'web', title: 'Choosing a schedule', url: 'https://notes.example/schedule?x=1',
      contentPreview: 'Use a short warm-up, then decay.' }] });
  const page = await w.open('/c/web');
  await answered(page);
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByText('Use a short warm-up, then decay.').waitFor();
  await viewer.getByText('Web page · notes.example', { exact: true }).waitFor();
  const link = viewer.getByRole('link', { name: /notes\.example/ });
  equal(await link.evaluate((el) => [el.href, el.target, el.rel]),
    ['https://notes.example/schedule?x=1', '_blank', 'noopener noreferrer'], 'the way to it');
  await w.shot(page);
});

test('an HTML file that was brought shows its words and runs nothing', { model: true }, async (w) => {
  w.model.say('puffins', 'They carry many fish at once [1].');
  const form = new FormData();
  form.append('file', new Blob(['<!doctype html><title>Puffins</title><h1>Puffins</h1>',
    '<p>Puffins carry a dozen fish crosswise in the beak, and fly home low over the water.</p>',
    '<script>window.ran = 1</script>'], { type: 'text/html' }), 'puffins.html');
  await w.read((await w.api('POST', '/api/courses/demo/documents', form)).id);
  const page = await w.open('/');
  await ask(page, 'How many fish do puffins carry?');
  await answered(page);
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByText('Puffins carry a dozen fish crosswise').waitFor();
  await viewer.getByRole('button', { name: 'Show the whole text' }).waitFor({ state: 'detached' });
  equal(await page.evaluate(() => window.ran ?? null), null, 'script that ran');
});
