// join.js - text in fewer pieces.
//
// A model sends a word at a time, and for each piece the chat makes its whole
// message anew.  Nobody can read that fast: text that comes within a moment
// becomes one piece.  The first one goes at once, and nothing overtakes it.
const isText = ({ type }) => type === 'text-delta' || type === 'reasoning-delta';
const continues = (text, chunk) => chunk.type === text.type &&
  chunk.id === text.id && chunk.providerMetadata === undefined;

const DUE = Symbol('due');

/** A promise of DUE at that time, and a way to give it up. */
function alarm(time) {
  const left = time - performance.now();
  if (left <= 0) return { rings: Promise.resolve(DUE), stop() {} };
  let timer;
  const rings = new Promise((ring) => {
    timer = setTimeout(ring, left, DUE);
  });
  return { rings, stop: () => clearTimeout(timer) };
}

/** The chunks of an iterator, texts of less than `ms` apart joined. */
export async function* joined(chunks, ms) {
  const ask = () => {
    const asked = chunks.next();
    asked.catch(() => {}); // it is thrown where it is waited for
    return asked;
  };
  let next = ask();
  let due = 0;

  /** `text` and what follows it until it is due. */
  async function gathered(text) {
    const { rings, stop } = alarm(due);
    for (;;) {
      const got = await Promise.race([rings, next]).catch(() => DUE);
      if (got === DUE || got.done || !continues(text, got.value)) break;
      text = { ...text, delta: text.delta + got.value.delta };
      next = ask();
    }
    stop();
    due = performance.now() + ms;
    return text;
  }

  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = ask();
      yield isText(value) ? await gathered(value) : value;
    }
  } finally {
    void chunks.return();
  }
}
