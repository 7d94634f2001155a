// What went wrong, in words, with what to do about it.
import { FootnoteError } from '@footnote/client';
import { useWords, type Speech, type Words } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';

const known: Record<string, string> = {
  unreachable: 'unreachable', unauthorized: 'unauthorized', too_large: 'too_large',
  rate_limited: 'rate_limited', quota: 'rate_limited', turn_running: 'turn_running',
  cut: 'cut', model_unavailable: 'model_unavailable', store_busy: 'model_unavailable',
  session_not_found: 'session_not_found', not_json: 'broken', integrity_error: 'broken',
};

export function troubleOf(error: unknown, t: Speech['t']): { what: string; todo: string } {
  const code = error instanceof FootnoteError ? error.code : '';
  const name = known[code];
  if (!name) {
    const said = error instanceof FootnoteError && error.status > 0 && error.status < 500;
    return { what: said ? error.message : t('err_other'), todo: t('err_other_do') };
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
  onAgain?: () => void;
  again?: string;
}
export function Trouble({ error, onAgain, again }: Props) {
  const { t } = useWords();
  const { what, todo } = troubleOf(error, t);
  return (
    <div className="notice bad" role="alert">
      <Icon name="warn" />
      <span className="grow"><b>{what}</b> {todo}</span>
      {onAgain && <button type="button" className="button" onClick={onAgain}>{again ?? t('tryAgain')}</button>}
    </div>
  );
}
