// stream.js - a turn as chunks, and as chunks that survive a lost connection.
//
// To the AI SDK a body that ends too early is a success.  To us it is not: a
// turn has ended when it said `finish`, and any other end is a cut.  The
// server replays a running turn from its start, so after a cut we ask again
// and leave out what was already given.
import { errorOf, FootnoteError, streamError } from './error.js';
import { readEvents } from './events.js';

function chunkOf(data) {
  let chunk;
  try {
    chunk = JSON.parse(data);
  } catch (cause) {
    throw streamError('The answer could not be read', 'not_json', cause);
  }
  if (typeof chunk?.type !== 'string')
    throw streamError('The answer has a part without a type', 'not_json');
  return chunk;
}

const isEnd = (chunk) => chunk.type === 'finish' || chunk.type === 'abort';

/** The events, with every way of losing the connection as a cut. */
async function* eventsOf(response, signal) {
  try {
    yield* readEvents(response, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof RangeError) throw streamError(error.message);
    throw streamError('The connection was lost', 'cut', error);
  }
}

export async function* readChat(response, { signal } = {}) {
  if (!response.ok) throw await errorOf(response);
  let ended = false;
  for await (const { data } of eventsOf(response, signal)) {
    if (data === '[DONE]') continue;
    const chunk = chunkOf(data);
    if (chunk.type === 'error')
      throw streamError(chunk.errorText ?? 'The answer failed');
    ended ||= isEnd(chunk);
    yield chunk;
  }
  if (!ended) throw streamError('The answer was cut off', 'cut');
}

// What was given of a turn so far, to leave it out of a replay.  A replay has
// the same chunks in the same order, but may join the deltas of a text.
class Given {
  #counts = new Map();
  #lengths = new Map();
  #replay = { counts: new Map(), lengths: new Map(), block: new Map() };

  rewind() {
    this.#replay = { counts: new Map(), lengths: new Map(), block: new Map() };
  }

  /** The chunk, what is new of it, or null. */
  fresh(chunk) {
    if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta')
      return this.#freshText(chunk);
    const { counts, block } = this.#replay;
    const key = JSON.stringify(chunk);
    const nth = (counts.get(key) ?? 0) + 1;

    counts.set(key, nth);
    if (/^(text|reasoning)-start$/.test(chunk.type))
      block.set(chunk.id, (block.get(chunk.id) ?? 0) + 1);
    if (nth <= (this.#counts.get(key) ?? 0)) return null;
    this.#counts.set(key, nth);
    return chunk;
  }

  #freshText(chunk) {
    const { lengths, block } = this.#replay;
    const key = `${chunk.type} ${block.get(chunk.id)} ${chunk.id}`;
    const start = lengths.get(key) ?? 0;
    const end = start + chunk.delta.length;
    const had = this.#lengths.get(key) ?? 0;

    lengths.set(key, end);
    if (end <= had) return chunk.delta === '' && start === had ? chunk : null;
    this.#lengths.set(key, end);
    return start >= had ? chunk
      : { ...chunk, delta: chunk.delta.slice(had - start) };
  }
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

const lost = (error) => error instanceof FootnoteError &&
  (error.code === 'cut' || error.code === 'unreachable' ||
    error.status === 502 || error.status === 503 || error.status === 504);

/** The running turn again, however long the server needs to come back; null
 *  when it does not run any more. */
async function reopen(resume, { retries, retryMs, signal }) {
  for (let n = 0; ; n++) {
    await pause(retryMs * 2 ** n, signal);
    try {
      return await resume();
    } catch (error) {
      if (!lost(error) || n + 1 >= retries) throw error;
    }
  }
}

/** The chunks of a turn over as many connections as it takes.  Ends with the
 *  error `cut` when the turn is not running any more: it is stored then. */
export async function* relay(response, resume, options) {
  const given = new Given();
  const { signal, retries } = options;

  for (let fruitless = 0; ; fruitless++) {
    try {
      for await (const chunk of readChat(response, { signal })) {
        const fresh = given.fresh(chunk);
        if (fresh) {
          fruitless = 0;
          yield fresh;
        }
      }
      return;
    } catch (error) {
      if (!lost(error) || fruitless >= retries) throw error;
      const again = await reopen(resume, options);
      if (!again) throw error;
      response = again;
      given.rewind();
    }
  }
}
