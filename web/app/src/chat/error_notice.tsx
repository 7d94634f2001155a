// An error in words, with what to do about it.
import { FootnoteError } from '@footnote/client';
import { useLocale, type Locale, type Words } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

/** Error codes and the texts that explain them: err_NAME and err_NAME_do. */
const textKeys: Record<string, string> = {
  unreachable: 'unreachable', unauthorized: 'unauthorized', too_large: 'too_large',
  rate_limited: 'rate_limited', quota: 'rate_limited', turn_running: 'turn_running',
  cut: 'cut', model_unavailable: 'model_unavailable', store_busy: 'model_unavailable',
  session_not_found: 'session_not_found', not_json: 'broken', integrity_error: 'broken',
};

export function describeError(error: unknown, t: Locale['t']): { what: string; todo: string } {
  const code = error instanceof FootnoteError ? error.code : '';
  const name = textKeys[code];
  if (!name) {
    const isRefusal = error instanceof FootnoteError && error.status > 0 && error.status < 500;
    return { what: isRefusal ? error.message : t('err_other'), todo: t('err_other_do') };
  }
  return {
    what: t(`err_${name}` as keyof Words & 'err_cut'),
    todo: t(`err_${name}_do` as keyof Words & 'err_cut', {
      seconds: (error as FootnoteError).retryAfter ?? 10,
    }),
  };
}

interface Props {
  error: unknown;
  onTryAgain?: () => void;
}
export function ErrorNotice({ error, onTryAgain }: Props) {
  const { t } = useLocale();
  const { what, todo } = describeError(error, t);
  return (
    <div className="notice bad" role="alert">
      <Icon name="warn" />
      <span className="grow"><b>{what}</b> {todo}</span>
      {onTryAgain && <button type="button" className="button" onClick={onTryAgain}>{t('tryAgain')}</button>}
    </div>
  );
}
