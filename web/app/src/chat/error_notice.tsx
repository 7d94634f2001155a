// An error in words, with what to do about it.
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { describeError } from '../data/describe_error.ts';

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
