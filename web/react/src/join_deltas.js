// join_deltas.js - joins the text deltas of a stream into fewer ones.
//
// A model sends a word at a time, and the SDK's chat copies its whole message for
// each.  So deltas that arrive within a short time become one.  The first one is
// not delayed, and the order of chunks stays.
const isText = ({ type }) => type === 'text-delta' || type === 'reasoning-delta';
const continues = (text, chunk) => chunk.type === text.type &&
  chunk.id === text.id && chunk.providerMetadata === undefined;

const DUE = Symbol('due');

/** A promise that resolves to DUE at that time, and a way to cancel it. */
function timerUntil(time) {
  const left = time - performance.now();
  if (left <= 0) return { rings: Promise.resolve(DUE), stop() {} };
  let timer;
  const rings = new Promise((ring) => {
    timer = setTimeout(ring, left, DUE);
  });
  return { rings, stop: () => clearTimeout(timer) };
}

/** The chunks of an iterator; text deltas within `ms` are joined. */
export async function* joinDeltas(chunks, ms) {
  const requestNext = () => {
    const asked = chunks.next();
    asked.catch(() => {}); // handled where it is awaited
    return asked;
  };
  let next = requestNext();
  let due = 0;

  /** `text` and what follows it until it is due. */
  async function gatherText(text) {
    const { rings, stop } = timerUntil(due);
    for (;;) {
      const got = await Promise.race([rings, next]).catch(() => DUE);
      if (got === DUE || got.done || !continues(text, got.value)) break;
      text = { ...text, delta: text.delta + got.value.delta };
      next = requestNext();
    }
    stop();
    due = performance.now() + ms;
    return text;
  }

  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = requestNext();
      yield isText(value) ? await gatherText(value) : value;
    }
  } finally {
    void chunks.return();
  }
}
