// export_case.mjs - answers to files, and links to answers.
import { readFileSync } from 'node:fs';
import { equal, ok, test } from './case.mjs';
import { answered, answers } from './steps.mjs';

/** Clicks a menu item that saves a file; its name and text. */
async function savedFile(page, item) {
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/** The number of footnotes.  Each must be used, and each use must have one. */
function countFootnotes(text) {
  const used = new Set([...text.matchAll(/\[\^([\w-]+)\](?!:)/g)].map((m) => m[1]));
  const noted = new Set([...text.matchAll(/^\[\^([\w-]+)\]:/gm)].map((m) => m[1]));
  equal([...used].sort(), [...noted].sort(), 'numbers and notes');
  return noted.size;
}

test('history: Markdown with footnotes', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  const menu = async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    return page.getByRole('menuitem', { name: /^Markdown with footnotes/ });
  };
  const last = await savedFile(page, (await menu()).first());
  ok(/\.md$/.test(last.name), `a file called ${last.name}`);
  ok(countFootnotes(last.text) > 0, 'no notes');

  const whole = await savedFile(page, (await menu()).last());
  ok(countFootnotes(whole.text) > countFootnotes(last.text), 'the conversation has no more notes than one answer');
  ok(whole.text.includes('62.5 %'), 'the first answer is not there');
  ok(/^\[\^[\w-]+\]: .*slide 7\..*“.+”.*<http:\/\/127\.0\.0\.1:\d+\/c\/demo-entropy\/m\/.+#ref-\d+>$/m.test(whole.text),
    `no note with quote and address in: ${whole.text}`);

  await answers(page).first().getByRole('button', { name: 'Menu' }).click();
  const first = await savedFile(page, page.getByRole('menuitem', { name: /^Markdown with footnotes/ }));
  ok(first.text.includes('62.5 %') && countFootnotes(first.text) > 0, 'not the answer that was asked for');
});

test('history: a link to an answer leads to it', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await answered(page, 2);
  await answers(page).first().getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Copy link to this answer' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const id = await answers(page).first().getAttribute('data-id');
  equal(link, `${w.server.url}/c/demo-entropy/m/${id}`, 'the link');
  await page.goto(link);
  await answered(page, 2);
});
