// marker.js - one marker by its shape alone: src/cite/marker.c again.
//
// A cursor remembers whether the text ended while it still agreed with some
// token, so "no" and "not yet" are told apart once, at the end, and the rules
// below read like the grammar of docs/markers.md.

export const MARK_BYTES_MAX = 128;
const RANGE_MAX = 200;
const DIGITS_MAX = 9;
const LETTERS_MAX = 16;
const LETTER = /[A-Za-z\u00c0-\u027f\u0400-\u04ff]/;

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

  /** Leaves spaces that no dash follows. */
  dash() {
    const before = this.i;
    this.spaces();
    if (!this.eat('-–')) {
      this.i = before;
      return false;
    }
    this.spaces();
    return true;
  }

  item() {
    const from = this.number();
    if (from < 0) return null;
    if (!this.dash()) return { from, to: from };
    const to = this.number();
    return to >= from && to - from < RANGE_MAX ? { from, to } : null;
  }

  // ---- Locators: "p. 6-7", "slide 3", "8:19" --------------------------------

  letter() {
    this.starved ||= this.i >= this.end;
    if (this.i >= this.end || !LETTER.test(this.text[this.i])) return false;
    this.i++;
    return true;
  }

  label() {
    if (this.eat('§')) return true;
    let n = 0;
    while (n < LETTERS_MAX && this.letter()) n++;
    if (n) this.eat('.');
    return n > 0;
  }

  /** "6", "3.2", "8:19", "1:08:19": 'clock', 'place' or null. */
  place() {
    let what = 'place';
    while (this.number() >= 0) {
      if (this.eat(':')) what = 'clock';
      else if (!this.eat('.')) return what;
    }
    return null;
  }

  /** A bare number could be meant as a source.  It is a place only behind
   *  another place, or as a clock. */
  locator(behindAnother) {
    const before = this.i;
    const labelled = this.label();
    if (labelled) this.spaces();
    const first = this.place();
    const last = first && this.dash() ? this.place() : first;
    if (first && last &&
      (labelled || behindAnother || [first, last].includes('clock')))
      return true;
    this.i = before;
    return false;
  }

  /** What stands behind an item: 'more' items, the 'end', or null. */
  behindItem() {
    for (let located = false; ; located = true) {
      const spaces = this.spaces();
      const comma = this.eat(',，、');
      if (!comma && !this.eat(';；')) return spaces ? null : 'end';
      this.spaces();
      if (!comma) return 'more';
      if (!this.locator(located)) return located ? null : 'more';
    }
  }

  list() {
    const items = [];
    for (;;) {
      const item = this.item();
      const behind = item && this.behindItem();
      if (!behind) return null;
      items.push(item);
      if (behind === 'end') return items;
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
