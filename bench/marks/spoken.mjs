// spoken.mjs - a text as a recording: sound from a speech synthesiser, a
// transcript with the times at which its words were said, and its sentences.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const LINE_WORDS = 9; // as captions are cut: anywhere within a sentence
const HEAD_BYTES = 44;

const time = (s) => new Date(Math.round(s * 1000)).toISOString().slice(11, 23);

/** The sound of a line, without the head of its file. */
function speak(line, file) {
  execFileSync('espeak-ng', ['-v', 'en', '-w', file, '--', line]);
  const bytes = readFileSync(file);
  return { head: bytes.subarray(0, HEAD_BYTES), sound: bytes.subarray(HEAD_BYTES) };
}

/** Writes NAME.wav and NAME.vtt. */
export function record(text, name) {
  const words = text.split(/\s+/).filter(Boolean);
  const sounds = [];
  const cues = [];
  let head, seconds = 0;
  for (let i = 0; i < words.length; i += LINE_WORDS) {
    const line = words.slice(i, i + LINE_WORDS).join(' ');
    const spoken = speak(line, `${name}.wav`);
    ({ head } = spoken);
    const end = seconds + spoken.sound.length / head.readUInt32LE(28);
    cues.push(`${time(seconds)} --> ${time(end)}\n${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}\n`);
    seconds = end;
    sounds.push(spoken.sound);
  }
  const sound = Buffer.concat(sounds);
  head.writeUInt32LE(HEAD_BYTES - 8 + sound.length, 4);
  head.writeUInt32LE(sound.length, 40);
  writeFileSync(`${name}.wav`, Buffer.concat([head, sound]));
  writeFileSync(`${name}.vtt`, `WEBVTT\n\n${cues.join('\n')}`);
}

/** {text, words}: each word with its line, its place there and the line's second. */
export function spokenSentences(vtt) {
  const sentences = [[]];
  vtt.split('\n\n').slice(1).forEach((cue, line) => {
    const [times, said] = cue.trim().split('\n');
    const [h, m, s] = times.slice(0, 12).split(':').map(Number);
    const text = said.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
    for (const found of text.matchAll(/\S+/g)) {
      sentences.at(-1).push({ text: found[0], line, at: found.index, start: h * 3600 + m * 60 + s });
      if (/[.!?]["')]*$/.test(found[0])) sentences.push([]);
    }
  });
  return sentences.filter((s) => s.length >= 4 && s.length <= 60)
    .map((words) => ({ text: words.map((w) => w.text).join(' '), words: words.filter((w) => /[\p{L}\p{N}]/u.test(w.text)), page: words[0].line }));
}

if (process.argv[1]?.endsWith('spoken.mjs')) record(readFileSync(process.argv[2], 'utf8'), process.argv[3]);
