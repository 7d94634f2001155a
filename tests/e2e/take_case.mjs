// take_case.mjs - answers taken along: the clipboard, files, links.
import { readFileSync } from 'node:fs';
import { equal, ok, scene } from './case.mjs';
import { answered, answers } from './steps.mjs';

/** The text of the file that a menu's item saves. */
async function saved(page, item) {
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/** Every number of the text has its note, and every note its number. */
function notesOf(text) {
  const used = new Set([...text.matchAll(/\[\^([\w-]+)\](?!:)/g)].map((m) => m[1]));
  const noted = new Set([...text.matchAll(/^\[\^([\w-]+)\]:/gm)].map((m) => m[1]));
  equal([...used].sort(), [...noted].sort(), 'numbers and notes');
  return noted.size;
}

scene('history: Markdown with footnotes', {}, async (w) => {
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  const menu = async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    return page.getByRole('menuitem', { name: /^Markdown with footnotes/ });
  };
  const last = await saved(page, (await menu()).first());
  ok(/\.md$/.test(last.name), `a file called ${last.name}`);
  ok(notesOf(last.text) > 0, 'no notes');

  const whole = await saved(page, (await menu()).last());
  ok(notesOf(whole.text) > notesOf(last.text), 'the conversation has no more notes than one answer');
  ok(whole.text.includes('62.5 %'), 'the first answer is not there');
  ok(/^\[\^[\w-]+\]: .*slide 7\..*“.+”.*<http:\/\/127\.0\.0\.1:\d+\/api\/documents\/.+#page=7>$/m.test(whole.text),
    `no note with quote and address in: ${whole.text}`);

  await answers(page).first().getByRole('button', { name: 'Menu' }).click();
  const first = await saved(page, page.getByRole('menuitem', { name: /^Markdown with footnotes/ }));
  ok(first.text.includes('62.5 %') && notesOf(first.text) > 0, 'not the answer that was asked for');
});

scene('history: a link to an answer leads to it', {}, async (w) => {
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
