// evidence_case.mjs - what a chip opens: the page, the second, the entry, and
// what became of the document.
import { equal, ok, test } from './case.mjs';
import { answered, answers, chip, panel, pointAt } from './steps.mjs';

test('history: slide 7 opens at slide 7 with the passage marked', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,].*slide 7$/ }).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByText(/^7 \/ \d+$/).waitFor();
  const picture = viewer.getByRole('img', { name: /^Page 7 of/ });
  await page.waitForFunction((el) => el.complete && el.naturalWidth > 0, await picture.elementHandle());
  await viewer.locator('svg[data-marks]:not([data-marks="0"])').waitFor();
  const boxes = await viewer.locator('.mark-open').count();
  ok(boxes > 0, 'nothing is marked');
  await w.shot(page);

  await viewer.getByRole('button', { name: 'Next page' }).click();
  await viewer.getByRole('img', { name: /^Page 8 of/ }).waitFor();
  equal(await viewer.locator('.mark-open').count(), 0, 'marks on another page');
  await viewer.getByRole('button', { name: 'Previous page' }).click();
  await viewer.getByText(/^7 \/ \d+$/).waitFor();
});

test('history: a lecture opens at its second, its line lit', {}, async (w) => {
  const page = await w.open('/c/demo-notebook');
  await answered(page, 2);
  const link = answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ });
  ok(/9:33/.test(await link.getAttribute('aria-label')), 'the number does not name its second');
  await link.click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  const lit = viewer.locator('.cue[aria-current=true]').first();
  await lit.waitFor();
  ok(/^9:(2|3)\d/.test(await lit.innerText()), `another line is lit: ${await lit.innerText()}`);
  await w.shot(page);
});

test('history: a transcript without its recording says so', {}, async (w) => {
  const form = new FormData();
  form.append('file', new Blob(['WEBVTT\n\n00:01.000 --> 00:04.000\nOtters hold hands.\n'], { type: 'text/vtt' }), 'otters.vtt');
  const { id } = await w.api('POST', '/api/courses/demo/documents', form);
  await w.read(id);
  await w.api('POST', '/api/sessions/otters/messages', { role: 'user', content: 'Otters?' });
  await w.api('POST', '/api/sessions/otters/messages', { role: 'assistant', content: 'They hold hands [1].',
    sources: [{ sourceType: 'lecture', lectureId: id, courseId: 'demo', startSeconds: 1, endSeconds: 4, title: 'Otters',
      contentPreview: 'Otters hold hands.' }] });
  const page = await w.open('/c/otters');
  await answered(page);
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByText('Only the words of this recording are kept here.').waitFor();
  equal(await viewer.locator('video').count(), 0, 'players');
});

test('history: a journal entry shows its words', {}, async (w) => {
  const page = await w.open('/c/demo-ice');
  await answered(page);
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByText('divided everything by the final temperature').waitFor();
});

test('history: a preview opens by pointer and by key, and Escape closes it', {}, async (w) => {
  const page = await w.open('/c/demo-ice');
  await answered(page);
  const preview = page.getByRole('dialog', { name: /^Reference 1:/ });
  await pointAt(page, chip(page, 1), preview.getByText('divided everything by the final temperature'));
  await preview.hover(); // the pointer may move into it
  await preview.getByRole('button', { name: /^Open/ }).waitFor();
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  await page.mouse.move(1, 1);
  await page.getByRole('log').focus();
  await page.keyboard.press(']');
  await preview.waitFor();
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
});

test('history: a preview hears Escape from its first moment', {}, async (w) => {
  const page = await w.open('/c/demo-ice');
  await answered(page);
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector('.preview')) return;
      seen.disconnect();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      document.body.dataset.pressed = 'yes';
    });
    seen.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('log').focus();
  await page.keyboard.press(']');
  await page.locator('body[data-pressed]').waitFor();
  await page.locator('.preview').waitFor({ state: 'detached' });
});

test('history: claim and reference light each other', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  const claim = () => page.evaluate(() =>
    [...(CSS.highlights.get('fn-claim') ?? [])].map((r) => r.toString()).join('|'));
  await pointAt(page, chip(page, 2), panel(page).locator('.locator.highlighted'));
  await page.mouse.move(1, 1);
  await panel(page).locator('.locator').first().hover();
  ok((await claim()).length > 20, 'the claim is not lit');
  await page.mouse.move(1, 1);
  equal(await claim(), '', 'after the pointer left');
});

test('history: a deleted document leaves its passage', {}, async (w) => {
  const before = await w.api('GET', '/api/sessions/demo-ice/messages');
  const source = before.messages.at(-1).sources[0];
  await w.api('DELETE', `/api/documents/${encodeURIComponent(source.documentId)}`);
  const page = await w.open('/c/demo-ice');
  await answered(page);
  await panel(page).getByText('The document was deleted.').first().waitFor();
  await panel(page).getByText('divided everything by the final temperature').first().waitFor();
  equal(await panel(page).getByRole('link', { name: /^Download/ }).count(), 0, 'ways to download it');
  await w.shot(page);
});

test('history: low confidence is said', {}, async (w) => {
  const page = await w.open('/c/demo-notebook');
  await answered(page, 2);
  await answers(page).last().getByText('Your sources say little about this.').waitFor();
  equal(await answers(page).first().getByText('Your sources say little').count(), 0, 'on the other answer');
});

test('history: a changed document says so, and shows what was cited', {}, async (w) => {
  const before = await w.api('GET', '/api/sessions/demo-ice/messages');
  const source = before.messages.at(-1).sources[0];
  await w.api('PUT', `/api/documents/${encodeURIComponent(source.documentId)}`, { kind: 'journal',
    date: '2026-02-17', title: 'Ice, salt and the reversible ice cube', text: 'Rewritten from the beginning.' });
  await w.read(source.documentId);
  const page = await w.open('/c/demo-ice');
  await answered(page);
  await panel(page).getByText('Edited later. You are seeing the cited version.').first().waitFor();
  await panel(page).getByText('divided everything by the final temperature').first().waitFor();
});

test('history: which documents a course cites most, and which never', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await page.getByRole('button', { name: /^Where to look/ }).click();
  await page.getByRole('menuitem', { name: /^Documents of this/ }).click();
  const dialog = page.getByRole('dialog', { name: /Entropy/ });
  await dialog.getByRole('heading', { name: 'Most cited' }).waitFor();
  await dialog.getByText(/^cited \w+/).first().waitFor();
  await dialog.getByRole('heading', { name: 'Never cited' }).waitFor();
  await w.shot(page);
});
