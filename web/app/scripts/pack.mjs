// After Vite: compressed forms beside each file that shrinks, and the sizes,
// which are a promise: what a first visit loads before it can ask.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const DIST = process.argv[2] ?? new URL('../../dist/', import.meta.url).pathname;
const FIRST_LOAD_MAX = 175_000; // bytes, gzipped: page, scripts and styles
const SHRINKS = /\.(?:html|js|css|svg)$/;

const files = readdirSync(DIST, { recursive: true })
  .filter((name) => statSync(join(DIST, name)).isFile()).sort();

function pack(name) {
  const body = readFileSync(join(DIST, name));
  const forms = {
    '.gz': gzipSync(body, { level: 9 }),
    '.br': brotliCompressSync(body, { params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    } }),
  };
  for (const [end, bytes] of Object.entries(forms))
    if (bytes.length < body.length) writeFileSync(join(DIST, name + end), bytes);
  return forms['.gz'].length;
}

/** What the page names itself; the rest comes when it is needed. */
function firstLoad() {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8');
  return new Set(['index.html', ...[...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((m) => m[1])]);
}

const first = firstLoad();
let sum = 0;
for (const name of files) {
  const gz = SHRINKS.test(name) ? pack(name) : statSync(join(DIST, name)).size;
  if (first.has(name)) sum += gz;
  if (SHRINKS.test(name))
    console.log(`${String(gz).padStart(8)}  ${first.has(name) ? 'first' : 'later'}  ${name}`);
}
const id = createHash('sha256');
for (const name of files) id.update(name).update(readFileSync(join(DIST, name)));
console.log(`${String(sum).padStart(8)}  bytes gzipped for a first visit, at most ${FIRST_LOAD_MAX}`);
console.log(`build ${id.digest('hex').slice(0, 16)}`);
if (sum > FIRST_LOAD_MAX) {
  console.error('pack: that is too much');
  process.exit(1);
}
