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
  trouble = [];
  elsewhere = [];

  constructor(browser, name, options) {
    Object.assign(this, { browser, name, options });
    this.folder = mkdtempSync(join(tmpdir(), 'footnote-e2e-'));
    this.model = new Model();
    this.server = new Server(join(this.folder, 'data'), []);
  }

  /** `flags` may be a function, of a world whose model runs. */
  async start() {
    const { model, flags = ['--demo'] } = this.options;
    if (model) await this.model.start();
    const usual = model && typeof flags !== 'function' ? ['--model-url', this.model.url, '--model', 'scripted'] : [];
    this.server.flags = [...(typeof flags === 'function' ? flags(this) : flags), ...usual];
    await this.server.start();
  }

  /** A file of the case's own, for the program to read; its path. */
  file(name, text) {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** A body that is a form goes as one, all else as JSON.  `key` signs in. */
  async api(method, path, body, key) {
    const form = body instanceof FormData;
    const response = await fetch(this.server.url + path, { method,
      headers: { ...(form ? {} : { 'content-type': 'application/json' }), ...(key && { authorization: `Bearer ${key}` }) },
      body: form ? body : body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  /** When the server has read a document, or has given it up. */
  async read(id, key) {
    const path = `/api/documents/${encodeURIComponent(id)}?wait=20`;
    for (;;) {
      const document = await this.api('GET', path, undefined, key);
      if (document.status === 'ready' || document.status === 'failed') return document;
    }
  }

  /** A course with one text in it, of whoever has the key. */
  async course(id, text, key) {
    await this.api('POST', '/api/courses', { id, title: id }, key);
    const made = await this.api('POST', `/api/courses/${id}/documents`, { kind: 'text', title: `On ${id}`, text }, key);
    await this.read(made.id, key);
  }

  /** A new key of a user. */
  key(user) {
    return execFileSync(process.env.FOOTNOTE ?? 'build/footnote',
      ['key', 'add', user, '--data', this.server.data], { encoding: 'utf8' }).match(/fn_\S+/)[0];
  }

  async page(options = {}) {
    const context = await this.browser.newContext({ ...desktop, locale: 'en', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (e) => this.trouble.push(`script: ${e.stack}`));
    page.on('console', (m) => {
      // A failed load is the case's own affair; a broken policy never is.
      if (m.type() === 'error' && /Content Security|Trusted/i.test(m.text())) this.trouble.push(m.text());
    });
    page.on('dialog', (d) => {
      if (d.type() !== 'beforeunload') this.trouble.push(`dialog: ${d.message()}`);
      void d.accept();
    });
    page.on('request', (r) => {
      if (!r.url().startsWith(this.server.url) && !/^(data|blob):/.test(r.url())) this.elsewhere.push(r.url());
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

  /** What no case may end with. */
  check() {
    if (this.trouble.length) throw new Error(this.trouble.join('\n'));
    if (this.elsewhere.length) throw new Error(`asked another host: ${this.elsewhere.join(' ')}`);
  }

  async report() {
    for (const page of this.pages)
      await this.shot(page, `failed ${this.name}`).catch(() => {});
    if (this.trouble.length) console.log(this.trouble.join('\n'));
    console.log(this.server.log.join('').split('\n').slice(-5).join('\n'));
  }

  async end() {
    for (const page of this.pages) await page.context().close().catch(() => {});
    this.model.stop();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
