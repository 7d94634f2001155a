// case.mjs - declares a case.  `w` is its World (world.mjs).
//
//     test('what must hold', { model: true }, async (w) => { … });
//
// `chromiumOnly` says what the case needs that Firefox cannot be asked for.
export const cases = [];

export function test(name, options, fn) {
  cases.push({ name, options, fn });
}

export function equal(got, want, what) {
  const [a, b] = [got, want].map((v) => JSON.stringify(v));
  if (a !== b) throw new Error(`${what}:\n  got  ${a}\n  want ${b}`);
}
export function ok(value, what) {
  if (!value) throw new Error(what);
}
