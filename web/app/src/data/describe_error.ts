// An error in words: what happened, and what to do about it.  The server's code
// says what it was; its sentence is English and for programmers.
import { FootnoteError } from '@footnote/client';
import type { Locale, Words } from '../i18n/index.ts';

type ErrorName = {
  [K in keyof Words]: K extends `err_${infer Name}_do` ? Name : never;
}[keyof Words];

/** Error codes by the texts that explain them: err_NAME and err_NAME_do. */
const codesByText: Record<ErrorName, string[]> = {
  unreachable: ['unreachable'],
  unauthorized: ['unauthorized'],
  forbidden: ['forbidden'],
  misunderstood: ['bad_json', 'unknown_field', 'bad_cursor', 'bad_request', 'bad_origin', 'wrong_host', 'method',
    'expectation', 'range', 'http_version', 'key_reused', 'number_taken'],
  refused: ['invalid_field', 'impossible'],
  too_large: ['too_large'],
  quota: ['quota_exceeded'],
  kind: ['unsupported_type'],
  rate_limited: ['rate_limited'],
  turn_running: ['turn_running'],
  overtaken: ['id_taken', 'ended'],
  session_not_found: ['session_not_found', 'session_deleted'],
  not_found: ['not_found', 'message_not_found', 'course_not_found', 'document_not_found', 'key_not_found'],
  busy: ['store_busy', 'no_memory', 'timeout', 'unsure', 'draining'],
  read_only: ['read_only', 'disk_full'],
  cut: ['cut', 'interrupted'],
  model_unavailable: ['model_unavailable', 'model_timeout'],
  model_failed: ['model_error', 'model_refused', 'turn_too_long'],
  model_limit: ['model_limit'],
  model_not_found: ['model_not_found'],
  context_too_long: ['context_too_long'],
  content_filter: ['content_filter'],
  search_failed: ['search_failed'],
  broken: ['integrity_error', 'not_json'],
  other: ['internal', 'foreign'],
};
const nameOf = new Map(Object.entries(codesByText).flatMap(([name, codes]) =>
  codes.map((code) => [code, name as ErrorName])));
const RETRY_SECONDS = 10;

export interface ErrorText { what: string; todo: string }

function explain(name: ErrorName, t: Locale['t'], seconds = RETRY_SECONDS): ErrorText {
  return { what: t(`err_${name}`), todo: t(`err_${name}_do`, { seconds }) };
}

/** Whether there are words for a code. */
export const isKnownCode = (code: string) => nameOf.has(code);

/** Of an answer that failed. */
export const describeCode = (code: string, t: Locale['t']) => explain(nameOf.get(code) ?? 'other', t);

export function describeError(error: unknown, t: Locale['t']): ErrorText {
  if (!(error instanceof FootnoteError)) return explain('other', t);
  // Over a quota of what runs one waits; over one of what is kept, one deletes.
  const isBusy = error.code === 'quota_exceeded' && error.status === 429;
  const name = isBusy ? 'rate_limited' : nameOf.get(error.code);
  // A newer server may refuse for a reason that has no words here yet.
  if (!name && error.status >= 400 && error.status < 500) return { what: error.message, todo: t('err_other_do') };
  return explain(name ?? 'other', t, error.retryAfter ?? RETRY_SECONDS);
}

/** Only what happened, for places with little room. */
export const errorText = (error: unknown, t: Locale['t']) => describeError(error, t).what;
