// server.mjs - a server that speaks S3, and a door before it that misbehaves.
//
// s3rver keeps the objects.  The door lets in what is signed (verify.mjs) and
// passes it on as it is, but for what POST /-/fault?mode=MODE&n=N&method=M asks of the next N requests:
//
//   503 500 400timeout 409     it has no time for that now
//   403html redirect           an answer of its own
//   stall reset                silence; the connection is reset
//   cut short wrong long       an object's body that is not what it should be
//   lose                       a PUT is answered with 200 and kept by nobody
//   half                       a PUT is kept in part
//   html                       200 with a page instead of what was asked for
//   whole other                all of an object when a part was asked for; another part of it
//
// GET /-/count says how many requests came since the last fault was set.
import http from 'node:http';
import os from 'node:os';
import fs from 'node:fs';
import path from 'node:path';
import S3rver from 's3rver';
import {verify} from './verify.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footnote-s3-'));
const inner = new S3rver({
  address: '127.0.0.1', port: 0, silent: true, directory: folder,
  configureBuckets: [{name: 'bucket'}, {name: 'dot.bucket'}],
});
const {port: innerPort} = await inner.run();

let fault = {mode: '', n: 0, method: ''};
let count = 0;

function control(req, res, url) {
  if (url.pathname === '/-/fault') {
    fault = {mode: url.searchParams.get('mode'),
      n: Number(url.searchParams.get('n') ?? 1),
      method: url.searchParams.get('method') ?? ''};
    count = 0;
  }
  res.end(JSON.stringify({count}));
}

const own = {
  503: (res) => res.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
  500: (res) => res.writeHead(500).end(),
  '400timeout': (res) => res.writeHead(400)
    .end('<Error><Code>RequestTimeout</Code></Error>'),
  409: (res) => res.writeHead(409).end('<Error><Code>OperationAborted</Code></Error>'),
  '403html': (res) => res.writeHead(403, {'content-type': 'text/html'})
    .end('<html>no entry</html>'),
  redirect: (res) => res.writeHead(307, {location: 'http://127.0.0.1:9/x'})
    .end('<Error><Code>TemporaryRedirect</Code><Region>eu-west-1</Region></Error>'),
  html: (res) => res.writeHead(200, {'content-type': 'text/html'})
    .end('<html>welcome</html>'),
  stall: () => {},
  reset: (res) => res.socket.resetAndDestroy(),
};

function spoil(mode, from, res) {
  const parts = [];
  from.on('data', (d) => parts.push(d));
  from.on('end', () => {
    const body = Buffer.concat(parts);
    const headers = {...from.headers};
    delete headers['transfer-encoding'];
    if (mode === 'wrong' && body.length) body[body.length >> 1] ^= 1;
    if (mode === 'cut') { // it says how much, and stops before
      res.writeHead(from.statusCode, {...headers, 'content-length': body.length});
      res.write(body.subarray(0, body.length >> 1), () => res.socket.destroy());
      return;
    }
    const sent = mode === 'short' ? body.subarray(0, body.length >> 1)
      : mode === 'long' ? Buffer.concat([body, body]) : body;
    res.writeHead(from.statusCode, {...headers, 'content-length': sent.length});
    res.end(sent);
  });
}

// The server behind the door does not check signatures.
const headersFor = (req, mode) =>
  mode === 'whole' ? {...req.headers, range: ''}
    : mode === 'other' ? {...req.headers, range: 'bytes=0-499'} : req.headers;

function pass(req, res, body, mode) {
  const to = http.request({host: '127.0.0.1', port: innerPort, method: req.method,
    path: req.url, headers: headersFor(req, mode)}, (from) => {
    if (['cut', 'short', 'wrong', 'long'].includes(mode)) {
      spoil(mode, from, res);
      return;
    }
    res.writeHead(from.statusCode, from.headers);
    from.pipe(res);
  });
  to.on('error', () => res.socket?.destroy());
  res.on('close', () => to.destroy());
  to.end(body);
}

// Kept under its key, but half of it: by hand, because no honest client would.
function half(req, res, body) {
  const key = decodeURIComponent(req.url.split('?')[0]);
  const base = path.join(folder, key);
  fs.mkdirSync(path.dirname(base), {recursive: true});
  fs.writeFileSync(`${base}._S3rver_object`, body.subarray(0, body.length >> 1));
  fs.writeFileSync(`${base}._S3rver_object.md5`, '0'.repeat(32));
  fs.writeFileSync(`${base}._S3rver_metadata.json`, '{}');
  res.writeHead(200).end();
}

function nextMode(req) {
  if (fault.n <= 0 || (fault.method && fault.method !== req.method)) return '';
  fault.n--;
  return fault.mode;
}

async function serve(req, res, body) {
  count++;
  const wrong = await verify(req, body);
  if (wrong) {
    res.writeHead(403, {'content-type': 'application/xml'})
      .end(`<Error><Code>${wrong}</Code></Error>`);
    return;
  }
  const mode = nextMode(req);
  if (own[mode]) own[mode](res);
  else if (mode === 'lose') res.writeHead(200).end();
  else if (mode === 'half') half(req, res, body);
  else pass(req, res, body, mode);
}

const door = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://door');
  if (url.pathname.startsWith('/-/')) {
    control(req, res, url);
    return;
  }
  const parts = [];
  req.on('data', (d) => parts.push(d));
  req.on('end', () => serve(req, res, Buffer.concat(parts)));
});
door.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${door.address().port}`));
process.on('SIGTERM', () => {
  fs.rmSync(folder, {recursive: true, force: true});
  process.exit(0);
});
