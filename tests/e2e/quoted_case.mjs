// quoted_case.mjs - without a model: answers say that they are quoted sentences.
import { equal, ok, test } from './case.mjs';
import { answered, answers, ask } from './steps.mjs';

const QUESTION = 'What is the best efficiency of an engine between 800 K and 300 K?';
const noteOf = (page) => answers(page).last().getByText(/^These are sentences quoted from your documents/);

test('without a model an answer says so, and how to connect one', {}, async (w) => {
  const page = await w.open('/');
  await page.getByText('No model is connected: answers are sentences quoted').waitFor();
  await ask(page, QUESTION);
  await answered(page);
  await noteOf(page).waitFor();
  await page.getByText('How to connect a model').click();
  await page.getByText('--model-url http://127.0.0.1:11434/v1 --model').waitFor();
  await w.shot(page);
  await page.reload();
  await answered(page);
  await noteOf(page).waitFor();
});

test('without a model the words around the sentences are in the language of the page', {}, async (w) => {
  const page = await w.open('/', { locale: 'es' });
  await page.getByRole('textbox', { name: 'Pregunta', exact: true }).fill('Zymurgy quux frobnication?');
  await page.keyboard.press('Enter');
  await page.getByText(/^No he encontrado nada sobre esto en /).waitFor();
});

test('what wrote an answer is said of each, also when that has changed', { model: true, flags: ['--demo'] }, async (w) => {
  w.server.flags = ['--demo'];
  await w.server.stop();
  await w.server.start();
  const page = await w.open('/');
  await ask(page, QUESTION);
  await answered(page);
  await noteOf(page).waitFor();
  await w.server.stop();
  w.server.flags = ['--demo', '--model-url', w.model.url, '--model', 'scripted'];
  await w.server.start();
  await page.reload();
  await answered(page);
  await noteOf(page).waitFor();
  equal(await page.getByText('How to connect a model').count(), 0, 'ways to connect what is connected');
  await ask(page, 'And in winter?');
  await answered(page, 2);
  equal(await noteOf(page).count(), 0, 'notes at what a model wrote');
});

test('who does not run the server is told only what it is', { flags: ['--auth', 'key'] }, async (w) => {
  const ada = w.key('ada');
  await w.course('otters', 'Sea otters hold hands while they sleep, so that they do not drift apart.', ada);
  const page = await w.page({ locale: 'es' });
  await page.goto(w.server.url);
  await page.getByLabel('Clave o token').fill(ada);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('textbox', { name: 'Pregunta' }).fill('Why do otters hold hands?');
  await page.keyboard.press('Enter');
  await answered(page);
  await page.getByText('Son frases citadas de tus documentos; no las escribió ningún modelo. ' +
    'Este servidor no tiene ningún modelo conectado.').waitFor();
  ok(!(await page.content()).includes('--model-url'), 'it is told what it cannot do');
});
