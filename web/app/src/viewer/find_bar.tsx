// The field that finds words in a document.
import type { KeyboardEvent } from 'react';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import type { Find } from './use_find.ts';

export function FindBar({ find, n, onClose }: { find: Find; n: number; onClose: () => void }) {
  const { t, n: plural } = useLocale();
  const { text, found, current, pages, isSearching, step } = find;
  const others = pages.filter((page) => page !== n).length;
  const here = found.length ? t('foundOf', { n: current + 1, count: found.length })
    : isSearching ? t('searchingWords') : t(others ? 'foundNotHere' : 'foundNothing');
  const count = text.trim() && `${here}${others ? ` · ${plural('foundPages', others)}` : ''}`;
  const key = (e: KeyboardEvent) => {
    if (e.key === 'Enter' && !e.nativeEvent.isComposing) step(e.shiftKey ? -1 : 1);
    else if (e.key === 'Escape') onClose();
    else return;
    e.preventDefault();
  };
  return (
    <div className="find-bar" role="search" aria-label={t('findWords')}>
      <Icon name="search" />
      <input type="search" autoFocus value={text} placeholder={t('findWords')} aria-label={t('findWords')} dir="auto"
        onChange={(e) => find.setText(e.target.value)} onKeyDown={key} />
      <span role="status">{count}</span>
      <button type="button" className="icon-button" aria-label={t('foundPrevious')} title={t('foundPrevious')}
        disabled={!found.length && !others} onClick={() => step(-1)}><Icon name="above" /></button>
      <button type="button" className="icon-button" aria-label={t('foundNext')} title={t('foundNext')}
        disabled={!found.length && !others} onClick={() => step(1)}><Icon name="down" /></button>
      <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}><Icon name="close" /></button>
    </div>
  );
}
