// streams.js - turns as the server sends them, for tests.

export const rag = (n, more = {}) => ({ type: 'data-rag-source',
  id: `src-${n}`, data: { source_id: `doc_d${n}_slide_${n}`,
    source_type: 'slide', chunk_number: n, content_preview: `Passage ${n}.`,
    document_id: `d${n}`, slide_number: n, course_id: 'c1',
    title: `Lecture ${n}`, ...more } });
const doc = (n) => ({ type: 'source-document', sourceId: `src-${n}`,
  mediaType: 'application/pdf', title: `Lecture ${n}`,
  filename: `lecture${n}.pdf`, providerMetadata: { rag: { n, page: n } } });
export const text = (...deltas) => [{ type: 'text-start', id: 't0' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: 't0', delta })),
  { type: 'text-end', id: 't0' }];
const cited = (...entries) => ({ type: 'data-citations', id: 'citations',
  data: { low_confidence: false, cited: entries.map(([chunk_number, support,
    spans]) => ({ chunk_number, support, spans })) } });
const finish = (status = 'complete') => ({ type: 'finish',
  finishReason: 'stop', messageMetadata: {
    createdAt: '2026-02-26T20:15:00.123Z', status, lowConfidence: false,
    model: 'extractive' } });

export const STREAMS = {
  plain: [{ type: 'start', messageId: 'a-1' }, { type: 'start-step' },
    rag(1), doc(1), rag(2),
    { type: 'source-url', sourceId: 'src-2', url: 'https://example.org/vet',
      title: 'Vet guide' },
    ...text('Cats sleep', ' 13 hours [1]', ' and kittens', ' more [2].'),
    cited([1, 0.83, [[20, 23]]], [2, null, [[41, 44]]]),
    { type: 'finish-step' }, finish()],

  searches: [{ type: 'start', messageId: 'a-2',
    messageMetadata: { model: 'm', nested: { a: 1, list: [1, 2] } } },
  { type: 'start-step' }, rag(1), { type: 'text-start', id: 't0' },
  { type: 'text-delta', id: 't0', delta: 'First [1]. ' },
  { type: 'text-end', id: 't0' }, { type: 'finish-step' },
  { type: 'start-step' }, rag(2), rag(3), { type: 'text-start', id: 't1' },
  { type: 'text-delta', id: 't1', delta: 'Then [3], ' },
  { type: 'text-delta', id: 't1', delta: '' },
  { type: 'text-delta', id: 't1', delta: 'not [9].' },
  { type: 'text-end', id: 't1' },
  { type: 'data-status', data: { note: 'gone' }, transient: true },
  { type: 'data-rag-source', id: 'src-2', data: { ...rag(2).data, cited: true } },
  { type: 'message-metadata',
    messageMetadata: { nested: { b: 2, list: [3] } } },
  { type: 'finish-step' }, finish()],

  reasoning: [{ type: 'start', messageId: 'a-3' }, { type: 'start-step' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm, ' },
    { type: 'reasoning-delta', id: 'r', delta: 'cats.' },
    { type: 'reasoning-end', id: 'r',
      providerMetadata: { p: { signature: 'x' } } },
    ...text('Yes.'),
    { type: 'file', url: 'data:text/plain;base64,aGk=', mediaType: 'text/plain' },
    { type: 'finish-step' }, finish()],

  tools: [{ type: 'start', messageId: 'a-4' }, { type: 'start-step' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'search_docs',
      providerExecuted: true },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"que' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'ry":"ca' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'ts","n":[1,' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '2],"t":tr' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'ue}' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search_docs',
      input: { query: 'cats', n: [1, 2], t: true }, providerExecuted: true },
    { type: 'tool-output-available', toolCallId: 'c1', output: { hits: 2 },
      providerExecuted: true },
    { type: 'tool-input-available', toolCallId: 'c2', toolName: 'other',
      input: {}, dynamic: true, providerExecuted: true },
    { type: 'tool-output-error', toolCallId: 'c2', errorText: 'no', dynamic: true,
      providerExecuted: true },
    { type: 'finish-step' }, { type: 'start-step' }, rag(1),
    ...text('Found [1].'), { type: 'finish-step' }, finish()],

  stopped: [{ type: 'start', messageId: 'a-5' }, { type: 'start-step' }, rag(1),
    ...text('Half an ans'), { type: 'finish-step' }, finish('stopped')],

  interleaved: [{ type: 'start', messageId: 'a-6' },
    { type: 'text-start', id: 'x' }, { type: 'text-start', id: 'y' },
    { type: 'text-delta', id: 'x', delta: '1' },
    { type: 'text-delta', id: 'y', delta: '2' },
    { type: 'text-delta', id: 'x', delta: '3' },
    { type: 'text-end', id: 'x' }, { type: 'text-end', id: 'y' },
    { type: 'text-start', id: 'x' }, { type: 'text-delta', id: 'x', delta: '4' },
    { type: 'text-end', id: 'x' }, finish()],
};

export const frame = (chunk) => `data: ${JSON.stringify(chunk)}\n\n`;
export const sse = (chunks, { done = true } = {}) =>
  chunks.map(frame).join('') + (done ? 'data: [DONE]\n\n' : '');

/** A body that arrives in pieces; `cut` breaks it there, as a dead server. */
export function body(content, { size = Infinity, cut = false } = {}) {
  const bytes = new TextEncoder().encode(content);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) {
        const end = Math.min(bytes.length, at + size);
        controller.enqueue(bytes.slice(at, end));
        at = end;
      } else if (cut) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
}

export const streamed = (chunks, options) => new Response(
  body(sse(chunks, options), options),
  { headers: { 'content-type': 'text/event-stream' } });

export const plain = (value) => JSON.parse(JSON.stringify(value));
