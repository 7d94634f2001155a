// axe.mjs - axe-core finds nothing in what a page shows now.
import { readFileSync } from 'node:fs';
import { axePath } from './browser.mjs';
import { equal } from './case.mjs';

const axe = readFileSync(axePath, 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export async function expectNoViolations(page, state) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(`${axe};0`);
  // What fades in has less contrast than it will have; what was just shown begins
  // to with the next frame.
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const running = () => document.getAnimations().filter((a) => a.playState !== 'finished'
      && a.effect.getComputedTiming().endTime < Infinity);
    do {
      await Promise.allSettled(running().map((a) => a.finished));
      await frame();
      await frame();
    } while (running().length);
  });
  const found = await page.evaluate(async (runOnly) => (await window.axe.run(document, { runOnly })).violations
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')}`), RULES);
  equal(found, [], `axe in state "${state}"`);
}
