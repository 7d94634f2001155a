// What one may do with all that are selected.
import { Icon } from '../ui/icon.tsx';
import type { Action } from './row_menu.tsx';
import { useWords } from './words/index.ts';

interface Props {
  n: number;
  mayEdit: boolean;
  mayAsk: boolean;
  hasFailed: boolean;
  onAction: (action: Action) => void;
  onClear: () => void;
}

export function SelectionBar({ n, mayEdit, mayAsk, hasFailed, onAction, onClear }: Props) {
  const { w, count } = useWords();
  return (
    <>
      <p className="hidden-visually" role="status">{n ? count('selected', n) : ''}</p>
      {n > 0 && (
        <div className="selection-bar" role="group" aria-label={count('selected', n)}>
          <b>{count('selected', n)}</b>
          {mayAsk && <button type="button" aria-label={w('ask')} onClick={() => onAction('ask')}><Icon name="spark" /><span>{w('ask')}</span></button>}
          {mayEdit && <button type="button" aria-label={w('move')} onClick={() => onAction('move')}><Icon name="forth" /><span>{w('move')}</span></button>}
          {mayEdit && hasFailed && <button type="button" aria-label={w('readAgain')} onClick={() => onAction('again')}><Icon name="retry" /><span>{w('readAgain')}</span></button>}
          {mayEdit && <button type="button" className="danger" aria-label={w('remove')} onClick={() => onAction('delete')}><Icon name="trash" /><span>{w('remove')}</span></button>}
          <button type="button" aria-label={w('clear')} onClick={onClear}><Icon name="close" /></button>
        </div>
      )}
    </>
  );
}
