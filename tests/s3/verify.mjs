// verify.mjs - is a request signed as AWS wants it?  Asked of the SDK's own
// signer: the same request, signed by it, must have the same signature.
// (s3rver reads the parts of such a signature, and does not compare it.)
import crypto from 'node:crypto';
import {SignatureV4} from '@smithy/signature-v4';

const CREDENTIALS = {accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER'};
const SKEW_MS = 15 * 60 * 1000;

class Sha256 {
  constructor(secret) {
    this.hash = secret ? crypto.createHmac('sha256', secret)
      : crypto.createHash('sha256');
  }
  update(data) { this.hash.update(data); }
  async digest() { return this.hash.digest(); }
}

const hex = (data) => crypto.createHash('sha256').update(data).digest('hex');

function time(text) {
  const m = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '');
  return m ? new Date(Date.UTC(m[1], m[2] - 1, m[3], m[4], m[5], m[6])) : null;
}

function signer(scope) {
  const [, , region] = scope.split('/');
  return new SignatureV4({service: 's3', region, credentials: CREDENTIALS,
    sha256: Sha256, uriEscapePath: false, applyChecksum: false});
}

function plain(req, url, headers) {
  const query = {};
  for (const [k, v] of url.searchParams) query[k] = v;
  return {method: req.method, protocol: 'http:', hostname: url.hostname,
    port: Number(url.port), path: req.url.split('?')[0], query, headers};
}

// What a link says of itself is taken off, and put back by the signer.
async function link(req, url) {
  const p = url.searchParams;
  const made = time(p.get('X-Amz-Date'));
  const seconds = Number(p.get('X-Amz-Expires'));
  const scope = p.get('X-Amz-Credential') ?? '';
  const signature = p.get('X-Amz-Signature');
  if (!made || p.get('X-Amz-SignedHeaders') !== 'host') return 'AccessDenied';
  for (const k of ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders',
    'Signature', 'Content-Sha256']) p.delete(`X-Amz-${k}`);
  const signed = await signer(scope).presign(
    plain(req, url, {host: req.headers.host,
      'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD'}),
    {expiresIn: seconds, signingDate: made});
  if (signed.query['X-Amz-Signature'] !== signature) return 'SignatureDoesNotMatch';
  return made.getTime() + seconds * 1000 < Date.now() ? 'AccessDenied' : null;
}

async function header(req, url, body) {
  const m = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
    .exec(req.headers.authorization ?? '');
  const made = time(req.headers['x-amz-date']);
  if (!m || !made) return 'AccessDenied';
  if (Math.abs(made.getTime() - Date.now()) > SKEW_MS) return 'RequestTimeTooSkewed';
  if (req.headers['x-amz-content-sha256'] !== hex(body))
    return 'XAmzContentSHA256Mismatch';
  const sum = req.headers['x-amz-checksum-sha256'];
  if (sum && sum !== crypto.createHash('sha256').update(body).digest('base64'))
    return 'BadDigest';
  const headers = {};
  for (const name of m[2].split(';')) headers[name] = req.headers[name];
  const signed = await signer(m[1]).sign(plain(req, url, headers),
    {signingDate: made});
  return signed.headers.authorization === req.headers.authorization ? null
    : 'SignatureDoesNotMatch';
}

// The code of what is wrong, or null.
export async function verify(req, body) {
  const url = new URL(req.url, `http://${req.headers.host}`);
  return url.searchParams.has('X-Amz-Algorithm') ? link(req, url)
    : header(req, url, body);
}
