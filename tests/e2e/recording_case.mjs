// recording_case.mjs - a recording plays from the cited second, and its
// transcript follows.
import { equal, ok, test } from './case.mjs';
import { uploadRecording, SECONDS } from './recording.mjs';
import { answered, ask, chip, panel } from './steps.mjs';

const timeOf = (video) => video.evaluate((el) => el.currentTime);
/** The start of the current line, in seconds. */
const currentLineStart = (viewer) => viewer.locator('.cue[aria-current=true] time').first().innerText()
  .then((text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));

test('the lecture of the demo can be heard at the cited second', {}, async (w) => {
  const page = await w.open('/c/demo-notebook');
  await answered(page, 2);
  await page.getByRole('article', { name: 'Answer' }).first().getByRole('link', { name: /^Reference 1[:,]/ }).click();
  const viewer = panel(page).getByRole('region', { name: 'Evidence' });
  const sound = viewer.locator('video.sound');
  await sound.waitFor();
  equal(await sound.evaluate((el) => Math.round(el.duration)), 891, 'seconds of it');
  await viewer.getByRole('button', { name: /^From 9:\d\d$/ }).click();
  await page.waitForFunction((el) => !el.paused && el.currentTime > 571 && el.currentTime < 600, await sound.elementHandle());
  ok(await sound.evaluate((el) => el.webkitAudioDecodedByteCount > 0), 'nothing was decoded');
});

test('a recording plays from the cited second, its line lit', { model: true }, async (w) => {
  w.model.say('glacier', 'The glacier was quiet at night [1].');
  const page = await w.open('/c/demo-entropy');
  await answered(page, 2);
  await uploadRecording(page);
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
  equal(await currentLineStart(viewer), from, 'the lit line');
  await w.shot(page);

  await viewer.getByRole('button', { name: /^From / }).click();
  await page.waitForFunction(([el, s]) => !el.paused && el.currentTime > s + 0.3, [await video.elementHandle(), from]);
  ok(await timeOf(video) < from + 60, 'it plays from somewhere else');
  await viewer.getByRole('button', { name: /^4:10/ }).click();
  await page.waitForFunction((el) => el.currentTime >= 250 && el.currentTime < 280, await video.elementHandle());
  await viewer.locator('.cue[aria-current=true]', { hasText: 'compass' }).waitFor();
});
