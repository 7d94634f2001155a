// page_case.mjs - a question about the page that the viewer shows.
import { equal, ok, test } from './case.mjs';
import { phone } from './browser.mjs';
import { answered, answers, ask, chip, panel, question, shownAnswer, shownReferences } from './steps.mjs';

const CHAT = { model: true };
const SAID = 'The curve on this page is steep [^Page]. The slides agree [1].';

/** The picture in the pane, once it is drawn. */
async function shownPicture(page) {
  const shown = panel(page).getByRole('region', { name: 'Evidence' }).getByRole('img', { name: /^Page 7 of/ });
  await page.waitForFunction((el) => el.complete && el.naturalWidth > 0, await shown.elementHandle());
  return shown.evaluate((el) => ({ path: new URL(el.src).pathname, width: el.naturalWidth }));
}

const numberOfPicture = (page) => answers(page).last().getByRole('link', { name: /page 7$/ }).first()
  .getAttribute('data-n').then(Number);

test('page: its picture is a source, and the same after a reload', CHAT, async (w) => {
  w.model.say('this page', SAID);
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,].*slide 7$/ }).click();
  await panel(page).getByRole('button', { name: 'Ask about this page' }).click();
  await page.getByText(/^About .*, 7$/).waitFor();
  await ask(page, 'What does this page show?');
  await answered(page, 3);
  equal(await page.getByText(/^About .*, 7$/).count(), 0, 'pages that still hang on the box');

  const n = await numberOfPicture(page);
  await chip(page, n).click();
  const first = { text: await shownAnswer(page), references: await shownReferences(page), picture: await shownPicture(page) };
  ok(first.text.includes(`steep.[${n}]`), `the marker is no number: ${first.text}`);
  ok(/^\/api\/objects\//.test(first.picture.path), `not the picture that was asked about: ${first.picture.path}`);
  ok(first.references.some((r) => r.cited && r.places.some((p) => p.includes('Page 7'))), 'the picture is no reference');
  await w.shot(page);

  await page.reload();
  await answered(page, 3);
  await chip(page, n).click();
  equal({ text: await shownAnswer(page), references: await shownReferences(page), picture: await shownPicture(page) },
    first, 'after a reload');
});

test('page: by touch, from the sheet to the box', CHAT, async (w) => {
  w.model.say('this page', SAID);
  const page = await w.open('/c/demo-entropy', phone);
  await answered(page, 2);
  await answers(page).first().getByRole('link', { name: /^Reference 1[:,].*slide 7$/ }).tap();
  const sheet = page.getByRole('dialog', { name: 'References' });
  await sheet.getByRole('button', { name: 'Ask about this page' }).tap();
  await sheet.waitFor({ state: 'detached' });
  await question(page).fill('What does this page show?');
  await page.getByRole('button', { name: 'Send' }).tap();
  await answered(page, 3);
  await chip(page, await numberOfPicture(page)).tap();
  await sheet.getByRole('img', { name: /^Page 7 of/ }).waitFor();
  await sheet.getByText('Reference 2 of 2').waitFor(); // whatever its number is
  await w.shot(page);
});
