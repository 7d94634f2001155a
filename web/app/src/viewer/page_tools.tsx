// The line above a page: turning pages, how large it is, finding words.
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { canZoom, zoomBy } from './zoom.ts';

interface Props {
  n: number;
  last: number | null;
  /** The number that is printed on the page, where it is another. */
  label: string | null;
  onTurn: (n: number) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
  finding: boolean;
  onFind: () => void;
}

export function PageTools({ n, last, label, onTurn, zoom, onZoom, finding, onFind }: Props) {
  const { t, percent } = useLocale();
  return (
    <div className="page-tools">
      <div className="pager" role="group" aria-label={last ? t('pageOf', { n, count: last }) : undefined}>
        <button type="button" className="icon-button" aria-label={t('previousPage')} disabled={n <= 1}
          onClick={() => onTurn(n - 1)}><Icon name="back" /></button>
        <bdi>{label === null ? `${n}${last ? ` / ${last}` : ''}`
          : <><b>{label}</b> · {last ? t('sheetOf', { n, count: last }) : n}</>}</bdi>
        <button type="button" className="icon-button" aria-label={t('nextPage')} disabled={last !== null && n >= last}
          onClick={() => onTurn(n + 1)}><Icon name="forth" /></button>
      </div>
      <div className="pager" role="group" aria-label={t('zoom')}>
        <button type="button" className="icon-button" aria-label={t('zoomOut')} title={t('zoomOut')} disabled={!canZoom(zoom, -1)}
          onClick={() => onZoom(zoomBy(zoom, -1))}><Icon name="minus" /></button>
        <button type="button" className="zoom-fit" aria-label={t('zoomFit', { now: percent(zoom) })} title={t('zoomFitTitle')}
          onClick={() => onZoom(1)}>{percent(zoom)}</button>
        <button type="button" className="icon-button" aria-label={t('zoomIn')} title={t('zoomIn')} disabled={!canZoom(zoom, 1)}
          onClick={() => onZoom(zoomBy(zoom, 1))}><Icon name="plus" /></button>
      </div>
      <button type="button" className="icon-button" aria-label={t('findWords')} title={t('findWords')} aria-expanded={finding}
        onClick={onFind}><Icon name="search" /></button>
    </div>
  );
}
