// browser.mjs - Debian's Chromium through playwright-core, which is installed
// below web/ and brings no browser of its own.  The shell is Chromium without its
// own windows and menus, which nobody sees here: it takes two thirds of the time.
import { createRequire } from 'node:module';

const need = createRequire(new URL('../../web/app/package.json', import.meta.url));
const playwright = need('playwright-core');

/** A new, empty profile each time. */
export const chromium = () => playwright.chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
export const axePath = need.resolve('axe-core/axe.min.js');

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const desktop = { viewport: { width: 1440, height: 900 } };
