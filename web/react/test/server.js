// server.js - a Footnote server of a hundred lines, behind fetch().
//
// It keeps to the contract: the question is stored before the first byte, the
// running answer is left out of the history, a viewer gets the turn from its
// start, and a turn goes on without viewers.
import { fold, newMessage } from '@footnote/client';

const json = (body, status = 200) => new Response(JSON.stringify(body),
  { status, headers: { 'content-type': 'application/json' } });
const failure = (status, code, error) => json({ error, code }, status);
const frame = (chunk) => new TextEncoder().encode(
  `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);

/** One turn: a log of chunks and those who watch it. */
class Run {
  log = [];
  viewers = new Set();

  push(...chunks) {
    for (const chunk of chunks) {
      this.log.push(chunk);
      for (const viewer of this.viewers) viewer.enqueue(frame(chunk));
    }
  }

  view(signal) {
    let viewer;
    const body = new ReadableStream({
      start: (controller) => {
        viewer = controller;
        for (const chunk of this.log) controller.enqueue(frame(chunk));
        this.viewers.add(controller);
      },
      cancel: () => this.viewers.delete(viewer),
    });
    signal?.addEventListener('abort', () => {
      if (this.viewers.delete(viewer)) viewer.error(signal.reason);
    });
    return new Response(body);
  }

  close(how) {
    for (const viewer of this.viewers) how(viewer);
    this.viewers.clear();
  }
}

export class Server {
  stored = new Map();
  runs = new Map();
  asked = [];
  /** By session and message: the path through one that is not shown. */
  left = new Map();
  clock = Date.parse('2026-02-26T20:00:00Z');
  /** Set to answer the next request otherwise. */
  next = null;

  constructor() {
    this.fetch = this.fetch.bind(this);
  }

  time() {
    return new Date(this.clock += 1000).toISOString();
  }

  messages(id) {
    if (!this.stored.has(id)) this.stored.set(id, []);
    return this.stored.get(id);
  }

  /** Ends a turn as the server does: stored first, said then. */
  end(id, status = 'complete') {
    const run = this.runs.get(id);
    const finish = [{ type: 'finish', finishReason: 'stop', messageMetadata: {
      createdAt: this.time(), status, lowConfidence: false, model: 'm' } }];
    this.messages(id).push([...run.log, ...finish].reduce(fold, newMessage()));
    this.runs.delete(id);
    run.push(...finish, '[DONE]');
    run.close((viewer) => viewer.close());
  }

  /** The line breaks; the turn goes on. */
  cut(id) {
    this.runs.get(id).close((viewer) => viewer.error(new TypeError('terminated')));
  }

  /** The turn fails: an error chunk, and what there was is stored. */
  fail(id, errorText) {
    const run = this.runs.get(id);
    this.runs.delete(id);
    run.push({ type: 'error', errorText }, '[DONE]');
    run.close((viewer) => viewer.close());
  }

  chat(body, signal) {
    const message = body.messages.at(-1);
    const all = this.messages(body.id);
    if (this.runs.has(body.id))
      return failure(409, 'turn_running', 'An answer is being written');
    if (message.role === 'user') {
      const at = all.findIndex(({ id }) => id === message.id);
      if (at >= 0) this.left.set(`${body.id} ${message.id}`, all.splice(at));
      all.push({ id: message.id, role: 'user', parts: message.parts,
        metadata: { createdAt: this.time(), status: 'complete' } });
    }
    const run = new Run();
    this.runs.set(body.id, run);
    return run.view(signal);
  }

  async fetch(url, { method, body, signal } = {}) {
    signal?.throwIfAborted();
    const { pathname, searchParams } = new URL(url);
    this.asked.push(`${method} ${pathname}`);
    this.body = body ? JSON.parse(body) : null;
    const other = this.next;
    this.next = null;
    if (other) return other();
    const [, api, kind, id, what] = pathname.split('/').map(decodeURIComponent);
    if (api !== 'api') return failure(404, 'not_found', 'Not found');
    if (kind === 'sessions' && method === 'PATCH') {
      this.stored.set(id, this.left.get(`${id} ${this.body.shown}`));
      return json({ id });
    }
    const at = searchParams.get('at');
    if (kind === 'sessions' && what === 'messages' && at)
      return this.left.has(`${id} ${at}`)
        ? json({ id, messages: this.left.get(`${id} ${at}`) })
        : failure(404, 'message_not_found', 'Message not found');
    if (kind === 'sessions' && what === 'messages')
      return this.stored.has(id) ? json({ id, messages: this.messages(id) })
        : failure(404, 'session_not_found', 'Session not found');
    if (kind === 'chat' && !id) return this.chat(this.body, signal);
    if (what === 'stop') {
      this.stopped = this.body;
      if (this.runs.has(id)) this.end(id, 'stopped');
      return json({ success: true });
    }
    return this.runs.get(id)?.view(signal) ?? new Response(null, { status: 204 });
  }
}
