// The fields that limit a question to kinds and days; loaded when they are
// needed.
import { limit, limitsOf, scope, unlimit, type Limits } from '../../data/courses.ts';
import { useStore } from '../../data/store.ts';
import { KindIcon } from '../../ui/kind_icon.tsx';
import { kindNames } from './chips.tsx';
import { useLimitWords } from './words.ts';
import './limits.css';

const kinds = ['slides', 'lecture', 'journal', 'page', 'text'] as const;

function Day({ label, name, where }: { label: string; name: 'from' | 'to' | 'since'; where: Limits }) {
  return (
    <label className="limit-day">
      <span>{label}</span>
      <input type="date" value={where[name]} onChange={(e) => limit({ [name]: e.target.value })} />
    </label>
  );
}

export default function LimitsForm() {
  const { w } = useLimitWords();
  const where = useStore(scope);
  const backwards = Boolean(where.from && where.to && where.from > where.to);
  return (
    <div className="limits">
      <fieldset>
        <legend>{w('kinds')}</legend>
        {kinds.map((k) => (
          <label key={k} className="limit-kind">
            <input type="checkbox" checked={where.kinds.includes(k)} onChange={(e) => limit({ kinds: e.target.checked
              ? kinds.filter((x) => x === k || where.kinds.includes(x)) : where.kinds.filter((x) => x !== k) })} />
            <KindIcon of={k} small /><span>{w(kindNames[k])}</span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{w('days')}</legend>
        <Day label={w('from')} name="from" where={where} />
        <Day label={w('to')} name="to" where={where} />
        {backwards && <p className="field-error" role="alert">{w('backwards')}</p>}
      </fieldset>
      <fieldset>
        <legend>{w('changed')}</legend>
        <Day label={w('since')} name="since" where={where} />
      </fieldset>
      <button type="button" className="button outlined" disabled={!limitsOf(where)} onClick={unlimit}>{w('clear')}</button>
    </div>
  );
}
