// run.mjs - runs the cases, two at a time, because each mostly waits.  Each case
// has its own server, model and window.  The two have a browser each: a browser
// with several windows draws only one of them.
import { readdirSync } from 'node:fs';
import { chromium } from './browser.mjs';
import { firefox } from './firefox.mjs';
import { cases } from './case.mjs';
import { World } from './world.mjs';

const CONCURRENT_MAX = 2;

const here = new URL('.', import.meta.url);
const isFirefox = process.env.BROWSER === 'firefox';
const files = process.env.CASES?.split(' ').map((f) => `${f}_case.mjs`) ??
  readdirSync(here).filter((f) => f.endsWith('_case.mjs')).sort();
for (const name of files) await import(new URL(name, here));

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

const queue = cases.filter(({ name, options }) =>
  words.every((w) => name.includes(w)) && !(isFirefox && options.chromiumOnly));
async function worker() {
  const browser = await (isFirefox ? firefox() : chromium());
  while (queue.length) await run(browser, queue.shift());
  await browser.close();
}
await Promise.all(Array.from({ length: Math.min(CONCURRENT_MAX, queue.length) }, worker));
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length ? 1 : 0);
