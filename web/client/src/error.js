// error.js - the error that every call throws.

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

/** An error in a stream whose response was fine: it has no status. */
export const streamError = (message, code = 'stream', cause) =>
  new FootnoteError({ status: 0, code, message, cause });

const parseJson = (stringOrNull) => {
  try {
    return JSON.parse(stringOrNull);
  } catch {
    return null;
  }
};

// Under /v1 the error is an object, like OpenAI's.  A proxy may send an HTML
// page: that has no fields, and is not shown.
function errorFields(body) {
  const said = body?.error;
  if (typeof said === 'string') return { ...body, message: said };
  if (typeof said?.message === 'string') return said;
  return {};
}

const text = (value) => (typeof value === 'string' ? value : null);

export async function errorOf(response) {
  const body = parseJson(await response.text().catch(() => ''));
  const fields = errorFields(body);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);

  return new FootnoteError({
    status: response.status,
    code: text(fields.code) ?? `http_${response.status}`,
    message: text(fields.message) ??
      `The server answered ${response.status} ${response.statusText}`.trim(),
    where: text(fields.where),
    hint: text(fields.hint),
    requestId: text(fields.requestId) ?? response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
