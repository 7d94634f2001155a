// partial_json.js - parses a JSON text that is still being written.
//
// As the AI SDK does for the input of tools: complete values count, open strings
// and containers are closed, and half a literal is completed.

const LITERALS = ['true', 'false', 'null'];
const tryParse = (text) => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** Where a value could end, with the text that closes it there; last ones first. */
function possibleEnds(text) {
  const open = [];
  const ends = [];
  let string = false;
  const addEnd = (at, more) =>
    ends.push({ at, close: more + open.toReversed().join('') });

  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (string) {
      if (c === '\\') i += text[i + 1] === 'u' ? 5 : 1;
      else if (c === '"') string = false;
      if (i < text.length) addEnd(i + 1, string ? '"' : '');
      continue;
    }
    if (c === '"') string = true;
    if (c === '{') open.push('}');
    if (c === '[') open.push(']');
    if (c === '}' || c === ']') open.pop();
    addEnd(i + 1, string ? '"' : '');
  }
  const word = /[a-z]+$/.exec(text)?.[0];
  const whole = word && LITERALS.find((w) => w.startsWith(word));
  if (whole && !string) addEnd(text.length, whole.slice(word.length));
  return ends.toReversed();
}

export function parsePartial(text) {
  const whole = tryParse(text);
  if (whole) return whole.value;
  for (const { at, close } of possibleEnds(text)) {
    const found = tryParse(text.slice(0, at) + close);
    if (found) return found.value;
  }
  return undefined;
}
