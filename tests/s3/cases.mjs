// cases.mjs - links as the AWS SDK for JavaScript makes them, one JSON object a
// line: the inputs and the URL.  The same cases every time.
import {S3Client, GetObjectCommand} from '@aws-sdk/client-s3';
import {getSignedUrl} from '@aws-sdk/s3-request-presigner';

const CASES = 400;

let seed = 20260226;
function random(n) { // mulberry32
  seed = (seed + 0x6D2B79F5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
}
const pick = (list) => list[random(list.length)];

const pieces = ['a', 'Z', '9', '-', '.', '_', '~', ' ', '  ', '+', '/', '//',
  '%', '%20', '&', '=', '?', '#', '!', "'", '(', ')', '*', ':', ';', '@', ',',
  '$', '[', ']', '{', '}', '|', '^', '`', '"', '<', '>', '\\', '\t', 'ü', 'ß',
  '日本', 'е́', '😀', 'page-42.png', 'snapshots/', 'slide 1', '../', './'];
const regions = ['us-east-1', 'us-west-2', 'eu-central-1', 'ap-southeast-3',
  'us-gov-west-1', 'cn-north-1'];
const endpoints = [undefined, undefined, 'http://127.0.0.1:9000',
  'http://localhost:9000', 'https://s3.example.org', 'https://s3.example.org:443',
  'https://s3.example.org:8443', 'http://minio.lan:80', 'http://minio.lan/base',
  'https://gateway.example.org/a/b', 'http://[::1]:9000', 'http://10.0.0.7'];
const buckets = ['my-bucket', 'dot.bucket', 'Upper_Bucket', 'abc', 'b-1-2.c',
  'x'.repeat(63), '0bucket'];
const types = [undefined, undefined, 'image/png', 'image/jpeg',
  'text/plain; charset=utf-8'];

function text(n) {
  let out = '';
  for (let i = 0; i < n; i++) out += pick(pieces);
  return out;
}

for (let made = 0; made < CASES;) {
  const c = {
    bucket: pick(buckets),
    key: text(1 + random(12)),
    region: pick(regions),
    endpoint: pick(endpoints),
    style: pick(['path', 'virtual']),
    id: `AKIA${random(1e9)}`,
    secret: `${random(1e9)}/+${random(1e9)}`,
    token: random(3) ? undefined : `F/woGZ+${'t=='.repeat(1 + random(80))}`,
    seconds: pick([1, 60, 299, 300]),
    time: 1700000000000 + random(2 ** 31) * 100,
    type: pick(types),
  };
  const client = new S3Client({
    region: c.region, endpoint: c.endpoint, forcePathStyle: c.style === 'path',
    credentials: {accessKeyId: c.id, secretAccessKey: c.secret,
      sessionToken: c.token},
  });
  const command = new GetObjectCommand({Bucket: c.bucket, Key: c.key,
    ResponseContentType: c.type});
  try {
    c.url = await getSignedUrl(client, command,
      {expiresIn: c.seconds, signingDate: new Date(c.time)});
  } catch (e) {
    if (e.code !== 'ERR_INVALID_URL') throw e;
    continue; // it would put a name with dots before an address
  }
  made++;
  console.log(JSON.stringify(c));
}
