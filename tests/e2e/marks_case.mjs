// marks_case.mjs - the marked words are the words of the claim, on the page and
// at the second that has them, and they stay.
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask, chip, panel } from './steps.mjs';
import { pdfForm } from './pdf.mjs';

const MODEL = { model: true };
const evidence = (page) => panel(page).getByRole('region', { name: 'Evidence' });
const pager = (page) => evidence(page).getByText(/^\d+ \/ \d+$/);
const drawn = (page) => evidence(page).locator('svg .mark-open').first().waitFor();

/** Of the page in the viewer, the words whose middle lies in the marks. */
async function markedWords(w, page, path, look = '.mark-open') {
  const n = parseInt(await pager(page).innerText(), 10);
  const boxes = await evidence(page).locator(`svg ${look}`).evaluateAll((all) => all.map((el) =>
    ['x', 'y', 'width', 'height'].map((name) => Number(el.getAttribute(name)))));
  const { words } = await w.api('GET', `${path}/pages/${n}`);
  const inside = (t, [x, y, width, height]) => t.x + t.w / 2 >= x && t.x + t.w / 2 <= x + width &&
    t.y + t.h / 2 >= y && t.y + t.h / 2 <= y + height;
  return words.filter((t) => boxes.some((b) => inside(t, b))).map((t) => t.t).join(' ');
}

/** A course of one PDF, and an answer that cites the source that has `part`. */
async function cite(w, pages, part, content) {
  await w.api('POST', '/api/courses/demo/documents', pdfForm(pages, { id: 'boiler', title: 'Boilers' }));
  await w.read('boiler');
  const { hits } = await w.api('GET', `/api/search?documentId=boiler&q=${encodeURIComponent(part)}`);
  const source = hits.find((h) => h.contentPreview.replace(/\s+/g, ' ').includes(part));
  await w.api('POST', '/api/sessions/boilers/messages', { role: 'user', content: 'How?' });
  await w.api('POST', '/api/sessions/boilers/messages', { role: 'assistant', content, sources: [source] });
  const page = await w.open('/c/boilers');
  await answered(page);
  return { page, source };
}

const SLIDES = [['Side effects', '- Whoever builds the engine has to install', 'the Boiler and all of its Pipes before',
  'Steam can be raised in it.', '- Nothing else is needed at all', 'to keep it warm at night.',
  'A valve opens when pressure rises.', 'It closes again by itself.']];

test('history: marks of a quotation from a slide are its words', {}, async (w) => {
  const quote = 'Whoever builds the engine has to install the Boiler and all of its Pipes before Steam can be raised in it.';
  const { page } = await cite(w, SLIDES, 'has to install', `${quote} [1]. Also it closes again by itself [1].`);
  await chip(page, 1).click();
  await drawn(page);
  equal(await markedWords(w, page, '/api/documents/boiler'), quote, 'marked');
  equal(await markedWords(w, page, '/api/documents/boiler', '.mark-other'), 'It closes again by itself.', 'marked faintly');
  ok(await evidence(page).locator('.mark-edge').count() > 0, 'the rest of the passage has no edge');
  await w.shot(page);
  // The second number marks what is said before it.
  await answers(page).last().getByRole('link', { name: /^Reference 1[:,]/ }).nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll('.viewer .mark-open').length === 1);
  equal(await markedWords(w, page, '/api/documents/boiler'), 'It closes again by itself.', 'marked by the second number');
});

test('marks: they stay when an answer is tried again, edited, and asked about', MODEL, async (w) => {
  w.model.say('Boiler', 'It needs all of its Pipes [1].');
  await w.api('POST', '/api/courses/demo/documents', pdfForm(SLIDES, { id: 'boiler', title: 'Boilers' }));
  await w.read('boiler');
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await ask(page, 'Who has to install the Boiler and all of its Pipes?');
  await answered(page, 3);
  const marks = async () => {
    await chip(page, 1).click();
    await evidence(page).getByRole('img', { name: 'Page 1 of Boilers' }).waitFor();
    await evidence(page).locator('svg[data-marks]:not([data-marks="0"])').waitFor();
  };
  await marks();
  await answers(page).last().getByRole('button', { name: 'Retry' }).click();
  await page.getByText('2 of 2', { exact: true }).waitFor();
  await answered(page, 3);
  await marks();
  await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
  await page.getByRole('textbox', { name: 'Change your question' }).fill('Who installs the Boiler and all of its Pipes?');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page.getByRole('log').getByText('Who installs the Boiler and all of its Pipes?').waitFor();
  await answered(page, 3);
  await marks();
  await evidence(page).getByRole('button', { name: 'Ask about this page' }).click();
  await page.getByText(/^About Boilers, 1$/).waitFor();
  await ask(page, 'And what of the Boiler is on this page?');
  await answered(page, 4);
  await marks();
  await w.shot(page);
});

// Pages of slides are never joined; these are full enough for a paper.
const filler = (page) => Array.from({ length: 16 }, (_, i) =>
  `Entry ${i} of page ${page} says what boiler number ${16 * page + i} has cost its owner.`);
const CROSSING = [[...filler(1), 'Steam lifts the piston of an', 'engine, and then it is let out.'],
  ['Heat flows from warm bodies to cold', 'ones by itself, and it never flows', 'back without any work at all.', ...filler(2)]];

test('history: marks of a passage on two pages open at the page of the claim', {}, async (w) => {
  const { page, source } = await cite(w, CROSSING, 'it is let out. Heat flows',
    'Steam lifts the piston of an engine, and then it is let out. [1] Otherwise it stays.');
  equal(source.slideNumber, 2, 'the page of the passage');
  await chip(page, 1).click();
  await drawn(page);
  equal(await pager(page).innerText(), '1 / 2', 'the page that opens');
  equal(await markedWords(w, page, '/api/documents/boiler'),
    'Steam lifts the piston of an engine, and then it is let out.', 'marked');
  await w.shot(page);
  await evidence(page).getByRole('button', { name: 'Next page' }).click();
  await evidence(page).getByRole('img', { name: /^Page 2 of/ }).waitFor();
  await evidence(page).locator('svg .mark-edge').first().waitFor();
  equal(await evidence(page).locator('.mark-open').count(), 0, 'the claim on the page of the rest');
});

const VTT = `WEBVTT

08:05.000 --> 08:19.000
We have seen that engines of any kind

08:19.000 --> 08:30.000
waste heat. A perfect engine would run

08:30.000 --> 08:49.000
backwards as well, which nobody has built.

08:49.000 --> 09:05.000
Now to the boiler.
`;

test('history: marks of a claim that is said at 8:30 open 8:19', {}, async (w) => {
  const form = new FormData();
  form.append('id', 'talk');
  form.append('file', new Blob([VTT]), 'talk.vtt');
  await w.api('POST', '/api/courses/demo/documents', form);
  await w.read('talk');
  const { hits } = await w.api('GET', '/api/search?documentId=talk&q=perfect+engine');
  equal(hits[0].startSeconds, 485, 'where the passage begins');
  await w.api('POST', '/api/sessions/talk/messages', { role: 'user', content: 'How?' });
  await w.api('POST', '/api/sessions/talk/messages', { role: 'assistant', sources: [hits[0]],
    content: 'A perfect engine would run backwards as well, which nobody has built [1].' });
  const page = await w.open('/c/talk');
  await answered(page);
  await chip(page, 1).click();
  await evidence(page).locator('.cue mark').first().waitFor();
  equal(await evidence(page).locator('.cue mark').allInnerTexts(),
    ['A perfect engine would run', 'backwards as well, which nobody has built.'], 'marked');
  const lit = evidence(page).locator('.cue[aria-current=true]');
  equal(await lit.locator('time').allInnerTexts(), ['8:19', '8:30'], 'the lines that are lit');
  await w.shot(page);
});
