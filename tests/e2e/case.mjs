// case.mjs - how a case is written.
//
//     scene('what must hold', { needs: ['/api/chat'] }, async (w) => { … });
export const cases = [];

export function scene(name, options, fn) {
  const { needs = [], ...rest } = options;
  cases.push({ name, needs, options: rest, fn });
}

export function equal(got, want, what) {
  const [a, b] = [got, want].map((v) => JSON.stringify(v));
  if (a !== b) throw new Error(`${what}:\n  got  ${a}\n  want ${b}`);
}
export function ok(value, what) {
  if (!value) throw new Error(what);
}

/** The demo course came with the calls for documents. */
export const DEMO = { needs: ['/api/documents/{id}'] };
