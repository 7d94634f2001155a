// page.js - a page for tests: jsdom, React, and waiting for conditions.
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><html lang="en"><body></body>',
  { url: 'http://localhost/', pretendToBeVisual: true });
globalThis.window = window;
for (const name of ['document', 'navigator', 'HTMLElement', 'Node'])
  Object.defineProperty(globalThis, name, { value: window[name],
    configurable: true });

const { createElement } = await import('react');
const { flushSync } = await import('react-dom');
const { createRoot } = await import('react-dom/client');

export { createElement as h };

const later = () => new Promise((resolve) => { setTimeout(resolve, 2); });

/** Draws an element; gives the box it is in and ways to change it. */
export async function draw(element) {
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  const redraw = async (next) => {
    flushSync(() => root.render(next)); // a busy machine may draw later
    await later();
  };
  await redraw(element);
  return {
    box,
    redraw,
    leave: async () => {
      root.unmount();
      await later();
      box.remove();
    },
  };
}

const DEADLINE_MS = 60_000;

/** Lets the page work until the condition holds. */
export async function until(condition, what = String(condition)) {
  const end = Date.now() + DEADLINE_MS;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`still not: ${what}`);
    await later();
  }
}
