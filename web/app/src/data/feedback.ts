// What the reader says of answers.  What was just said stands here until the messages
// are loaded again.
import type { Api, CitedMessage } from '@footnote/client';
import { client } from './api.ts';
import { createStore } from './store.ts';

/** The answer of which something is about to be said; a number of it, if one was named. */
export const complaint = createStore<{ messageId: string; number: number | null } | null>(null);

const said = createStore<ReadonlyMap<string, Api.FeedbackList>>(new Map());
export const saidJustNow = said;

export const feedbackOf = (message: CitedMessage, now: ReadonlyMap<string, Api.FeedbackList>): Api.FeedbackList =>
  now.get(message.id) ?? message.feedback ?? [];

function keep(messageId: string, list: Api.FeedbackList) {
  said.set((was) => new Map(was).set(messageId, list));
}

export async function giveFeedback(message: CitedMessage, input: Api.FeedbackInput) {
  keep(message.id, (await client.putFeedback(message.id, input)).feedback);
}

/** All that was said of it that is not praise, or the praise. */
export async function takeBack(message: CitedMessage, praise: boolean) {
  const list = feedbackOf(message, said.get());
  const gone = list.filter((f) => (f.rating === 'good') === praise);
  for (const f of gone) await client.deleteFeedback(message.id, f.number === null ? {} : { number: f.number });
  keep(message.id, list.filter((f) => !gone.includes(f)));
}
