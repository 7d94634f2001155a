// chat.js - useCitedChat: a chat whose citations stay.
//
//     loading --> ready <--> submitted --> streaming
//                   \____________\____________\____ error
//
// The sources of an answer are read from its own parts, so an answer that failed
// cannot leave its sources to the next one.  When a turn has ended, successfully
// or not, the stored messages replace the live ones: the page then shows what a
// reload would show.
import {
  citedMessageOf, conversationToMarkdown, createClient, FootnoteError, linkTo,
  registryOf, toHtml, toMarkdown, toPlainText,
} from '@footnote/client';
import {
  useCallback, useEffect, useMemo, useRef, useState,
} from 'react';

import { mergeHistory, mergeStored, withoutEmptyAnswers } from './history.js';
import { useSdkChat } from './sdk.js';
import { createTransport } from './transport.js';

const THROTTLE_MS = 50;

let defaultClient;
const getDefaultClient = () => (defaultClient ??= createClient());

/** The newest value for callbacks that live longer than a render. */
function useLatest(value) {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}

const withoutNullish = (object) => Object.fromEntries(Object.entries(object)
  .filter(([, value]) => value !== null && value !== undefined));

const isRunning = ({ status }) =>
  status === 'submitted' || status === 'streaming';
const isConnectionLoss = (error) =>
  error?.code === 'unreachable' || error?.code === 'cut';

// ---- Messages --------------------------------------------------------------

/** By message of the SDK: a message that did not change stays the same object. */
const citedMessages = new WeakMap();

function citedMessageFor(message, streaming) {
  const had = citedMessages.get(message);
  if (had?.isStreaming === streaming) return had;
  const made = citedMessageOf(message, { streaming });
  citedMessages.set(message, made);
  return made;
}

function useCitedMessages(messages, running) {
  return useMemo(() => {
    const shown = withoutEmptyAnswers(messages, running);
    return shown.map((message, i) => citedMessageFor(message, running &&
      message.role === 'assistant' && i === shown.length - 1));
  }, [messages, running]);
}

const registries = new WeakMap();

function registryFor(sources) {
  if (!registries.has(sources)) registries.set(sources, registryOf(sources));
  return registries.get(sources);
}

const NO_SOURCES = Object.freeze([]);

// ---- Loading and resuming --------------------------------------------------

const has = (messages, id) => messages.some((message) => message.id === id);

/** The stored messages: of the path that is shown, or if it does not have the
 *  message `at`, of the one that has. */
async function loadPath(client, sessionId, at, options) {
  const orNothing = (code) => (error) => {
    if (error.code === code) return { messages: [] };
    throw error;
  };
  const shown = await client.listUIMessages(sessionId, {}, options)
    .catch(orNothing('session_not_found'));
  if (!at || has(shown.messages, at))
    return { messages: shown.messages, isShown: true };
  const { messages } = await client.listUIMessages(sessionId, { at }, options)
    .catch(orNothing('message_not_found'));
  // A running answer is left out of both.
  const isShown = !messages.length ||
    messages.at(-1).id === shown.messages.at(-1)?.id;
  return { messages: isShown ? shown.messages : messages, isShown };
}

/** Loads the stored messages of a session, and resumes its running turn. */
function useHistory(sessionId, latest, load, at) {
  const [state, setState] = useState({ of: null, error: null });
  // A message is looked for once: later it may leave the path that is seen.
  const seen = useRef(null);
  if (!at || has(latest.current.sdk.messages, at)) seen.current = at;
  const missing = Boolean(at) && seen.current !== at;

  /** Returns whether the path that is shown was loaded. */
  const reload = useCallback(async (signal) => {
    const { client, sdk, view } = latest.current;
    const path = await loadPath(client, sessionId, view.at, { signal });
    signal?.throwIfAborted();
    if (path.isShown) view.at = null;
    sdk.setMessages((local) => mergeHistory(local, path.messages));
    return path.isShown;
  }, [sessionId, latest]);

  const resume = useCallback(async (signal) => {
    const { client, sdk, transport } = latest.current;
    if (isRunning(sdk)) return;
    const response = await client.resumeChat(sessionId, { signal });
    signal?.throwIfAborted();
    if (!response) return;
    transport.offerStream(sessionId, response);
    transport.turn++;
    await sdk.resumeStream();
  }, [sessionId, latest]);

  const reloadAndResume = useCallback(async (signal) => {
    const lookedFor = latest.current.view.at;
    const end = (error) => {
      if (signal?.aborted || latest.current.id !== sessionId) return;
      if (lookedFor) seen.current = lookedFor;
      setState({ of: sessionId, error });
    };
    try {
      const isShown = await reload(signal);
      end(null);
      if (isShown) await resume(signal);
    } catch (error) {
      end(error);
    }
  }, [sessionId, latest, reload, resume]);

  useEffect(() => {
    const { view } = latest.current;
    view.at = latest.current.at;
    if (!load) {
      setState({ of: sessionId, error: null });
      return undefined;
    }
    const controller = new AbortController();
    void reloadAndResume(controller.signal);
    return () => controller.abort();
  }, [sessionId, latest, load, reloadAndResume]);

  const isLoaded = state.of === sessionId;
  useEffect(() => {
    if (!isLoaded || !missing) return;
    latest.current.view.at = at;
    void reloadAndResume();
  }, [isLoaded, missing, at, latest, reloadAndResume]);

  const loading = !isLoaded || missing;
  return { loading, error: loading ? null : state.error, reloadAndResume, resume,
    clear: () => setState({ of: sessionId, error: null }) };
}

/** Tries again when the network is back or the page becomes visible. */
function useRetryWhenBack(lost, again) {
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

// ---- Actions ---------------------------------------------------------------

/** The chat for a new turn; throws while a turn runs.  What is new is shown. */
function beginTurn({ current: { sdk, transport, view } }) {
  if (isRunning(sdk))
    throw new FootnoteError({ status: 409, code: 'turn_running',
      message: 'An answer is being written' });
  transport.turn++;
  view.at = null;
  return sdk;
}

/** What a question is limited to goes with it, and is shown with it at once. */
const withScope = (scope, courseId) => (scope
  ? { ...(courseId && { courseId }), scope } : {});
const scopeOf = (sdk, id) =>
  sdk.messages.find((message) => message.id === id)?.metadata?.scope;

/** What the next question follows, if the server knows it: another page may have
 *  stepped to another branch since. */
function parentOf(sdk) {
  const last = sdk.messages.at(-1);
  return last?.metadata?.status === undefined ? {} : { parentId: last.id };
}

function createActions(sessionId, latest, { resume, reloadAndResume }) {
  const now = () => ({ createdAt: new Date().toISOString() });

  return {
    sendMessage: async (text, more) => {
      const sdk = beginTurn(latest);
      return sdk.sendMessage(
        { text, metadata: { ...now(), ...withScope(more?.scope) } },
        { body: { ...more, ...parentOf(sdk) } });
    },
    // The new version is limited as the old one was, unless it is told else.
    edit: async (messageId, text, more) => {
      const sdk = beginTurn(latest);
      const scope = more ? more.scope : scopeOf(sdk, messageId);
      return sdk.sendMessage(
        { text, messageId, metadata: { ...now(), ...withScope(scope) } },
        { body: withScope(scope, scope?.courseId) });
    },
    // A question without an answer may not have reached the server, so it is
    // sent again with its id.  If it did, the server sees a repetition.
    regenerate: async (messageId) => {
      const sdk = beginTurn(latest);
      const message = messageId === undefined ? sdk.messages.at(-1)
        : sdk.messages.find(({ id }) => id === messageId);
      return message?.role === 'user'
        ? sdk.sendMessage({ parts: message.parts, messageId: message.id,
          metadata: message.metadata }, { body: withScope(
          message.metadata?.scope, message.metadata?.scope?.courseId) })
        : sdk.regenerate({ messageId });
    },
    showVersion: async (id) => {
      const { client } = latest.current;
      beginTurn(latest);
      await client.updateSession(sessionId, { shown: id });
      await reloadAndResume();
    },
    resume: () => resume(),
    // The server ends the answer that we see, not the next one, and the stream
    // says so.  When the server cannot be reached, only our end of the stream is
    // closed.
    stop: async () => {
      const { client, sdk } = latest.current;
      const last = sdk.messages.at(-1);
      await client.stopChat(sessionId,
        last?.role === 'assistant' ? { messageId: last.id } : {})
        .catch(() => sdk.stop());
    },
    // A new answer goes on where this one was cut.  The SDK gets it as a stream
    // to resume, because it must not append it to the old message.
    continueAnswer: async (messageId) => {
      const { client, transport, scope } = latest.current;
      const sdk = beginTurn(latest);
      const at = messageId === undefined ? sdk.messages.length - 1
        : sdk.messages.findIndex(({ id }) => id === messageId);
      const answer = sdk.messages[at];
      const question = sdk.messages.slice(0, at).findLast(
        ({ role }) => role === 'user');
      if (answer?.role !== 'assistant' || !question) return;
      const response = await client.postChat({ ...scope, id: sessionId,
        message: [question, answer] });
      transport.offerStream(sessionId, response);
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

function exportMessages(messages, format, messageId, options) {
  const write = EXPORTS[format];
  if (messageId !== undefined)
    return write(messages.find(({ id }) => id === messageId), options);
  return format === 'markdown' ? conversationToMarkdown(messages, options)
    : messages.map((message) => write(message, options)).join('\n');
}

// ---- The hook --------------------------------------------------------------

function useChatOverTransport(options) {
  const { sessionId, courseId, documentId, model, throttle = THROTTLE_MS } =
    options;
  const client = options.client ?? getDefaultClient();
  const latest = useRef(null);
  const [view] = useState(() => ({ at: null }));
  const [transport] = useState(() => createTransport(() => latest.current));
  const callbacks = useLatest(options);

  const showStored = useCallback(async ({ message, isError }) => {
    const { client: api, sdk, id } = latest.current;
    const { turn } = transport;
    const stored = await api.listUIMessages(id, { limit: 2 }).catch(() => null);
    if (stored && latest.current.id === id && transport.turn === turn)
      sdk.setMessages((local) => mergeStored(local, stored.messages));
    if (!isError)
      callbacks.current.onFinish?.(citedMessageOf(stored?.messages.find(
        ({ id: own }) => own === message.id) ?? message));
  }, [callbacks, transport]);
  const reportError = useCallback((error) => callbacks.current.onError?.(error),
    [callbacks]);

  const sdk = useSdkChat({ id: sessionId, transport, throttle,
    onFinish: showStored, onError: reportError });
  latest.current = { id: sessionId, client, sdk, transport, throttle, view,
    at: options.at ?? null,
    scope: withoutNullish({ courseId, documentId, model }) };
  return { sdk, client, latest };
}

export function useCitedChat(options) {
  const { sessionId, load = true, at } = options;
  const { sdk, client, latest } = useChatOverTransport(options);
  const history = useHistory(sessionId, latest, load, at);
  const running = isRunning(sdk);
  const messages = useCitedMessages(sdk.messages, running);
  const error = sdk.error ?? history.error;
  const { reloadAndResume, resume } = history;
  const actions = useMemo(
    () => createActions(sessionId, latest, { resume, reloadAndResume }),
    [sessionId, latest, resume, reloadAndResume]);
  useRetryWhenBack(isConnectionLoss(error) && !running, reloadAndResume);

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
    reload: () => reloadAndResume(),
    clearError: () => {
      sdk.clearError();
      history.clear();
    },
    citationsOf: (messageId) => registryFor(citations[messageId] ?? NO_SOURCES),
    linkTo: (messageId, n) => linkTo({ sessionId, messageId, n }),
    exportAs: (format, messageId) => exportMessages(sdk.messages, format, messageId,
      client.baseUrl ? { baseUrl: client.baseUrl } : {}),
  };
}
