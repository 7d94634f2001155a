// recording_case.mjs - a lecture with its recording: it plays from the second
// that was cited, and the words go along.
import { equal, ok, scene } from './case.mjs';
import { answered, ask, chip, panel } from './steps.mjs';

const RATE = 3000; // samples a second, one byte each: as small as players take
const SECONDS = 300;
const TOPICS = ['harbour', 'lantern', 'glacier', 'orchard', 'compass'];

/** A recording without a sound. */
function wav() {
  const data = Buffer.alloc(RATE * SECONDS, 0x80);
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // one channel
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34); // bits
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const clock = (s) => `00:${String(Math.floor(s / 60)).padStart(2, '0')}:${String(s % 60).padStart(2, '0')}.000`;

/** A line every ten seconds, another subject every minute. */
const transcript = () => `WEBVTT\n\n${Array.from({ length: SECONDS / 10 }, (_, i) => {
  const topic = TOPICS[Math.floor(i / 6)];
  return `${clock(i * 10)} --> ${clock(i * 10 + 10)}\nPart ${i} is about the ${topic}: the old ${topic} was ` +
    `drawn again and again, and nobody who has seen that ${topic} at night forgets how quiet it was there.`;
}).join('\n\n')}\n`;

const files = [
  { name: 'Night walk.vtt', mimeType: 'text/vtt', buffer: Buffer.from(transcript()) },
  { name: 'Night walk.wav', mimeType: 'audio/wav', buffer: wav() },
];

async function bring(page) {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Add files' }).click()]);
  await chooser.setFiles(files);
  // One document: the recording goes with the transcript of its name.
  await page.getByRole('region', { name: 'Adding 1 file' }).getByText(/^Ready/).waitFor();
}

const timeOf = (video) => video.evaluate((el) => el.currentTime);
/** The seconds that a lit line covers. */
const litFrom = (viewer) => viewer.locator('.cue[aria-current=true] time').first().innerText()
  .then((text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));

scene('a recording plays from the cited second, its line lit', { model: true, needs: ['/api/documents/{id}/media'] }, async (w) => {
  w.model.say('glacier', 'The glacier was quiet at night [1].');
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await bring(page);
  await ask(page, 'What is said about the old glacier at night?');
  await answered(page, 3);
  await chip(page, 1).click();
  const { messages } = await w.api('GET', '/api/sessions/demo-entropy/messages');
  const source = messages.at(-1).sources.find((s) => s.chunkNumber === 1);
  const from = source.startSeconds;
  ok(source.sourceType === 'lecture' && from >= 60 && from < 180, `another passage is cited: ${JSON.stringify(source)}`);

  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  const video = viewer.locator('video');
  await page.waitForFunction((el) => el.readyState >= 1, await video.elementHandle());
  await page.waitForFunction(([el, s]) => el.currentTime === s, [await video.elementHandle(), from]);
  equal(await video.evaluate((el) => [Math.round(el.duration), el.paused]), [SECONDS, true], 'length, and whether it waits');
  equal(await litFrom(viewer), from, 'the lit line');
  await w.shot(page);

  await viewer.getByRole('button', { name: /^From / }).click();
  await page.waitForFunction(([el, s]) => !el.paused && el.currentTime > s + 0.3, [await video.elementHandle(), from]);
  ok(await timeOf(video) < from + 60, 'it plays from somewhere else');
  await viewer.getByRole('button', { name: /^4:10/ }).click();
  await page.waitForFunction((el) => el.currentTime >= 250 && el.currentTime < 280, await video.elementHandle());
  await viewer.locator('.cue[aria-current=true]', { hasText: 'compass' }).waitFor();
});
