// An error in words: what happened, and what to do about it.
import { FootnoteError } from '@footnote/client';
import type { Locale, Words } from '../i18n/index.ts';

/** Error codes and the texts that explain them: err_NAME and err_NAME_do. */
const textNames: Record<string, string> = {
  unreachable: 'unreachable', unauthorized: 'unauthorized', too_large: 'too_large',
  rate_limited: 'rate_limited', turn_running: 'turn_running',
  cut: 'cut', model_unavailable: 'model_unavailable', store_busy: 'model_unavailable',
  session_not_found: 'session_not_found', not_json: 'broken', integrity_error: 'broken',
};
const RETRY_SECONDS = 10;

export function describeError(error: unknown, t: Locale['t']): { what: string; todo: string } {
  if (!(error instanceof FootnoteError)) return { what: t('err_other'), todo: t('err_other_do') };
  // Over a quota of what runs one waits; over one of what is kept, one reads which.
  const isBusy = error.code === 'quota_exceeded' && error.status === 429;
  const name = isBusy ? 'rate_limited' : textNames[error.code];
  if (!name) {
    // The server explains what it refuses; its own failures are not for users.
    const isRefusal = error.status > 0 && error.status < 500;
    return { what: isRefusal ? error.message : t('err_other'), todo: t('err_other_do') };
  }
  return {
    what: t(`err_${name}` as keyof Words & 'err_cut'),
    todo: t(`err_${name}_do` as keyof Words & 'err_cut', { seconds: error.retryAfter ?? RETRY_SECONDS }),
  };
}
