// recording.mjs - a lecture with its recording, small enough for a test.
const RATE = 3000; // samples a second, one byte each: as small as players take
export const SECONDS = 300;
const TOPICS = ['harbour', 'lantern', 'glacier', 'orchard', 'compass'];

/** A silent recording. */
function silentWav() {
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
  { name: 'Night walk.wav', mimeType: 'audio/wav', buffer: silentWav() },
];

/** Adds transcript and recording by the menu; they become one document. */
export async function uploadRecording(page) {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Add files' }).click()]);
  await chooser.setFiles(files);
  await page.getByRole('region', { name: 'Adding 1 file' }).getByText(/^Ready/).waitFor();
}
