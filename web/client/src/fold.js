// fold.js - applies chunks to a message, as the AI SDK does.
//
// The table EFFECTS is the protocol: what each chunk does to the parts.  The
// message is never changed in place, so a view can compare objects to see which
// parts are new.
import { streamError } from './error.js';
import { parsePartial } from './partial_json.js';

/** By message: blocks that have begun and not ended, id → index of the part.
 *  The parts themselves do not hold their id. */
const openBlocks = new WeakMap();

/** @returns {import('../index.d.ts').UIMessage} */
export function newMessage(id = '') {
  return { id, role: 'assistant', parts: [] };
}

const isObject = (v) => v !== null && typeof v === 'object' &&
  !Array.isArray(v);
const POLLUTING = new Set(['__proto__', 'constructor', 'prototype']);

function merge(base, more) {
  if (more === undefined) return base;
  if (!isObject(base) || !isObject(more)) return more;
  const result = { ...base };
  for (const [key, value] of Object.entries(more))
    if (!POLLUTING.has(key) && value !== undefined)
      result[key] = merge(base[key], value);
  return result;
}

/** Without the keys that are undefined: absent stays absent. */
const withoutUndefined = (object) => Object.fromEntries(
  Object.entries(object).filter(([, value]) => value !== undefined));

const pick = (chunk, ...keys) => withoutUndefined(Object.fromEntries(
  ['type', ...keys, 'providerMetadata'].map((key) => [key, chunk[key]])));

// ---- Parts -----------------------------------------------------------------

function withParts(message, parts, open = openBlocks.get(message)) {
  const next = { ...message, parts };
  if (open) openBlocks.set(next, open);
  return next;
}

const append = (message, part) => withParts(message, [...message.parts, part]);
const replace = (message, index, part) =>
  withParts(message, message.parts.with(index, part));

function withMetadata(message, more) {
  if (more === undefined || more === null) return message;
  const next = withParts(message, message.parts);
  next.metadata = merge(message.metadata, more);
  return next;
}

const stepStart = (message) =>
  message.parts.findLastIndex((part) => part.type === 'step-start') + 1;

// ---- Text and reasoning ----------------------------------------------------

const blockKey = (chunk) => `${chunk.type.split('-')[0]} ${chunk.id}`;

function beginBlock(message, chunk) {
  const type = chunk.type.split('-')[0];
  const open = new Map(openBlocks.get(message));
  open.set(blockKey(chunk), message.parts.length);
  return withParts(message, [...message.parts, withoutUndefined({
    type,
    ...(type === 'reasoning' ? { id: chunk.id } : {}),
    text: '',
    providerMetadata: chunk.providerMetadata,
    state: 'streaming',
  })], open);
}

function changeBlock(message, chunk, change) {
  const index = openBlocks.get(message)?.get(blockKey(chunk));
  if (index === undefined)
    throw streamError(`The answer has a ${chunk.type} without its start`);
  const part = message.parts[index];
  return replace(message, index, withoutUndefined({
    ...part, ...change(part),
    providerMetadata: chunk.providerMetadata ?? part.providerMetadata,
  }));
}

const growBlock = (message, chunk) => changeBlock(message, chunk,
  (part) => ({ text: part.text + chunk.delta }));

function endBlock(message, chunk) {
  const next = changeBlock(message, chunk, () =>
    withoutUndefined({ state: 'done', citations: chunk.citations ?? undefined }));
  const open = new Map(openBlocks.get(message));
  open.delete(blockKey(chunk));
  openBlocks.set(next, open);
  return next;
}

// ---- Data ------------------------------------------------------------------

function applyData(message, chunk) {
  if (chunk.transient) return message;
  const index = chunk.id === undefined ? -1 : message.parts.findIndex(
    (part) => part.type === chunk.type && part.id === chunk.id);
  return index < 0 ? append(message, chunk)
    : replace(message, index, { ...message.parts[index], data: chunk.data });
}

// ---- Tools -----------------------------------------------------------------

const isTool = (part) =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-');

function findTool(message, id) {
  const { parts } = message;
  const is = (part) => isTool(part) && part.toolCallId === id;
  const step = stepStart(message);
  const here = parts.findIndex((part, i) => i >= step && is(part));
  return here >= 0 ? here : parts.findLastIndex(is);
}

function needTool(message, id) {
  const index = findTool(message, id);
  if (index < 0) throw streamError(`The answer has no tool call ${id}`);
  return index;
}

/** The fields of a tool's part that a change of state keeps. */
const lastingFields = (part) => ({
  type: part.type, toolName: part.toolName, toolCallId: part.toolCallId,
  title: part.title, toolMetadata: part.toolMetadata,
  providerExecuted: part.providerExecuted, approval: part.approval,
  callProviderMetadata: part.callProviderMetadata,
  resultProviderMetadata: part.resultProviderMetadata,
});

const toolType = (chunk) => (chunk.dynamic
  ? { type: 'dynamic-tool', toolName: chunk.toolName }
  : { type: `tool-${chunk.toolName}` });

function changeTool(message, chunk, state, fields) {
  const step = stepStart(message);
  const index = message.parts.findIndex((part, i) => i >= step &&
    isTool(part) && part.toolCallId === chunk.toolCallId);
  const old = index < 0 ? { ...toolType(chunk), toolCallId: chunk.toolCallId }
    : lastingFields(message.parts[index]);
  const part = withoutUndefined({
    ...old, state,
    title: chunk.title ?? old.title,
    toolMetadata: chunk.toolMetadata ?? old.toolMetadata,
    providerExecuted: chunk.providerExecuted ?? old.providerExecuted,
    callProviderMetadata: chunk.providerMetadata ?? old.callProviderMetadata,
    ...fields,
  });
  return index < 0 ? append(message, part) : replace(message, index, part);
}

function toolDelta(message, chunk) {
  const index = needTool(message, chunk.toolCallId);
  const part = message.parts[index];
  const rawInput = (part.rawInput ?? '') + chunk.inputTextDelta;
  return replace(message, index, withoutUndefined({
    ...part, rawInput,
    input: part.inputEncoding === 'text' ? rawInput : parsePartial(rawInput),
  }));
}

function toolOutput(message, chunk, fields) {
  const index = needTool(message, chunk.toolCallId);
  const part = message.parts[index];
  return replace(message, index, withoutUndefined({
    ...lastingFields(part), input: part.input, ...fields,
    providerExecuted: chunk.providerExecuted ?? part.providerExecuted,
    resultProviderMetadata: chunk.providerMetadata ??
      part.resultProviderMetadata,
  }));
}

function toolState(message, chunk, fields) {
  const index = needTool(message, chunk.toolCallId);
  return replace(message, index, { ...message.parts[index], ...fields });
}

// ---- The table -------------------------------------------------------------

const unchanged = (message) => message;

const EFFECTS = {
  'start': (m, c) => {
    const next = withMetadata(m, c.messageMetadata);
    return c.messageId ? Object.assign(withParts(next, next.parts),
      { id: c.messageId }) : next;
  },
  'start-step': (m) => append(m, { type: 'step-start' }),
  'finish-step': unchanged,
  'reset-step': (m) => withParts(m, m.parts.slice(0, stepStart(m)), new Map()),
  'text-start': beginBlock,
  'text-delta': growBlock,
  'text-end': endBlock,
  'reasoning-start': beginBlock,
  'reasoning-delta': growBlock,
  'reasoning-end': endBlock,
  'source-url': (m, c) => append(m, pick(c, 'sourceId', 'url', 'title')),
  'source-document': (m, c) =>
    append(m, pick(c, 'sourceId', 'mediaType', 'title', 'filename')),
  'file': (m, c) => append(m, pick(c, 'mediaType', 'url')),
  'reasoning-file': (m, c) => append(m, pick(c, 'mediaType', 'url')),
  'custom': (m, c) => append(m, pick(c, 'kind')),
  'tool-input-start': (m, c) =>
    changeTool(m, c, 'input-streaming', { inputEncoding: c.inputEncoding }),
  'tool-input-delta': toolDelta,
  'tool-input-available': (m, c) =>
    changeTool(m, c, 'input-available', { input: c.input }),
  'tool-input-error': (m, c) =>
    changeTool(m, c, 'output-error', { input: c.input, errorText: c.errorText }),
  'tool-output-available': (m, c) => toolOutput(m, c, {
    state: 'output-available', output: c.output, preliminary: c.preliminary,
  }),
  'tool-output-error': (m, c) =>
    toolOutput(m, c, { state: 'output-error', errorText: c.errorText }),
  'tool-output-denied': (m, c) => toolState(m, c, { state: 'output-denied' }),
  'tool-approval-request': (m, c) => toolState(m, c, {
    state: 'approval-requested', approval: { id: c.approvalId },
  }),
  'message-metadata': (m, c) => withMetadata(m, c.messageMetadata),
  'finish': (m, c) => withMetadata(m, c.messageMetadata),
  'abort': unchanged,
};

/** @returns {import('../index.d.ts').UIMessage} */
export function fold(message, chunk) {
  const effect = Object.hasOwn(EFFECTS, chunk.type) ? EFFECTS[chunk.type]
    : chunk.type.startsWith('data-') ? applyData : unchanged;
  return effect(message, chunk);
}
