// Conversations grouped by the day of their last change.
import type { Api } from '@footnote/client';

const DAY_MS = 86_400_000;
export type DayGroup = 'today' | 'yesterday' | 'thisWeek' | 'earlier';

/** The groups that are not empty, in the order of the list. */
export function byDay(list: Api.Session[], now: Date): Array<[DayGroup, Api.Session[]]> {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groups = new Map<DayGroup, Api.Session[]>();
  for (const s of list) {
    const at = new Date(s.updatedAt).getTime();
    const group = at >= midnight ? 'today' : at >= midnight - DAY_MS ? 'yesterday'
      : at >= midnight - 7 * DAY_MS ? 'thisWeek' : 'earlier';
    groups.set(group, [...(groups.get(group) ?? []), s]);
  }
  return [...groups];
}
