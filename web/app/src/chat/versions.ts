// Earlier versions of answers.  Retry and edit replace an answer; the server
// keeps the old ones.
import { useEffect, useState } from 'react';
import { citedMessageOf, type Api, type CitedMessage } from '@footnote/client';
import { client } from '../data/api.ts';

/** By the id of the newest answer: ids of the answers it replaced, oldest first. */
export type Versions = Map<string, string[]>;

function olderVersions(messages: Api.Message[]): Versions {
  const newer = new Map(messages.filter((m) => m.role === 'assistant' && m.replacedBy)
    .map((m) => [m.id, m.replacedBy!]));
  const found: Versions = new Map();
  for (const { id } of messages.filter((m) => newer.has(m.id))) {
    let at = id;
    for (let hops = 0; newer.has(at) && hops < 1000; hops++) at = newer.get(at)!;
    found.set(at, [...(found.get(at) ?? []), id]);
  }
  return found;
}

export function useVersions(sessionId: string, settled: boolean, answers: number) {
  const [versions, setVersions] = useState<Versions>(new Map());
  useEffect(() => {
    if (!settled || !answers) return;
    const controller = new AbortController();
    client.listMessages(sessionId, { versions: 'all', fields: 'light' }, { signal: controller.signal })
      .then((list) => setVersions(olderVersions(list.messages)), () => {});
    return () => controller.abort();
  }, [sessionId, settled, answers]);
  return versions;
}

export async function loadVersion(sessionId: string, id: string): Promise<CitedMessage | null> {
  const list = await client.listMessages(sessionId, { versions: 'all' });
  const found = list.messages.find((m) => m.id === id);
  return found ? citedMessageOf(found) : null;
}
