// blocked.mjs - how long a page could not react while something went on.
//
// Tasks of more than 50 ms hold a page up, by what they are longer.  A task
// takes what it has of the processor's time, by the thread's own clock, so many
// times as the processor is slower.  The browser's throttle would do the same
// on a machine that does nothing else; it also multiplies the time in which
// another program has the core.
const TASK_MS = 50;

const isTask = (e) => e.name === 'RunTask' && Number.isFinite(e.tdur);

/** Milliseconds of the tasks of the thread that shows pages of that origin. */
function tasksOf(events, origin) {
  const { frames } = events.find((e) => e.name === 'TracingStartedInBrowser').args.data;
  const process = frames.find((f) => f.url.startsWith(origin)).processId;
  const thread = events.find((e) => e.name === 'thread_name' && e.pid === process && e.args.name === 'CrRendererMain');
  return events.filter((e) => isTask(e) && e.pid === process && e.tid === thread.tid).map((e) => e.tdur / 1000);
}

/** Blocked milliseconds of `what` on a processor that is so many times slower. */
export async function blockedWhile(page, times, what) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await what();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const tasks = tasksOf(traceEvents, new URL(page.url()).origin);
  if (!tasks.length) throw new Error('the browser has not told how long its tasks took');
  return Math.round(tasks.reduce((ms, task) => ms + Math.max(0, times * task - TASK_MS), 0));
}
