// turn.js - a turn for pages without the AI SDK: as a growing message, or as
// plain events.
import { pathOf } from './client.js';
import { streamError } from './error.js';
import { fold, newMessage } from './fold.js';
import { reopen, serverEvents } from './stream.js';

async function* growingMessage(chunks) {
  let message = newMessage();
  for await (const chunk of chunks) yield message = fold(message, chunk);
  return message;
}

/** @returns {AsyncGenerator<any, any, any>} */
export async function* ask(client, question, options) {
  const response = await client.postChat(question, options);
  return yield* growingMessage(client.chunksOf(question.id, response, options));
}

/** @returns {AsyncGenerator<any, any, any>} */
export async function* follow(client, sessionId, options) {
  const response = await client.resumeChat(sessionId, options);
  if (!response) return null;
  return yield* growingMessage(client.chunksOf(sessionId, response, options));
}

// ---- Plain events ----------------------------------------------------------

function parseEvent({ event, id, data }) {
  try {
    return { event, id, data: JSON.parse(data) };
  } catch (cause) {
    throw streamError('The answer could not be read', 'not_json', cause);
  }
}

const isLast = ({ event }) => event === 'end' || event === 'error';

/** The events of a running turn.  Each has an id; after a cut the server goes on
 *  after the last one that we have.
 *  @returns {AsyncGenerator<any, void, any>} */
export async function* followEvents(client, sessionId, options = {}) {
  const { signal } = options;
  let { lastEventId } = options;
  const open = async () => {
    const response = await client.fetch(
      `${pathOf('/api/chat/{id}/stream', [sessionId])}?as=events`,
      { signal, headers: lastEventId ? { 'last-event-id': lastEventId } : {} });
    return response.status === 204 ? null : response;
  };
  let response = await open();
  while (response) {
    try {
      for await (const raw of serverEvents(response, signal)) {
        const event = parseEvent(raw);
        lastEventId = event.id ?? lastEventId;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (error.code !== 'cut') throw error;
    }
    response = await reopen(open, { ...client.retry, signal });
  }
}
