// error.js - one error for all that can go wrong between here and the server.

export class FootnoteError extends Error {
  constructor({ status, code, message, where, hint, requestId, retryAfter,
    cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FootnoteError';
    this.status = status;
    this.code = code;
    this.where = where ?? null;
    this.hint = hint ?? null;
    this.requestId = requestId ?? null;
    this.retryAfter = retryAfter ?? null;
  }
}

/** A fault of the stream itself, which has no status of its own. */
export const streamError = (message, code = 'stream', cause) =>
  new FootnoteError({ status: 0, code, message, cause });

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

// Under /v1 the error is an object, as OpenAI's; a proxy in between may send
// a page, which is no sentence for a person.
function saying(body) {
  const said = body?.error;
  if (typeof said === 'string') return { ...body, message: said };
  if (typeof said?.message === 'string') return said;
  return {};
}

const text = (value) => (typeof value === 'string' ? value : null);

export async function errorOf(response) {
  const body = parse(await response.text().catch(() => ''));
  const said = saying(body);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);

  return new FootnoteError({
    status: response.status,
    code: text(said.code) ?? `http_${response.status}`,
    message: text(said.message) ??
      `The server answered ${response.status} ${response.statusText}`.trim(),
    where: text(said.where),
    hint: text(said.hint),
    requestId: text(said.requestId) ?? response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
