// run.mjs - runs the cases, two at a time, as each waits most of its time: with
// a server, a model and a browser window of its own.  The two have a browser
// each: one that has several windows draws only one of them.
import { readdirSync } from 'node:fs';
import { chromium } from './browser.mjs';
import { cases } from './case.mjs';
import { World } from './world.mjs';

const AT_ONCE = 2;

const here = new URL('.', import.meta.url);
for (const name of readdirSync(here).filter((f) => f.endsWith('_case.mjs')).sort())
  await import(new URL(name, here));

const words = process.argv.slice(2);
let passed = 0;
const failed = [];

async function run(browser, { name, options, fn }) {
  const world = new World(browser, name, options);
  const began = performance.now();
  try {
    await world.start();
    await fn(world);
    world.check();
    passed++;
    if (process.env.V === '1') console.log(`ok   ${name} (${Math.round(performance.now() - began)} ms)`);
  } catch (error) {
    failed.push(name);
    console.log(`FAIL ${name}\n${error.stack ?? error}`);
    await world.report();
  } finally {
    await world.end();
  }
}

const left = cases.filter(({ name }) => words.every((w) => name.includes(w)));
async function lane() {
  const browser = await chromium();
  while (left.length) await run(browser, left.shift());
  await browser.close();
}
await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, lane));
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length ? 1 : 0);
