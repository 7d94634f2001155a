// main.mjs - cites every sentence of real documents verbatim, and asks which
// words are marked for it.
//
//   node bench/marks/main.mjs KIND FILE [RECORDING] ...
//
// A source is what the program's own search finds and has the sentence.  Exact:
// the marked words are the sentence's words.  Page: the place that opens has
// most of them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Server } from '../../tests/e2e/server.mjs';
import { claimsOf } from '../../web/client/src/claims.js';
import { sentencesOf } from './sentences.mjs';
import { spokenSentences } from './spoken.mjs';

const AT_ONCE = 4;
const HITS = 50;
const SENTENCES_MAX = Number(process.env.SENTENCES ?? 600); // of a document, spread over it

const folder = mkdtempSync(join(tmpdir(), 'marks-'));
const server = new Server(folder, []);

async function call(method, path, body) {
  const isForm = body instanceof FormData;
  const reply = await fetch(server.url + path, {
    method, body: isForm || !body ? body : JSON.stringify(body),
    headers: isForm || !body ? {} : { 'Content-Type': 'application/json' },
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

async function upload(file, recording) {
  const form = new FormData();
  form.set('file', new Blob([readFileSync(file)]), basename(file));
  if (recording) form.set('media', new Blob([readFileSync(recording)]), basename(recording));
  let { id, status } = await call('POST', '/api/courses/marks/documents', form);
  while (status !== 'ready') {
    const d = await call('GET', `/api/documents/${id}?wait=20`);
    if (d.status === 'failed') throw new Error(`${file}: ${d.error}`);
    ({ status } = d);
  }
  return id;
}

const letters = (s) => s.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Of the sources that a search for the sentence finds the one that has it, on
 *  its page if the same words stand elsewhere, too; one that has half of it, when
 *  it was cut there. */
async function sourceOf(id, sentence) {
  const { hits } = await call('GET', `/api/search?limit=${HITS}&documentId=${id}&q=${encodeURIComponent(sentence.text.slice(0, 900))}`);
  const away = (h) => (h.slideNumber ? Math.abs(h.slideNumber - sentence.page) : 0);
  const near = hits.filter((h) => away(h) <= 3).toSorted((a, b) => away(a) - away(b));
  const wanted = letters(sentence.text);
  const half = Math.ceil(wanted.length / 2);
  const has = (part) => near.find((h) => letters(h.contentPreview ?? '').includes(part));
  return has(wanted) ?? has(wanted.slice(0, half)) ?? has(wanted.slice(-half));
}

/** As the page asks for it, for an answer that is this sentence and its number. */
async function marksOf(source, sentence) {
  const content = `${sentence} [1]`;
  const cited = { ...source, chunkNumber: 1, spans: [[content.length - 3, content.length]] };
  const [claim] = claimsOf(content, [cited], cited);
  return call('POST', '/api/marks', {
    passage: source.contentPreview, claims: [claim], documentId: source.documentId ?? source.lectureId,
    version: source.documentVersion, page: source.slideNumber ?? undefined,
    startSeconds: source.startSeconds ?? undefined, endSeconds: source.endSeconds ?? undefined,
  });
}

const inside = (w, b) => w.x >= b.x - 0.5 && w.x <= b.x + b.w + 0.5 && w.y >= b.y && w.y <= b.y + b.h;

/** Which words of the document lie in the boxes, and where it opens. */
function seenOnPages(marks, all) {
  const seen = new Set();
  for (const p of marks.pages ?? [])
    for (const w of all.get(p.page) ?? []) if (p.claims[0].some((b) => inside(w, b))) seen.add(w);
  return { seen, opens: marks.claims[0].page };
}

function seenInLines(marks, all) {
  const seen = new Set();
  for (const l of marks.lines ?? [])
    for (const w of all.get(l.line) ?? []) if (l.claims[0].some(([a, b]) => w.at >= a && w.at < b)) seen.add(w);
  return { seen, opens: marks.claims[0].startSeconds };
}

function spread(list) {
  const step = Math.max(1, list.length / SENTENCES_MAX);
  return Array.from({ length: Math.min(list.length, SENTENCES_MAX) }, (_, i) => list[Math.floor(i * step)]);
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

const lettersOf = (words) => letters(words.map((w) => w.text).join(''));

/** Whether the place has most of the sentence; a second, its beginning. */
function opensAt(sentence, place) {
  const { start } = sentence.words[0];
  if (start !== undefined) return Math.abs(start - place) < 0.01;
  const count = (page) => sentence.words.filter((w) => w.page === page).length;
  return count(place) > 0 && sentence.words.every((w) => count(w.page) <= count(place));
}

async function measure(kind, file, recording) {
  const id = await upload(file, recording);
  const found = kind === 'recording' ? spokenSentences(readFileSync(file, 'utf8')) : sentencesOf(file, kind === 'slides');
  const all = groupBy(found.flatMap((s) => s.words), (w) => w.page ?? w.line);
  const chosen = spread(found.filter((s) => !process.env.CROSSING || s.words.some((w) => w.page !== s.page)));
  const alike = groupBy(found, (s) => lettersOf(s.words));
  const sum = { sentences: chosen.length, cited: 0, exact: 0, page: 0, crossing: 0, crossingExact: 0 };
  const queue = [...chosen];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let s; (s = queue.shift());) {
      const source = await sourceOf(id, s);
      if (!source) continue;
      const marks = await marksOf(source, s.text);
      const { seen, opens } = kind === 'recording' ? seenInLines(marks, all) : seenOnPages(marks, all);
      const isExact = lettersOf([...seen]) === lettersOf(s.words);
      const isRight = alike.get(lettersOf(s.words)).some((same) => opensAt(same, opens));
      const crosses = new Set(s.words.map((w) => w.page)).size > 1;
      sum.cited++;
      sum.exact += isExact;
      sum.page += isRight;
      sum.crossing += crosses;
      sum.crossingExact += crosses && isExact;
      if (!(isExact && isRight) && process.env.V)
        console.log(`  page ${s.page} opens ${opens}, ${seen.size}/${s.words.length}: ${s.text}\n` +
          `      marked: ${[...seen].map((w) => w.text).join(' ')}`);
    }
  }));
  return sum;
}

const percent = (part, all) => (all ? `${((100 * part) / all).toFixed(1)} %` : '-').padStart(8);

async function main([...args]) {
  await server.start();
  await call('POST', '/api/courses', { id: 'marks', title: 'Marks' });
  console.log('kind         sentences   cited    exact     page  crossing a page, exact');
  while (args.length) {
    const [kind, file] = args.splice(0, 2);
    const recording = kind === 'recording' ? args.shift() : undefined;
    const s = await measure(kind, file, recording);
    console.log(kind.padEnd(12), String(s.sentences).padStart(9), percent(s.cited, s.sentences), percent(s.exact, s.cited),
      percent(s.page, s.cited), String(s.crossing).padStart(6), percent(s.crossingExact, s.crossing), ` ${basename(file)}`);
  }
}

try {
  await main(process.argv.slice(2));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
