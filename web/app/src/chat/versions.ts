// Earlier versions of answers.  Retry and edit replace an answer; the server
// keeps the old ones.
import { useEffect, useState } from 'react';
import { citedMessageOf, type CitedMessage } from '@footnote/client';
import { client } from '../data/api.ts';
import { olderVersions, type Versions } from './older_versions.ts';

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
