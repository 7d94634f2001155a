// Which answers replaced which, and the version of each that is shown.
import type { Api, CitedMessage } from '@footnote/client';

/** By the id of the newest answer: ids of the answers it replaced, oldest first. */
export type Versions = Map<string, string[]>;

export function olderVersions(messages: Api.Message[]): Versions {
  const newer = new Map(messages.filter((m) => m.role === 'assistant' && m.replacedBy)
    .map((m) => [m.id, m.replacedBy!]));
  const found: Versions = new Map();
  for (const id of newer.keys()) {
    let newest = id;
    // A cycle cannot be stored, but must not hang the page.
    for (let hops = 0; newer.has(newest) && hops < 1000; hops++) newest = newer.get(newest)!;
    found.set(newest, [...(found.get(newest) ?? []), id]);
  }
  return found;
}

/** A message as shown, and its place among its versions, counted from 1. */
export interface ShownMessage { message: CitedMessage; versions: number; version: number }

/** By the id of the newest answer: an older one that is shown in its place. */
export type ChosenVersions = Record<string, { version: number; message: CitedMessage }>;

export function shownMessages(messages: CitedMessage[], versions: Versions, chosen: ChosenVersions): ShownMessage[] {
  return messages.map((m) => {
    const count = (versions.get(m.id)?.length ?? 0) + 1;
    const older = chosen[m.id];
    return { message: older?.message ?? m, versions: count, version: older?.version ?? count };
  });
}

/** The step from the shown message `id` to an earlier (-1) or later (1) version.
 *  `olderId` is null for the newest version. */
export function versionStep(id: string, by: 1 | -1, versions: Versions, chosen: ChosenVersions) {
  const newest = Object.entries(chosen).find(([, older]) => older.message.id === id)?.[0] ?? id;
  const older = versions.get(newest) ?? [];
  const version = (chosen[newest]?.version ?? older.length + 1) + by;
  return { newest, version, olderId: older[version - 1] ?? null };
}
