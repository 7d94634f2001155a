// Which version of a message is the next or the one before.
import type { CitedMessage } from '@footnote/client';

/** Its id; null at the end. */
export function versionBeside({ id, versions = [] }: Pick<CitedMessage, 'id' | 'versions'>, by: 1 | -1): string | null {
  const at = versions.indexOf(id);
  return at < 0 ? null : versions[at + by] ?? null;
}
