// types.ts - compiles only when the code keeps what index.d.ts says.
import type * as said from '../index.d.ts';
import { CALLS } from '../src/calls.js';
import * as code from '../src/index.js';

type Same<A, B> = [Exclude<A, B>, Exclude<B, A>] extends [never, never]
  ? true : never;

/** Every name that is said is there, and nothing more; functions give what
 *  they should. */
const names: Same<keyof typeof said, keyof typeof code> = true;
const functions: Omit<typeof said, 'createClient' | 'FootnoteError'> = code;

/** The calls of the client: those of the table, and those written out. */
type Call = keyof typeof CALLS;
const written = code.createClient();
const calls: Same<keyof said.Client, Call | keyof typeof written> = true;

/** What is promised can be used as promised. */
async function use(api: said.Client, signal: AbortSignal): Promise<string> {
  const { messages } = await api.listUIMessages('s', {}, { signal });
  const sources: said.Source[] = messages.flatMap((m) => code.sourcesOf(m));
  for await (const message of api.ask({ id: 's', message: 'Why?' }, { signal }))
    if (message.parts.length > 3) break;
  return sources.map((source) => source.title ?? '').join();
}

export { calls, functions, names, use };
