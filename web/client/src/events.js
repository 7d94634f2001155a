// events.js - server-sent events, as the HTML standard reads them.
//
// Text arrives split anywhere: inside a line, between CR and LF, inside a
// character.  An event is complete with the blank line after it; an incomplete
// one at the end of the body is dropped, as browsers do.

const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/** Takes text piece by piece; gives the events that each piece completes. */
export class EventParser {
  #rest = '';
  #first = true;
  #data = [];
  #event = '';
  #id = null;

  push(piece) {
    let text = this.#rest + piece;
    if (this.#first && text) {
      this.#first = false;
      if (text[0] === '\uFEFF') text = text.slice(1);
    }
    const events = [];
    const lines = /([^\r\n]*)(\r\n|\n|\r(?!$))/y;
    let at = 0;
    for (let m; (m = lines.exec(text)); at = lines.lastIndex) {
      const event = this.#line(m[1]);
      if (event) events.push(event);
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > EVENT_CHARS_MAX)
      throw new RangeError('an event of the stream is too long');
    return events;
  }

  #line(line) {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return null; // a comment that keeps the connection open
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');

    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return null;
  }

  #dispatch() {
    const event = this.#event || 'message';
    const data = this.#data;
    this.#event = '';
    this.#data = [];
    if (!data.length) return null;
    return { event, id: this.#id, data: data.join('\n') };
  }
}

/** The events of a body, as they arrive. */
export async function* readEvents(response, { signal } = {}) {
  signal?.throwIfAborted();
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parser = new EventParser();
  const stop = () => void reader.cancel(signal.reason).catch(() => {});

  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    reader.cancel().catch(() => {});
  }
}
