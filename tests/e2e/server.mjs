// server.mjs - the built program as a child process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

const PROGRAM = resolve(process.env.FOOTNOTE ?? 'build/footnote');
const START_MS = 60_000;

export class Server {
  constructor(data, flags = []) {
    this.data = data;
    this.flags = flags;
    this.address = '127.0.0.1:0';
    this.log = [];
  }

  async start() {
    this.child = spawn(PROGRAM, ['serve', '--listen', this.address, '--data', this.data, ...this.flags],
      { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stderr.on('data', (bytes) => this.log.push(String(bytes)));
    const lines = createInterface({ input: this.child.stdout });
    const late = setTimeout(() => this.child.kill('SIGKILL'), START_MS);
    for await (const line of lines) {
      const found = /http:\/\/([\d.]+:\d+)/.exec(line);
      if (!found) continue;
      clearTimeout(late);
      this.address = found[1]; // the same one after a restart
      this.url = `http://${found[1]}`;
      return;
    }
    throw new Error(`the server did not start:\n${this.log.join('')}`);
  }

  /** Kills the process without a warning, like a power failure. */
  async kill() {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  async stop() {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode) return;
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), 30_000);
    await once(this.child, 'exit');
    clearTimeout(late);
  }
}
