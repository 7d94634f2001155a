// history.js - what the chat holds and what the server keeps, put together.

/** Nothing to see: an answer that failed before its first part. */
const isEmpty = (message) => message.role === 'assistant' &&
  message.parts.every((part) => part.type === 'step-start');

/** Without the shells that failed turns leave behind; the one that is being
 *  filled stays. */
export const withoutShells = (messages, running) => messages.filter(
  (message, i) => !isEmpty(message) || (running && i === messages.length - 1));

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Local messages, each as it is stored; behind the last one that both have
 *  come those that only the server has. */
export function merged(local, stored) {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const have = new Set(local.map((message) => message.id));
  const common = stored.findLastIndex((message) => have.has(message.id));
  const same = local.map((message) => {
    const kept = byId.get(message.id);
    return kept && !equal(kept, message) ? kept : message;
  });
  return [...same, ...stored.slice(common + 1)];
}

/** The stored messages, and behind them what the server has not ended or not
 *  seen yet: only what it has ended has a status. */
export function loadedInto(local, stored) {
  const known = new Set(stored.map((message) => message.id));
  return [...stored, ...local.filter((message) => !known.has(message.id) &&
    message.metadata?.status === undefined)];
}
