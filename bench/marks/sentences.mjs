// sentences.mjs - the sentences of a PDF and where each of its words stands,
// read by poppler's own analysis of blocks, not by the program's reader.
import { execFileSync } from 'node:child_process';

const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };
const unescaped = (s) => s.replace(/&(amp|lt|gt|quot|apos);/g, (e) => entities[e]);
const number = (tag, name) => Number(new RegExp(`${name}="([^"]+)"`).exec(tag)[1]);

/** Pages as lists of blocks; a block is a list of lines, a line of words. */
function readPages(pdf) {
  const xml = execFileSync('pdftotext', ['-enc', 'UTF-8', '-bbox-layout', pdf, '-'], { maxBuffer: 1 << 30 }).toString();
  const pages = [];
  for (const line of xml.split('\n')) {
    const tag = line.trim();
    if (tag.startsWith('<page ')) pages.push([]);
    else if (tag.startsWith('<block ')) pages.at(-1).push([]);
    else if (tag.startsWith('<line ')) pages.at(-1).at(-1).push([]);
    else if (tag.startsWith('<word ')) {
      const [x, y, right, bottom] = ['xMin', 'yMin', 'xMax', 'yMax'].map((name) => number(tag, name));
      const text = unescaped(/>([^<]*)<\/word>/.exec(tag)[1]);
      pages.at(-1).at(-1).at(-1).push({ text, page: pages.length, x: (x + right) / 2, y: (y + bottom) / 2, h: bottom - y });
    }
  }
  return pages;
}

const form = (line) => line.map((w) => w.text).join(' ').replace(/\d+/g, '');

/** Without page numbers, and without the first and last lines that pages repeat. */
function withoutRunning(pages) {
  const seen = new Map();
  for (const page of pages)
    for (const f of new Set(page.flat().map(form))) seen.set(f, (seen.get(f) ?? 0) + 1);
  return pages.map((page) => {
    const lines = page.flat();
    const isRunning = (line) => !/\p{L}/u.test(form(line)) && line.length < 3 ||
      (lines.indexOf(line) < 2 || lines.indexOf(line) > lines.length - 4) && seen.get(form(line)) > 2;
    return page.map((block) => block.filter((line) => !isRunning(line))).filter((block) => block.length);
  });
}

/** Neither a number nor the name of a file nor code. */
const isPlain = (w) => /^["'“‘([]*\p{L}[\p{L}'’-]*["'”’)\].,;:!?]*$/u.test(w.text);
const hasLetters = (w) => /[\p{L}\p{N}]/u.test(w.text);
const isAbbreviation = (text) => /^[("']*(\p{Lu}|e\.g|i\.e|cf|pp?|etc|vs|al|Dr|Mr|Mrs|Ms|Prof|St|Fig|Eq|No|Sec|approx|resp|ca)\.$/u.test(text);
const ends = (text) => /[.!?]["'”’)\]]*$/.test(text) && !isAbbreviation(text);
const begins = (text) => /^["'“‘([]*[\p{Lu}\p{N}]/u.test(text);

/** The number of a footnote that stands behind the full stop before. */
const withoutNote = (s) => (/^\d+$/.test(s[0]?.text ?? '') ? s.slice(1) : s);

/** The words of blocks, cut into sentences.  A bullet begins one. */
function cut(words) {
  const sentences = [[]];
  words.forEach((w, i) => {
    const isBullet = !hasLetters(w) && w.startsLine;
    if (isBullet && sentences.at(-1).length) sentences.push([]);
    if (!isBullet || sentences.at(-1).length) sentences.at(-1).push(w);
    const next = words[i + 1];
    if (ends(w.text) && (!next || begins(next.text) || !hasLetters(next))) sentences.push([]);
  });
  return sentences.map(withoutNote).filter((s) => s.length);
}

const text = (words) => words.map((w) => w.text).join(' ')
  .replace(/(\p{Ll})[-\u2010] (\p{Ll})/gu, '$1$2');

/** Claims that repeat a sentence: {text, words}.  Of prose the whole ones, which
 *  may go on in the next block or on the next page; of slides all lines of text. */
export function sentencesOf(pdf, isSlides) {
  const pages = withoutRunning(readPages(pdf));
  const runs = [];
  for (const block of pages.flat()) {
    const words = block.flatMap((line) => line.map((w, i) => ({ ...w, startsLine: i === 0 })));
    const last = runs.at(-1);
    const goesOn = !isSlides && last && !ends(last.at(-1).text) && /^\p{Ll}/u.test(words[0].text);
    if (goesOn) last.push(...words);
    else runs.push(words);
  }
  return runs.flatMap(cut)
    .filter((s) => s.length >= 4 && s.length <= 60 && s.filter(isPlain).length > s.length * 0.7)
    .filter((s) => isSlides || (begins(s[0].text) && ends(s.at(-1).text) && hasLetters(s.at(-1))))
    .map((words) => ({ text: text(words), words: words.filter(hasLetters), page: words[0].page }));
}
