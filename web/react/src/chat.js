// chat.js - useCitedChat: a chat whose citations stay.
//
//     loading --> ready <--> submitted --> streaming
//                   \____________\____________\____ error
//
// The sources of an answer are read from its own parts, never collected on the
// side, so an answer that failed cannot leave its sources to the next one.
// When a turn has ended, however it did, the stored messages replace the live
// ones: what is shown is then what a reload shows.
import {
  citedMessageOf, conversationToMarkdown, createClient, FootnoteError, linkTo,
  registryOf, toHtml, toMarkdown, toPlainText,
} from '@footnote/client';
import {
  useCallback, useEffect, useMemo, useRef, useState,
} from 'react';

import { loadedInto, merged, withoutShells } from './history.js';
import { useSdkChat } from './sdk.js';
import { createTransport } from './transport.js';

const THROTTLE_MS = 50;

let shared;
const sharedClient = () => (shared ??= createClient());

/** The newest value for callbacks that live longer than a render. */
function useLatest(value) {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}

const given = (object) => Object.fromEntries(Object.entries(object)
  .filter(([, value]) => value !== null && value !== undefined));

const isRunning = ({ status }) =>
  status === 'submitted' || status === 'streaming';
const isGone = (error) =>
  error?.code === 'unreachable' || error?.code === 'cut';

// ---- Messages --------------------------------------------------------------

/** Cited messages by the SDK's own, so that what stands keeps its identity. */
const cited = new WeakMap();

function citedOf(message, streaming) {
  const had = cited.get(message);
  if (had?.isStreaming === streaming) return had;
  const made = citedMessageOf(message, { streaming });
  cited.set(message, made);
  return made;
}

function useCitedMessages(messages, running) {
  return useMemo(() => {
    const shown = withoutShells(messages, running);
    return shown.map((message, i) => citedOf(message, running &&
      message.role === 'assistant' && i === shown.length - 1));
  }, [messages, running]);
}

const registries = new WeakMap();

function registryFor(sources) {
  if (!registries.has(sources)) registries.set(sources, registryOf(sources));
  return registries.get(sources);
}

const NONE = Object.freeze([]);

// ---- Loading and resuming --------------------------------------------------

/** The stored messages and the running turn of a session, once for each. */
function useHistory(sessionId, latest, load) {
  const [state, setState] = useState({ of: null, error: null });

  const reload = useCallback(async (signal) => {
    const { client, sdk } = latest.current;
    const stored = await client.listUIMessages(sessionId, {}, { signal })
      .catch((error) => {
        if (error.code === 'session_not_found') return { messages: [] };
        throw error;
      });
    signal?.throwIfAborted();
    sdk.setMessages((local) => loadedInto(local, stored.messages));
  }, [sessionId, latest]);

  const resume = useCallback(async (signal) => {
    const { client, sdk, transport } = latest.current;
    if (isRunning(sdk)) return;
    const response = await client.resumeChat(sessionId, { signal });
    signal?.throwIfAborted();
    if (!response) return;
    transport.offer(sessionId, response);
    transport.turn++;
    await sdk.resumeStream();
  }, [sessionId, latest]);

  const again = useCallback(async (signal) => {
    try {
      await reload(signal);
      if (!signal?.aborted) setState({ of: sessionId, error: null });
      await resume(signal);
    } catch (error) {
      if (!signal?.aborted) setState({ of: sessionId, error });
    }
  }, [sessionId, reload, resume]);

  useEffect(() => {
    if (!load) {
      setState({ of: sessionId, error: null });
      return undefined;
    }
    const controller = new AbortController();
    void again(controller.signal);
    return () => controller.abort();
  }, [sessionId, load, again]);

  const loading = state.of !== sessionId;
  return { loading, error: loading ? null : state.error, again, resume,
    clear: () => setState({ of: sessionId, error: null }) };
}

/** When the line is back, or the page is looked at again. */
function useComeback(lost, again) {
  useEffect(() => {
    if (!lost) return undefined;
    const come = () => {
      if (document.visibilityState !== 'hidden') void again();
    };
    window.addEventListener('online', come);
    document.addEventListener('visibilitychange', come);
    return () => {
      window.removeEventListener('online', come);
      document.removeEventListener('visibilitychange', come);
    };
  }, [lost, again]);
}

// ---- What a person does ----------------------------------------------------

/** The chat, when it can begin a turn: what runs is not disturbed. */
function idle({ current: { sdk, transport } }) {
  if (isRunning(sdk))
    throw new FootnoteError({ status: 409, code: 'turn_running',
      message: 'An answer is being written' });
  transport.turn++;
  return sdk;
}

function actionsOf(sessionId, latest, resume) {
  const now = () => ({ createdAt: new Date().toISOString() });

  return {
    sendMessage: async (text, more) => idle(latest).sendMessage(
      { text, metadata: now() }, { body: more }),
    edit: async (messageId, text) => idle(latest).sendMessage(
      { text, messageId, metadata: now() }),
    // A question without an answer may not have reached the server: it is
    // sent again as it is, which is a repeat if it did.
    regenerate: async (messageId) => {
      const sdk = idle(latest);
      const message = messageId === undefined ? sdk.messages.at(-1)
        : sdk.messages.find(({ id }) => id === messageId);
      return message?.role === 'user'
        ? sdk.sendMessage({ parts: message.parts, messageId: message.id,
          metadata: message.metadata })
        : sdk.regenerate({ messageId });
    },
    resume: () => resume(),
    // The server ends the turn and says so in the stream; without a server
    // there is only our end of it.
    stop: async () => {
      const { client, sdk } = latest.current;
      await client.stopChat(sessionId).catch(() => sdk.stop());
    },
    // A new answer that goes on where this one was cut.  For the SDK it is a
    // stream that runs already: it must not grow into the old message.
    continueAnswer: async (messageId) => {
      const { client, transport, scope } = latest.current;
      const sdk = idle(latest);
      const at = messageId === undefined ? sdk.messages.length - 1
        : sdk.messages.findIndex(({ id }) => id === messageId);
      const answer = sdk.messages[at];
      const question = sdk.messages.slice(0, at).findLast(
        ({ role }) => role === 'user');
      if (answer?.role !== 'assistant' || !question) return;
      const response = await client.postChat({ ...scope, id: sessionId,
        message: [question, answer] });
      transport.offer(sessionId, response);
      await sdk.resumeStream();
    },
  };
}

function useOpenCitation(sessionId, messages) {
  const [open, setOpen] = useState(null);
  const here = open?.sessionId === sessionId ? open : null;
  const source = here && messages.find(({ id }) => id === here.messageId)
    ?.sources?.find(({ chunkNumber }) => chunkNumber === here.n);
  const citation = useMemo(() => (source
    ? { messageId: here.messageId, n: here.n, source } : null),
  [source, here]);
  return {
    citation,
    openCitation: useCallback((messageId, n) =>
      setOpen({ sessionId, messageId, n }), [sessionId]),
    closeCitation: useCallback(() => setOpen(null), []),
  };
}

const EXPORTS = { markdown: toMarkdown, text: toPlainText, html: toHtml };

function exportOf(messages, format, messageId, options) {
  const write = EXPORTS[format];
  if (messageId !== undefined)
    return write(messages.find(({ id }) => id === messageId), options);
  return format === 'markdown' ? conversationToMarkdown(messages, options)
    : messages.map((message) => write(message, options)).join('\n');
}

// ---- The hook --------------------------------------------------------------

function usePlainChat(options) {
  const { sessionId, courseId, documentId, model, throttle = THROTTLE_MS } =
    options;
  const client = options.client ?? sharedClient();
  const latest = useRef(null);
  const [transport] = useState(() => createTransport(() => latest.current));
  const callbacks = useLatest(options);

  const settle = useCallback(async ({ message, isError }) => {
    const { client: api, sdk, id } = latest.current;
    const { turn } = transport;
    const stored = await api.listUIMessages(id, { limit: 2 }).catch(() => null);
    if (stored && latest.current.id === id && transport.turn === turn)
      sdk.setMessages((local) => merged(local, stored.messages));
    if (!isError)
      callbacks.current.onFinish?.(citedMessageOf(stored?.messages.find(
        ({ id: own }) => own === message.id) ?? message));
  }, [callbacks, transport]);
  const fail = useCallback((error) => callbacks.current.onError?.(error),
    [callbacks]);

  const sdk = useSdkChat({ id: sessionId, transport, throttle,
    onFinish: settle, onError: fail });
  latest.current = { id: sessionId, client, sdk, transport, throttle,
    scope: given({ courseId, documentId, model }) };
  return { sdk, client, latest };
}

export function useCitedChat(options) {
  const { sessionId, load = true } = options;
  const { sdk, client, latest } = usePlainChat(options);
  const history = useHistory(sessionId, latest, load);
  const running = isRunning(sdk);
  const messages = useCitedMessages(sdk.messages, running);
  const error = sdk.error ?? history.error;
  const { again, resume } = history;
  const actions = useMemo(() => actionsOf(sessionId, latest, resume),
    [sessionId, latest, resume]);
  useComeback(isGone(error) && !running, again);

  const citations = useMemo(() => Object.fromEntries(messages
    .filter(({ sources }) => sources).map(({ id, sources }) => [id, sources])),
  [messages]);

  return {
    messages, citations, error: error ?? null, ...actions,
    ...useOpenCitation(sessionId, messages),
    uiMessages: sdk.messages,
    isStreaming: running,
    status: running ? sdk.status : history.loading ? 'loading'
      : error ? 'error' : 'ready',
    reload: () => again(),
    clearError: () => {
      sdk.clearError();
      history.clear();
    },
    citationsOf: (messageId) => registryFor(citations[messageId] ?? NONE),
    linkTo: (messageId, n) => linkTo({ sessionId, messageId, n }),
    exportAs: (format, messageId) => exportOf(sdk.messages, format, messageId,
      client.baseUrl ? { baseUrl: client.baseUrl } : {}),
  };
}
