// model.mjs - a model server with OpenAI's API that answers from scripts.
//
// A script is a list of texts.  HOLD stops the stream until release(), so that a
// case can look at half an answer without sleeping.
import http from 'node:http';
import { once } from 'node:events';

export const HOLD = Symbol('hold');
/** Instead of an answer: the server of the model has failed. */
export const FAIL = Symbol('fail');
/** A pause of PACE_MS between two pieces. */
export const PACE = Symbol('pace');
const PACE_MS = 4;

export class Model {
  #scripts = [];
  #waiting = new Set();
  #free = false;
  asked = [];

  async start() {
    this.server = http.createServer((req, res) => void this.#serve(req, res));
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  /** The script for questions with this word; the latest call wins. */
  say(word, ...parts) {
    this.#scripts.unshift({ word, parts });
  }

  release() {
    this.#free = true;
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }
  /** Makes HOLD stop again after a release(). */
  hold() {
    this.#free = false;
  }

  stop() {
    this.release();
    this.server?.closeAllConnections();
    this.server?.close();
  }

  async #serve(req, res) {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    if (!req.url.endsWith('/chat/completions')) return res.writeHead(404).end();
    const body = JSON.parse(Buffer.concat(chunks));
    const last = body.messages.findLast((m) => m.role === 'user');
    const text = typeof last.content === 'string' ? last.content : JSON.stringify(last.content);
    this.asked.push(body);
    const script = this.#scripts.find(({ word }) => text.includes(word));
    if (script?.parts[0] === FAIL)
      return res.writeHead(500).end('{"error":{"message":"secrets of the model server"}}');
    await this.#answer(res, script?.parts ?? ['The sources say so [1]. Another one agrees [2].']);
  }

  async #answer(res, parts) {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta, finish = null) => res.write(`data: ${JSON.stringify({
      id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    for (const part of parts) {
      if (part === HOLD) {
        if (!this.#free) await new Promise((go) => { this.#waiting.add(go); });
      } else if (part === PACE) {
        await new Promise((go) => { setTimeout(go, PACE_MS); });
      } else {
        for (const piece of part.match(/[\s\S]{1,12}/g) ?? []) send({ content: piece });
      }
      if (res.destroyed) return;
    }
    send({}, 'stop');
    res.end('data: [DONE]\n\n');
  }
}
