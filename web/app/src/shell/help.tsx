// The list of keyboard shortcuts.
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { commandKey } from './shortcuts.ts';

export function Help({ onClose }: { onClose: () => void }) {
  const { t } = useLocale();
  const rows: Array<[string[], string]> = [
    [[`${commandKey} J`], t('key_new')],
    [[`${commandKey} K`, '/'], t('key_search')],
    [['c'], t('key_ask')],
    [['j', 'k'], t('key_messages')],
    [[']', '['], t('key_citations')],
    [['r'], t('key_pane')],
    [['←', '→'], t('key_page')],
    [['+', '−', '0'], t('key_zoom')],
    [[`${commandKey} F`], t('key_find')],
    [[`${commandKey} ⇧ C`], t('key_copy')],
    [['?'], t('key_help')],
    [['Esc'], t('key_close')],
  ];
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <div className="dialog-body">
        <dl className="keys">
          {rows.map(([keys, what]) => (
            <div key={what} style={{ display: 'contents' }}>
              <dt>{keys.map((k) => <kbd key={k} style={{ marginInlineEnd: 4 }}>{k}</kbd>)}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
