// The filters above the table, the order on a phone, and how many are found.
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { isFiltered, KINDS, STATES, type Sort, type View } from './query.ts';
import { useWords, type TextKey } from './words/index.ts';

interface Choice { value: string | null; text: TextKey }
interface FilterProps { name: TextKey; value: string | null; choices: Choice[]; onChoose: (value: string | null) => void }

function Filter({ name, value, choices, onChoose }: FilterProps) {
  const { w } = useWords();
  const chosen = choices.find((c) => c.value === value);
  const label = value === null || !chosen ? w(name) : `${w(name)}: ${w(chosen.text)}`;
  return (
    <Menu className={value === null ? 'filter' : 'filter on'} label={label} trigger={<>{label}<Icon name="down" /></>}>
      {(close) => choices.map((c) => (
        <MenuItem key={c.text} checked={c.value === value} onSelect={() => { close(); onChoose(c.value); }}>
          <span className="grow">{w(c.text)}</span>{c.value === value && <Icon name="check" />}</MenuItem>
      ))}
    </Menu>
  );
}

const ORDERS: Array<[Sort, boolean, TextKey]> = [
  ['changed', false, 'newestFirst'], ['changed', true, 'oldestFirst'], ['name', false, 'byName'],
  ['cited', false, 'mostCited'], ['size', false, 'largest'],
];

interface Props {
  view: View;
  found: number | null;
  selecting: boolean;
  onView: (next: View) => void;
  onSelecting: (on: boolean) => void;
}

export function Toolbar({ view, found, selecting, onView, onSelecting }: Props) {
  const { w, count } = useWords();
  const all: Choice = { value: null, text: 'any' };
  const order = ORDERS.find(([sort, reversed]) => sort === view.sort && reversed === view.reversed) ?? ORDERS[0]!;
  return (
    <div className="toolbar">
      <Menu className="button only-list" label={`${w('sortedBy')}: ${w(order[2])}`} trigger={<>{w(order[2])}<Icon name="down" /></>}>
        {(close) => ORDERS.map((one) => (
          <MenuItem key={one[2]} checked={one === order} onSelect={() => { close(); onView({ ...view, sort: one[0], reversed: one[1] }); }}>
            <span className="grow">{w(one[2])}</span>{one === order && <Icon name="check" />}</MenuItem>
        ))}
      </Menu>
      <div className="filters">
        <Filter name="kind" value={view.kind} choices={[all, ...KINDS.map((k): Choice => ({ value: k, text: `kind_${k}` }))]}
          onChoose={(kind) => onView({ ...view, kind: kind as View['kind'] })} />
        <Filter name="state" value={view.state} choices={[all, ...STATES.map((s): Choice => ({ value: s, text: `state_${s}` }))]}
          onChoose={(state) => onView({ ...view, state: state as View['state'] })} />
        <Filter name="cited" value={view.cited} choices={[all, { value: 'yes', text: 'cited_yes' }, { value: 'no', text: 'cited_no' }]}
          onChoose={(cited) => onView({ ...view, cited: cited as View['cited'] })} />
        {isFiltered(view) && (
          <button type="button" className="button strong" onClick={() => onView({ ...view, q: '', kind: null, state: null, cited: null })}>
            {w('clearFilters')}</button>
        )}
      </div>
      <span className="found" role="status">{found !== null && count('documents', found)}</span>
      <button type="button" className="button strong only-list" aria-pressed={selecting} onClick={() => onSelecting(!selecting)}>
        {selecting ? w('done') : w('select')}</button>
    </div>
  );
}
