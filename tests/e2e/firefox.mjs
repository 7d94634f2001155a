// firefox.mjs - Debian's Firefox through playwright-core, which speaks WebDriver
// BiDi with it.  The two are not of one age, so what they disagree about is
// mended here; nothing of the page is.
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const need = createRequire(new URL('../../web/app/package.json', import.meta.url));
const playwright = need('playwright-core');
const home = dirname(need.resolve('playwright-core/package.json'));
const { ws: WebSocket } = need(join(home, 'lib/utilsBundle.js'));

/** Commands that this Firefox does not know, and what a case may ask for anyway:
 *  the colours that the system prefers (no case that runs here asks for others)
 *  and the clipboard, which PREFERENCES opens. */
const isUnknown = ({ method, params }) => method === 'emulation.setMediaFeaturesOverride'
  || (method === 'permissions.setPermission' && params.descriptor.name.startsWith('clipboard-'));

function answerUnknownCommands() {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text, ...rest) {
    const command = JSON.parse(text);
    if (!isUnknown(command)) return send.call(this, text, ...rest);
    const answer = Buffer.from(JSON.stringify({ type: 'success', id: command.id, result: {} }));
    queueMicrotask(() => this.emit('message', answer, false));
    return undefined;
  };
}

/** A download of what the page has made itself belongs to no navigation, so it
 *  is passed over.  It is told with a name when it has ended, because only then
 *  it is known what its file is called. */
function nameDownloads() {
  const { emit } = WebSocket.prototype;
  const waiting = new Map(); // by address
  WebSocket.prototype.emit = function (type, data, ...rest) {
    const tell = (event) => emit.call(this, 'message', Buffer.from(JSON.stringify(event)), false);
    const event = type === 'message' && String(data).includes('"browsingContext.download') ? JSON.parse(data) : {};
    const { params } = event;
    if (event.method === 'browsingContext.downloadWillBegin' && !params.navigation) {
      waiting.set(params.url, event);
      return true;
    }
    const begun = event.method === 'browsingContext.downloadEnd' && waiting.get(params.url);
    if (!begun) return emit.call(this, type, data, ...rest);
    waiting.delete(params.url);
    Object.assign(begun.params, { navigation: params.url, suggestedFilename: basename(params.filepath) });
    params.navigation = params.url;
    return tell(begun) && tell(event);
  };
}

/** fill() sets the value from a sandbox, and the page hears of no input; keys
 *  are what a person uses anyway.  There is no touch, so a tap is a click. */
async function typeAndClick(browser) {
  const context = await browser.newContext();
  const { constructor } = (await context.newPage()).locator('body');
  constructor.prototype.fill = async function (text) {
    await this.focus();
    await this.press('Control+a'); // typed over, so that it is never empty between
    if (text) await this.pressSequentially(text);
    else await this.press('Delete');
  };
  constructor.prototype.tap = constructor.prototype.click;
  await context.close();
}

/** A pointer that hovers, which this browser has not without a screen; and a
 *  clipboard that may be read without a question to the user. */
const PREFERENCES = {
  'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6, 'dom.events.testing.asyncClipboard': true,
};

let mended = false;

/** A new, empty profile each time. */
export async function firefox() {
  if (!mended) {
    answerUnknownCommands();
    nameDownloads();
  }
  mended = true;
  const browser = await playwright.firefox.launch({
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', channel: 'moz-firefox', headless: true,
    firefoxUserPrefs: PREFERENCES });
  await typeAndClick(browser);
  return browser;
}
