// history.js - merges the messages of the chat with the stored ones.

/** An answer that ended before its first part, and does not say why. */
const isEmpty = (message) => message.role === 'assistant' &&
  !message.metadata?.failure && message.parts.every((part) => part.type === 'step-start');

/** Without empty answers of failed turns; the running answer stays. */
export const withoutEmptyAnswers = (messages, running) => messages.filter(
  (message, i) => !isEmpty(message) || (running && i === messages.length - 1));

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Local messages, each replaced by its stored version.  Stored messages after
 *  the last common one are appended. */
export function mergeStored(local, stored) {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const have = new Set(local.map((message) => message.id));
  const common = stored.findLastIndex((message) => have.has(message.id));
  const same = local.map((message) => {
    const kept = byId.get(message.id);
    return kept && !equal(kept, message) ? kept : message;
  });
  return [...same, ...stored.slice(common + 1)];
}

/** The stored messages, and after them the local ones that are still running or
 *  unknown to the server: they have no status. */
export function mergeHistory(local, stored) {
  const known = new Set(stored.map((message) => message.id));
  return [...stored, ...local.filter((message) => !known.has(message.id) &&
    message.metadata?.status === undefined)];
}
