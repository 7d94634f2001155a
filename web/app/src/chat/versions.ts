// Earlier versions of answers: retry and edit replace, but nothing is lost.
import { useEffect, useState } from 'react';
import { citedMessageOf, type Api, type CitedMessage } from '@footnote/client';
import { client } from '../data/api.ts';

/** Older ids first, for each answer that replaced some. */
export type Versions = Map<string, string[]>;

function chains(messages: Api.Message[]): Versions {
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
    const gone = new AbortController();
    client.listMessages(sessionId, { versions: 'all', fields: 'light' }, { signal: gone.signal })
      .then((list) => setVersions(chains(list.messages)), () => {});
    return () => gone.abort();
  }, [sessionId, settled, answers]);
  return versions;
}

export async function loadVersion(sessionId: string, id: string): Promise<CitedMessage | null> {
  const list = await client.listMessages(sessionId, { versions: 'all' });
  const found = list.messages.find((m) => m.id === id);
  return found ? citedMessageOf(found) : null;
}
