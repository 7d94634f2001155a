// blocked.mjs - how long a page could not react (total blocking time).
//
// The time that a task takes beyond 50 ms counts as blocked.  A slower processor
// is simulated by multiplying the task's CPU time, which the trace has.  The
// browser's own throttle would also multiply the time in which another program
// has the core.
const TASK_MS = 50;

const isTask = (e) => e.name === 'RunTask' && Number.isFinite(e.tdur);

/** CPU milliseconds of each task of the page's main thread. */
function tasksOf(events, origin) {
  const { frames } = events.find((e) => e.name === 'TracingStartedInBrowser').args.data;
  const process = frames.find((f) => f.url.startsWith(origin)).processId;
  const thread = events.find((e) => e.name === 'thread_name' && e.pid === process && e.args.name === 'CrRendererMain');
  return events.filter((e) => isTask(e) && e.pid === process && e.tid === thread.tid).map((e) => e.tdur / 1000);
}

/** Blocked milliseconds during `action` on a processor `slowdown` times slower. */
export async function blockedWhile(page, slowdown, action) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await action();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  const tasks = tasksOf(traceEvents, new URL(page.url()).origin);
  if (!tasks.length) throw new Error('the trace has no tasks');
  return Math.round(tasks.reduce((ms, task) => ms + Math.max(0, slowdown * task - TASK_MS), 0));
}
