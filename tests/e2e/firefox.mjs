// firefox.mjs - Debian's Firefox through playwright-core, which speaks WebDriver
// BiDi with it.  The two are not of one age, so what they disagree about is
// mended here; nothing of the page is.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const need = createRequire(new URL('../../web/app/package.json', import.meta.url));
const playwright = need('playwright-core');
const home = dirname(need.resolve('playwright-core/package.json'));
const { ws: WebSocket } = need(join(home, 'lib/utilsBundle.js'));

/** Commands that this Firefox does not know.  They are about the colours that
 *  the system prefers: no case that runs here asks for others. */
const UNKNOWN = new Set(['emulation.setMediaFeaturesOverride']);

function answerUnknownCommands() {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text, ...rest) {
    const { id, method } = JSON.parse(text);
    if (!UNKNOWN.has(method)) return send.call(this, text, ...rest);
    const answer = Buffer.from(JSON.stringify({ type: 'success', id, result: {} }));
    queueMicrotask(() => this.emit('message', answer, false));
    return undefined;
  };
}

/** fill() sets the value from a sandbox, and the page hears of no input; keys
 *  are what a person uses anyway. */
async function typeInsteadOfFilling(browser) {
  const context = await browser.newContext();
  const { constructor } = (await context.newPage()).locator('body');
  constructor.prototype.fill = async function (text) {
    await this.focus();
    await this.press('Control+a');
    await this.press('Delete');
    await this.pressSequentially(text);
  };
  await context.close();
}

let mended = false;

/** A new, empty profile each time. */
export async function firefox() {
  if (!mended) answerUnknownCommands();
  mended = true;
  const browser = await playwright.firefox.launch({
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', channel: 'moz-firefox', headless: true });
  await typeInsteadOfFilling(browser);
  return browser;
}
