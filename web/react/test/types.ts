// types.ts - compiles only when the code keeps what index.d.ts says.
import type * as said from '../index.d.ts';
import * as code from '../src/index.js';

type Same<A, B> = [Exclude<A, B>, Exclude<B, A>] extends [never, never]
  ? true : never;

const names: Same<keyof typeof said, keyof typeof code> = true;
type Chat = ReturnType<typeof code.useCitedChat>;
const chat: Same<keyof said.CitedChat, keyof Chat> = true;

export { chat, names };
