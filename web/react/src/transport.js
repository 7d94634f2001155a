// transport.js - how the AI SDK's chat reaches our server.
//
// The SDK's own transport takes a body that ends too early for a success and
// an error page for an empty answer.  Ours reads through the client: errors
// keep their codes, and a lost connection is made again without the chat
// seeing anything of it.
import { joined } from './join.js';

/** Chunks as the stream that the SDK wants. */
function streamOf(chunks) {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // It does not run any more, so it is stored: the hook reads it there.
        if (error?.code === 'cut') controller.close();
        else controller.error(error);
      }
    },
    cancel: () => chunks.return(),
  });
}

/** `setting()` gives what holds now: the client, the scope and the throttle. */
export function createTransport(setting) {
  const offered = new Map();

  const chunksOf = (chatId, response, signal) => {
    const { client, throttle } = setting();
    return streamOf(joined(client.chunksOf(chatId, response, { signal }),
      throttle));
  };

  return {
    resumeStreamIsReplay: true,
    /** Counts up with every turn: what was asked for in an older one is old. */
    turn: 0,

    /** A running turn that the chat shall take up with resumeStream(). */
    offer(chatId, response) {
      offered.set(chatId, response);
    },

    async sendMessages({ chatId, messages, trigger, messageId, body,
      abortSignal: signal }) {
      const { client, scope } = setting();
      const response = await client.postChat({ ...scope, ...body, id: chatId,
        message: messages.at(-1), trigger, messageId }, { signal });
      return chunksOf(chatId, response, signal);
    },

    async reconnectToStream({ chatId, abortSignal: signal }) {
      const response = offered.get(chatId) ??
        await setting().client.resumeChat(chatId, { signal });
      offered.delete(chatId);
      return response ? chunksOf(chatId, response, signal) : null;
    },
  };
}
