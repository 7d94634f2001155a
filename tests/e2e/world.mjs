// world.mjs - what a case lives in: a server with the demo course, a scripted
// model, browser windows, and what they may never do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desktop } from './browser.mjs';
import { Model } from './model.mjs';
import { Server } from './server.mjs';

const SHOTS = process.env.SHOTS; // a folder: pictures of the cases go there
const WAIT_MS = 60_000 * Number(process.env.TEST_SLOW ?? 1);

export class World {
  pages = [];
  pageErrors = [];
  foreignRequests = [];

  constructor(browser, name, options) {
    Object.assign(this, { browser, name, options });
    this.folder = mkdtempSync(join(tmpdir(), 'footnote-e2e-'));
    this.model = new Model();
    this.server = new Server(join(this.folder, 'data'), []);
  }

  /** `flags` may be a function of this world; its model runs by then. */
  async start() {
    const { model, flags = ['--demo'] } = this.options;
    if (model) await this.model.start();
    const usual = model && typeof flags !== 'function' ? ['--model-url', this.model.url, '--model', 'scripted'] : [];
    this.server.flags = [...(typeof flags === 'function' ? flags(this) : flags), ...usual];
    await this.server.start();
  }

  /** Writes a file for the program to read; returns its path. */
  file(name, text) {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Sends a FormData as it is and any other body as JSON.  `key` signs in. */
  async api(method, path, body, key) {
    const form = body instanceof FormData;
    const response = await fetch(this.server.url + path, { method,
      headers: { ...(form ? {} : { 'content-type': 'application/json' }), ...(key && { authorization: `Bearer ${key}` }) },
      body: form ? body : body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  /** Waits until the server has read a document or failed to. */
  async read(id, key) {
    const path = `/api/documents/${encodeURIComponent(id)}?wait=20`;
    for (;;) {
      const document = await this.api('GET', path, undefined, key);
      if (document.status === 'ready' || document.status === 'failed') return document;
    }
  }

  /** Creates a course with one text, for the owner of the key. */
  async course(id, text, key) {
    await this.api('POST', '/api/courses', { id, title: id }, key);
    const made = await this.api('POST', `/api/courses/${id}/documents`, { kind: 'text', title: `On ${id}`, text }, key);
    await this.read(made.id, key);
  }

  /** Creates a key for a user. */
  key(user) {
    return execFileSync(process.env.FOOTNOTE ?? 'build/footnote',
      ['key', 'add', user, '--data', this.server.data], { encoding: 'utf8' }).match(/fn_\S+/)[0];
  }

  async page(options = {}) {
    const context = await this.browser.newContext({ ...desktop, locale: 'en', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (e) => {
      // What Firefox calls an error of script: a font of a page that was left.
      if (!e.stack.startsWith('downloadable font: download failed')) this.pageErrors.push(`script: ${e.stack}`);
    });
    page.on('console', (m) => {
      // A case may want a request to fail, but never to break the policy.
      if (m.type() === 'error' && /Content Security|Trusted/i.test(m.text())) this.pageErrors.push(m.text());
    });
    page.on('dialog', (d) => {
      if (d.type() !== 'beforeunload') this.pageErrors.push(`dialog: ${d.message()}`);
      void d.accept();
    });
    page.on('request', (r) => {
      if (!r.url().startsWith(this.server.url) && !/^(data|blob):/.test(r.url())) this.foreignRequests.push(r.url());
    });
    this.pages.push(page);
    return page;
  }

  async open(path = '/', options) {
    const page = await this.page(options);
    await page.goto(this.server.url + path);
    await page.locator('#question').waitFor();
    return page;
  }

  async shot(page, name = this.name) {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name.replace(/\W+/g, '-')}.png`) });
  }

  /** Fails the case for script errors and for requests to other hosts. */
  check() {
    if (this.pageErrors.length) throw new Error(this.pageErrors.join('\n'));
    if (this.foreignRequests.length) throw new Error(`asked another host: ${this.foreignRequests.join(' ')}`);
  }

  async report() {
    for (const page of this.pages)
      await this.shot(page, `failed ${this.name}`).catch(() => {});
    if (this.pageErrors.length) console.log(this.pageErrors.join('\n'));
    console.log(this.server.log.join('').split('\n').slice(-5).join('\n'));
  }

  async end() {
    for (const page of this.pages) await page.context().close().catch(() => {});
    this.model.stop();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
