// stream.js - the chunks of a turn, also across lost connections.
//
// For the AI SDK a body that ends too early is a success.  For us a turn has
// ended with `finish`, and any other end is a cut.  The server replays a running
// turn from its start, so after a cut we ask again and skip the chunks that the
// caller already has.
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

/** The events of a response; a lost connection throws the error `cut`. */
export async function* serverEvents(response, signal) {
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
  for await (const { data } of serverEvents(response, signal)) {
    if (data === '[DONE]') continue;
    const chunk = chunkOf(data);
    if (chunk.type === 'error')
      throw streamError(chunk.errorText ?? 'The answer failed');
    ended ||= isEnd(chunk);
    yield chunk;
  }
  if (!ended) throw streamError('The answer was cut off', 'cut');
}

// Skips the chunks of a replay that the caller already has.  A replay has the
// same chunks in the same order, but may join the deltas of a text.
class ReplayFilter {
  #counts = new Map();
  #lengths = new Map();
  #replay = { counts: new Map(), lengths: new Map(), block: new Map() };

  startReplay() {
    this.#replay = { counts: new Map(), lengths: new Map(), block: new Map() };
  }

  /** The chunk, its new part, or null when all of it is known. */
  newPart(chunk) {
    if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta')
      return this.#newText(chunk);
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

  #newText(chunk) {
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

const isConnectionLoss = (error) => error instanceof FootnoteError &&
  (error.code === 'cut' || error.code === 'unreachable' ||
    error.status === 502 || error.status === 503 || error.status === 504);

/** Reconnects to the running turn, with growing pauses; null when it has ended. */
export async function reopen(resume, { retries, retryMs, signal }) {
  for (let n = 0; ; n++) {
    await pause(retryMs * 2 ** n, signal);
    try {
      return await resume();
    } catch (error) {
      if (!isConnectionLoss(error) || n + 1 >= retries) throw error;
    }
  }
}

/** The chunks of a turn over as many connections as it takes.  Throws `cut` when
 *  the turn has ended meanwhile: then it is stored. */
export async function* chunksAcrossConnections(response, resume, options) {
  const filter = new ReplayFilter();
  const { signal, retries } = options;

  for (let fruitless = 0; ; fruitless++) {
    try {
      for await (const chunk of readChat(response, { signal })) {
        const newPart = filter.newPart(chunk);
        if (newPart) {
          fruitless = 0;
          yield newPart;
        }
      }
      return;
    } catch (error) {
      if (!isConnectionLoss(error) || fruitless >= retries) throw error;
      const again = await reopen(resume, options);
      if (!again) throw error;
      response = again;
      filter.startReplay();
    }
  }
}
