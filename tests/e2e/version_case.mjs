// version_case.mjs - a document that changed after it was cited: what is shown
// is what was cited, until somebody asks for today's.
import { equal, ok, test } from './case.mjs';
import { answered, chip, panel, pointAt } from './steps.mjs';
import { pdfForm } from './pdf.mjs';

const OLD = 'The boiler holds twelve litres of water.';
const PATH = '/api/documents/boiler';
const pages = (second) => [['The first page.', 'It is about boilers.'], [second, 'Nothing else matters here.']];

/** Cites page 2, and replaces the document. */
async function cite(w) {
  await w.api('POST', '/api/courses/demo/documents', pdfForm(pages(OLD), { id: 'boiler', title: 'Boilers' }));
  await w.read('boiler');
  await w.api('POST', '/api/sessions/boilers/messages', { role: 'user', content: 'How much?' });
  await w.api('POST', '/api/sessions/boilers/messages', { role: 'assistant', content: 'Twelve litres of water [1].',
    sources: [{ sourceType: 'slide', documentId: 'boiler', courseId: 'demo', slideNumber: 2, title: 'Boilers', contentPreview: OLD }] });
  await w.api('PUT', PATH, pdfForm(pages('The kettle whistles at night.')));
  await w.read('boiler');
}
const bytesOf = async (page, url) => (await (await page.request.get(url)).body()).toString('base64');

test('history: a page that changed is shown as it was cited', {}, async (w) => {
  await cite(w);
  const page = await w.open('/c/boilers');
  await answered(page);
  const [old, now] = await Promise.all(['?version=1', ''].map((q) => bytesOf(page, `${w.server.url}${PATH}/pages/2.png${q}`)));
  ok(old !== now, 'both versions look the same');

  const preview = page.getByRole('dialog', { name: /^Reference 1:/ });
  await pointAt(page, chip(page, 1), preview.locator('.preview-strip img'));
  equal(await bytesOf(page, await preview.locator('.preview-strip img').evaluate((el) => el.src)), old, 'the preview');
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  const picture = () => viewer.getByRole('img', { name: 'Page 2 of Boilers' }).evaluate((el) => el.src);
  await viewer.getByText('Edited later. You are seeing the cited version.').waitFor();
  equal(await bytesOf(page, await picture()), old, 'the picture');
  await viewer.locator('svg[data-marks]:not([data-marks="0"])').waitFor();
  for (const link of await panel(page).getByRole('link', { name: /^Download/ }).all())
    equal(await bytesOf(page, await link.evaluate((el) => el.href)),
      await bytesOf(page, `${w.server.url}${PATH}/download?version=1`), 'the download');
  await w.shot(page);

  await viewer.getByRole('button', { name: 'See it as it is today' }).click();
  await viewer.getByText('This is the document as it is today.').waitFor();
  equal(await bytesOf(page, await picture()), now, 'the picture of today');
  await viewer.getByText('The passage is not on this page today.').waitFor();
  await w.shot(page, 'version today');
  await viewer.getByRole('button', { name: 'See the cited version' }).click();
  await viewer.locator('svg[data-marks]:not([data-marks="0"])').waitFor();
  equal(await bytesOf(page, await picture()), old, 'the picture again');
});

test('history: a text that changed is shown whole as it was cited', {}, async (w) => {
  const put = (method, path, text) => w.api(method, path, { kind: 'text', title: 'Notes', text });
  const { id } = await put('POST', '/api/courses/demo/documents', 'Otters hold hands. They sleep afloat.');
  await w.read(id);
  await w.api('POST', '/api/sessions/otters/messages', { role: 'user', content: 'Otters?' });
  await w.api('POST', '/api/sessions/otters/messages', { role: 'assistant', content: 'They hold hands [1].',
    sources: [{ sourceType: 'text', documentId: id, courseId: 'demo', part: 1, title: 'Notes', contentPreview: 'Otters hold hands.' }] });
  await put('PUT', `/api/documents/${encodeURIComponent(id)}`, 'Owls hunt alone.');
  await w.read(id);
  const page = await w.open('/c/otters');
  await answered(page);
  await chip(page, 1).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  await viewer.getByRole('button', { name: 'Show the whole text' }).click();
  await viewer.getByText('They sleep afloat.').waitFor();
  await viewer.getByRole('button', { name: 'See it as it is today' }).click();
  await viewer.getByText('Owls hunt alone.').waitFor();
});
