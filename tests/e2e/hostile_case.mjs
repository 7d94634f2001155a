// hostile_case.mjs - answers, titles, quotes and names that try to be markup:
// nothing runs, nothing is asked of another host, nothing navigates.
import http from 'node:http';
import { once } from 'node:events';
import { EVIL, HOSTILE } from '../../web/client/test/hostile.js';
import { equal, ok, test } from './case.mjs';
import { HOLD } from './model.mjs';
import { answered, answers, ask } from './steps.mjs';

/** A server that records the requests it gets. */
async function recordingServer() {
  const server = http.createServer((req, res) => {
    hits.push(req.url);
    res.end();
  });
  const hits = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { hits, host: `127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function expectNothingRan(w, page, evil, url) {
  await page.waitForLoadState('networkidle');
  equal(evil.hits, [], 'requests to the other host');
  equal(page.url(), url, 'the address');
  equal(await page.evaluate(() => window.ran ?? null), null, 'script that ran');
  w.check();
}

test(`hostile: ${HOSTILE.length} payloads in stored answers, titles and quotes`, {}, async (w) => {
  const evil = await recordingServer();
  const payloads = HOSTILE.map((p) => p.replaceAll(`https://${EVIL}`, `http://${evil.host}`)
    .replaceAll(EVIL, evil.host).replaceAll('alert(1)', 'window.ran=1')
    .replaceAll('\0', '')); // which the server refuses to store
  ok(payloads.length >= 150, `only ${payloads.length} payloads`);
  for (let i = 0; i < payloads.length; i += 40) {
    const id = `hostile-${i}`;
    for (const p of payloads.slice(i, i + 40)) {
      await w.api('POST', `/api/sessions/${id}/messages`, { role: 'user', content: p });
      await w.api('POST', `/api/sessions/${id}/messages`, { role: 'assistant', content: `${p}\n\nSaid so [1].`,
        sources: [{ sourceType: 'web', title: p.slice(0, 500), contentPreview: p, url: `http://${evil.host}/page` }] });
    }
    await w.api('PATCH', `/api/sessions/${id}`, { title: payloads[i].slice(0, 200) });
    const page = await w.open(`/c/${id}`);
    await answered(page, Math.min(40, payloads.length - i));
    await expectNothingRan(w, page, evil, `${w.server.url}/c/${id}`);
    await page.context().close();
  }
  evil.stop();
});

test('hostile: half-finished while it streams', { model: true }, async (w) => {
  const evil = await recordingServer();
  const all = HOSTILE.map((p) => p.replaceAll(EVIL, evil.host).replaceAll('alert(1)', 'window.ran=1'));
  const parts = all.flatMap((p) => [p.slice(0, p.length / 2), p.slice(p.length / 2), '\n\n']);
  w.model.say('hostile', ...parts, HOLD, 'The end [1].');
  const page = await w.open();
  await ask(page, 'hostile?');
  await answers(page).last().waitFor();
  await page.waitForURL(/\/c\//);
  const url = page.url();
  w.model.release();
  await answers(page).last().locator('.prose').getByText('The end').waitFor();
  await answered(page);
  await expectNothingRan(w, page, evil, url);
  evil.stop();
});
