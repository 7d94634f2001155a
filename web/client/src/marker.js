// marker.js - one marker by its shape alone: src/cite/marker.c again.
//
// A cursor remembers whether the text ended while it still agreed with some
// token, so "no" and "not yet" are told apart once, at the end, and the rules
// below read like the grammar of docs/markers.md.

export const MARK_BYTES_MAX = 128;
const RANGE_MAX = 200;
const DIGITS_MAX = 9;

const CLOSE = { '[': ']', '【': '】', '［': '］' };

/** Whether an opening bracket stands there. */
export const isBracket = (text, at) => Object.hasOwn(CLOSE, text[at] ?? '');

/** Bytes of a UTF-16 unit in UTF-8; half a pair counts two.  The limits are
 *  the server's, which counts bytes. */
export function bytesOf(unit) {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

/** Where at most `max` bytes from `at` on end, and whether the text has so
 *  many. */
function bytesAhead(text, at, max) {
  let bytes = 0;
  let i = at;
  for (; i < text.length && bytes < max; i++) {
    bytes += bytesOf(text.charCodeAt(i));
    if (bytes > max) return { end: i, full: true };
  }
  return { end: i, full: bytes >= max };
}

class Cursor {
  starved = false;

  constructor(text, start, end) {
    this.text = text;
    this.i = start;
    this.end = end;
  }

  /** One character of a set. */
  eat(set) {
    if (this.i >= this.end) {
      this.starved = true;
      return false;
    }
    if (!set.includes(this.text[this.i])) return false;
    this.i++;
    return true;
  }

  eatWord(word) {
    const rest = this.text.slice(this.i, Math.min(this.end,
      this.i + word.length));
    if (rest !== word) {
      this.starved ||= word.startsWith(rest);
      return false;
    }
    this.i += word.length;
    return true;
  }

  spaces() {
    const before = this.i;
    while (this.eat(' '));
    return this.i > before;
  }

  number() {
    let value = 0;
    let n = 0;
    for (; n < DIGITS_MAX && this.eat('0123456789０１２３４５６７８９'); n++)
      value = value * 10 + ((this.text.charCodeAt(this.i - 1) & 0xff) % 0x10);
    return n ? value : -1;
  }

  /** Leaves spaces that no dash follows for the list to judge. */
  item() {
    const from = this.number();
    if (from < 0) return null;
    const after = this.i;
    this.spaces();
    if (!this.eat('-–')) {
      this.i = after;
      return { from, to: from };
    }
    this.spaces();
    const to = this.number();
    return to >= from && to - from < RANGE_MAX ? { from, to } : null;
  }

  list() {
    const items = [];
    for (;;) {
      const item = this.item();
      if (!item) return null;
      items.push(item);
      const spaces = this.spaces();
      if (!this.eat(',;，；、')) return spaces ? null : items;
      this.spaces();
    }
  }
}

/** 'no', 'part' (more text may make it one), or the marker. */
export function matchMarker(text, at) {
  if (!isBracket(text, at)) return 'no';
  const { end, full } = bytesAhead(text, at, MARK_BYTES_MAX);
  const cursor = new Cursor(text, at + 1, end);
  const page = cursor.eatWord('^Page');
  const items = page ? [{ page: true }] : cursor.list();

  if (items && cursor.eat(CLOSE[text[at]]))
    return { start: at, end: cursor.i, ascii: text[at] === '[', items };
  return cursor.starved && !full ? 'part' : 'no';
}
