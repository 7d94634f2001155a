// transport.js - how the AI SDK's chat reaches our server.
//
// The SDK's own transport takes a body that ends too early for a success and an
// error page for an empty answer.  Ours reads through the client: errors keep
// their codes, and lost connections are resumed without the chat noticing.
import { joinDeltas } from './join_deltas.js';

/** Chunks as the stream that the SDK wants. */
function streamOf(chunks) {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // The turn has ended and is stored: the hook loads it.
        if (error?.code === 'cut') controller.close();
        else controller.error(error);
      }
    },
    cancel: () => chunks.return(),
  });
}

/** `latest()` gives the current client, scope and throttle. */
export function createTransport(latest) {
  const offered = new Map();

  const chunksOf = (chatId, response, signal) => {
    const { client, throttle } = latest();
    return streamOf(joinDeltas(client.chunksOf(chatId, response, { signal }),
      throttle));
  };

  return {
    resumeStreamIsReplay: true,
    /** Grows with every turn, so that responses of older turns are ignored. */
    turn: 0,

    /** Sets the response that the next resumeStream() of the chat reads. */
    offerStream(chatId, response) {
      offered.set(chatId, response);
    },

    async sendMessages({ chatId, messages, trigger, messageId, body,
      abortSignal: signal }) {
      const { client, scope } = latest();
      const response = await client.postChat({ ...scope, ...body, id: chatId,
        message: messages.at(-1), trigger, messageId }, { signal });
      return chunksOf(chatId, response, signal);
    },

    async reconnectToStream({ chatId, abortSignal: signal }) {
      const response = offered.get(chatId) ??
        await latest().client.resumeChat(chatId, { signal });
      offered.delete(chatId);
      return response ? chunksOf(chatId, response, signal) : null;
    },
  };
}
