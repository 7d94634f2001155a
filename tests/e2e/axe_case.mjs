// axe_case.mjs - axe-core finds nothing, in every state, theme and width.
import { equal, test } from './case.mjs';
import { expectNoViolations } from './axe.mjs';
import { desktop, phone } from './browser.mjs';
import { FAIL, HOLD } from './model.mjs';
import { pdfForm } from './pdf.mjs';
import { uploadRecording } from './recording.mjs';
import { addFiles, answered, answers, ask, chip, openCourse, panel } from './steps.mjs';

async function openMenu(page, name) {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menu').waitFor();
}
const escape = (page) => page.keyboard.press('Escape');

/** How to enter each state; each returns how to leave it. */
const states = {
  empty: async (page, w) => { await page.goto(w.server.url); await page.getByRole('heading', { name: /exact page/ }).waitFor(); },
  chat: async (page, w) => { await page.goto(`${w.server.url}/c/demo-entropy`); await answered(page, 2); },
  slide: async (page) => {
    await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
    await page.getByRole('region', { name: 'Evidence' }).waitFor();
    return () => escape(page);
  },
  'enlarged page with words found': async (page) => {
    await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
    await page.getByRole('button', { name: 'Larger' }).click();
    await page.getByRole('button', { name: 'Find in this document' }).click();
    await page.getByRole('searchbox', { name: 'Find in this document' }).fill('300 K');
    await page.getByText(/^1 of 1/).waitFor();
    return async () => {
      await escape(page);
      await page.getByRole('searchbox').waitFor({ state: 'detached' });
      await escape(page);
    };
  },
  'pane that fills the window': async (page) => {
    const fill = page.getByRole('button', { name: 'Fill the window' });
    if (!await fill.isVisible()) return undefined; // a phone has the sheet
    await fill.click();
    return () => escape(page);
  },
  export: async (page) => { await openMenu(page, 'Export'); return () => escape(page); },
  scope: async (page) => { await openMenu(page, /^Where to look/); return () => escape(page); },
  add: async (page) => { await openMenu(page, 'Add'); return () => escape(page); },
  journal: async (page) => {
    await openMenu(page, 'Add');
    await page.getByRole('menuitem', { name: 'New journal entry' }).click();
    await page.getByRole('dialog').waitFor();
    return () => escape(page);
  },
  page: async (page) => {
    await openMenu(page, 'Add');
    await page.getByRole('menuitem', { name: 'Add a web page' }).click();
    await page.getByRole('dialog').waitFor();
    return () => escape(page);
  },
  help: async (page) => {
    await page.getByRole('log').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    return () => escape(page);
  },
  search: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('entropy');
    await page.getByRole('option').first().waitFor();
    return () => escape(page);
  },
  'found passage': async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('best efficiency between two temperatures');
    await page.getByRole('option', { name: /slide 7/ }).first().click();
    const found = page.getByLabel('Found in your documents');
    await found.getByText(/^7 \/ \d+$/).waitFor();
    return () => page.goBack();
  },
  'new course': async (page) => {
    await openMenu(page, /^Where to look/);
    await page.getByRole('menuitem', { name: /^New course/ }).click();
    await page.getByRole('dialog').waitFor();
    return () => escape(page);
  },
  documents: async (page) => {
    await openMenu(page, /^Where to look/);
    await page.getByRole('menuitem', { name: /^Documents of this/ }).click();
    await page.getByRole('dialog').waitFor();
    return () => escape(page);
  },
  recording: async (page, w) => {
    await page.goto(`${w.server.url}/c/demo-notebook`);
    await answered(page, 2);
    await answers(page).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
    await page.getByRole('region', { name: 'Evidence' }).waitFor();
    return () => escape(page);
  },
  'low confidence': async (page) => { await page.getByText('Your sources say little').waitFor(); },
  journal_entry: async (page, w) => {
    await page.goto(`${w.server.url}/c/demo-ice`);
    await answered(page);
    await answers(page).last().getByRole('link', { name: /^Reference 1[:,]/ }).click();
    return () => escape(page);
  },
  reader: async (page, w) => {
    const { messages } = await w.api('GET', '/api/sessions/demo-entropy/messages');
    const { documentId } = messages.at(1).sources[0];
    await page.goto(`${w.server.url}/d/${encodeURIComponent(documentId)}?version=1&page=7`);
    await page.getByText(/^7 \/ 30$/).waitFor();
  },
  paper: async (page, w) => {
    const { documents } = await w.api('GET', '/api/courses/demo/documents');
    const known = documents.find((d) => d.layout === 'tall');
    const { id } = known ?? await w.api('POST', '/api/courses/demo/documents', pdfForm(
      [['Boilers that are kept hot lose heat all night.'], ['Others do not, and yet they are dear.']], {},
      '/PageLabels << /Nums [0 << /S /r >>] >>'));
    await w.read(id);
    await page.goto(`${w.server.url}/d/${id}?page=2`);
    await page.getByText(/^ii · 2 of 2$/).waitFor();
    await page.locator('.page-words span').first().waitFor();
  },
  'no such document': async (page, w) => {
    await page.goto(`${w.server.url}/d/none`);
    await page.getByText('This document is not there').waitFor();
  },
  'no such answer': async (page, w) => {
    await page.goto(`${w.server.url}/c/demo-entropy/m/none`);
    await answered(page, 2);
    await page.getByText('is not in this conversation').waitFor();
  },
  versions: async (page, w) => {
    const save = (id, role, parentId) => w.api('POST', '/api/sessions/versions/messages',
      { id, role, content: `Words of ${id}, and more of them, so that they fill the line.`, parentId });
    for (const [id, role, parentId] of [['q1', 'user'], ['a1', 'assistant'], ['q2', 'user', ''], ['a2', 'assistant'], ['b2', 'assistant', 'q2']])
      await save(id, role, parentId);
    await page.goto(`${w.server.url}/c/versions/m/a1`);
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await expectNoViolations(page, 'first version');
    await page.getByRole('button', { name: 'Later version' }).click();
    await answers(page).getByText('2 of 2', { exact: true }).waitFor();
    equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'the page is wider than the window');
  },
  'not there': async (page, w) => { await page.goto(`${w.server.url}/c/none`); await page.getByText('This conversation is not there').waitFor(); },
};

for (const colorScheme of ['light', 'dark'])
  for (const [width, size] of [['desktop', desktop], ['mobile', phone]])
    test(`axe: ${Object.keys(states).length} states, ${colorScheme}, ${width}`, {}, async (w) => {
      // The page's policy would forbid the script of axe.
      const page = await w.page({ ...size, colorScheme, bypassCSP: true });
      for (const [name, enter] of Object.entries(states)) {
        const leave = await enter(page, w);
        await expectNoViolations(page, name);
        await leave?.();
      }
    });

test('axe: while an answer streams, and after it was stopped', { model: true }, async (w) => {
  w.model.say('axe', 'Half an answer [1]', HOLD);
  const page = await w.open('/', { bypassCSP: true });
  await ask(page, 'axe?');
  await answers(page).last().locator('.prose').getByText('Half an answer').waitFor();
  await expectNoViolations(page, 'streaming');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('You stopped this answer.').waitFor();
  await expectNoViolations(page, 'stopped');
});

test('axe: files that come in, a player, a page picture', { model: true }, async (w) => {
  w.model.say('glacier', 'The glacier was quiet at night [1].');
  w.model.say('this page', 'It is steep [^Page].');
  const page = await w.open('/c/demo-entropy', { bypassCSP: true });
  await answered(page, 2);
  await uploadRecording(page);
  await expectNoViolations(page, 'files that came in');
  await ask(page, 'What is said about the old glacier at night?');
  await answered(page, 3);
  await chip(page, 1).click();
  await panel(page).locator('video.sound').waitFor();
  await expectNoViolations(page, 'player');
  await answers(page).first().getByRole('link', { name: /slide 7$/ }).click();
  await panel(page).getByRole('button', { name: 'Ask about this page' }).click();
  await page.getByText(/^About .*, 7$/).waitFor();
  await expectNoViolations(page, 'a page that is asked about');
  await ask(page, 'What does this page show?');
  await answered(page, 4);
  await answers(page).last().getByRole('link', { name: /page 7$/ }).click();
  await panel(page).getByRole('img', { name: /^Page 7 of/ }).waitFor();
  await expectNoViolations(page, 'page picture');
});

test('axe: sentences quoted without a model, and how to connect one', {}, async (w) => {
  const page = await w.open('/', { bypassCSP: true });
  await ask(page, 'What is the best efficiency of an engine between 800 K and 300 K?');
  await answered(page);
  await page.getByText('How to connect a model').click();
  await expectNoViolations(page, 'quoted');
});

test('axe: a number without a source, and an answer that failed', { model: true }, async (w) => {
  w.model.say('engine', 'Only two temperatures matter [1]. It was known [99].');
  w.model.say('fail', FAIL);
  const page = await w.open('/', { bypassCSP: true });
  await ask(page, 'What matters for an engine?');
  await answered(page);
  await page.getByRole('img', { name: /^\[99\]/ }).waitFor();
  await expectNoViolations(page, 'a number without a source');
  await ask(page, 'And why do engines fail?');
  await answered(page, 2);
  await page.getByText('The model does not answer.').waitFor();
  await expectNoViolations(page, 'an answer that failed');
});

test('axe: files that wait to be read, beside the question and in their course', { flags: ['--ingest-workers', '0'] }, async (w) => {
  await w.api('POST', '/api/courses', { id: 'otters', title: 'Otters' });
  const page = await w.open('/', { bypassCSP: true });
  await addFiles(page, { name: 'otters.md', mimeType: 'text/markdown', buffer: Buffer.from('# Otters\n') });
  await page.getByText('Uploaded · waiting to be read').waitFor();
  await expectNoViolations(page, 'waiting');
  await (await openCourse(page, 'Otters')).getByText(/^waiting/).waitFor();
  await expectNoViolations(page, 'waiting in the course');
});

test('axe: signing in', { flags: ['--auth', 'key'] }, async (w) => {
  const page = await w.page({ bypassCSP: true });
  await page.goto(w.server.url);
  await page.getByLabel('Key or token').waitFor();
  await expectNoViolations(page, 'sign-in');
});
