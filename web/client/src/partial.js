// partial.js - the value of a JSON text that is still being written.
//
// As the AI SDK does for the input of tools: what is complete counts, open
// strings and containers are closed, and half a literal is finished.

const LITERALS = ['true', 'false', 'null'];
const attempt = (text) => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** Where a value could end, with what closes it there: last ones first. */
function endings(text) {
  const open = [];
  const ends = [];
  let string = false;
  const note = (at, more) =>
    ends.push({ at, close: more + open.toReversed().join('') });

  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (string) {
      if (c === '\\') i += text[i + 1] === 'u' ? 5 : 1;
      else if (c === '"') string = false;
      if (i < text.length) note(i + 1, string ? '"' : '');
      continue;
    }
    if (c === '"') string = true;
    if (c === '{') open.push('}');
    if (c === '[') open.push(']');
    if (c === '}' || c === ']') open.pop();
    note(i + 1, string ? '"' : '');
  }
  const word = /[a-z]+$/.exec(text)?.[0];
  const whole = word && LITERALS.find((w) => w.startsWith(word));
  if (whole && !string) note(text.length, whole.slice(word.length));
  return ends.toReversed();
}

export function parsePartial(text) {
  const whole = attempt(text);
  if (whole) return whole.value;
  for (const { at, close } of endings(text)) {
    const found = attempt(text.slice(0, at) + close);
    if (found) return found.value;
  }
  return undefined;
}
