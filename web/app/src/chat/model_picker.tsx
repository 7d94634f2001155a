// The menu that chooses the model; hidden when there is only one.
import { model, models, setModel } from '../data/models.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

export function ModelPicker() {
  const { t } = useLocale();
  const all = useStore(models);
  const chosen = useStore(model);
  if (all.length < 2) return null;
  return (
    <Menu className="pill model" label={`${t('model')}: ${chosen ?? t('modelUsual')}`}
      trigger={<><Icon name="spark" /><span>{chosen ?? t('modelUsual')}</span><Icon name="down" /></>}>
      {(close) => [null, ...all].map((m) => (
        <MenuItem key={m ?? ''} checked={m === chosen} onSelect={() => { close(); setModel(m); }}>
          <span className="grow">{m ?? t('modelUsual')}</span>{m === chosen && <Icon name="check" />}
        </MenuItem>
      ))}
    </Menu>
  );
}
