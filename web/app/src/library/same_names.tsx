// Files that a course has already under the same name: one says whether each is
// a new version, and what that does to old answers.
import { useState, type FormEvent } from 'react';
import { addSame, sameNames, type SameName } from '../data/uploads.ts';
import { useStore } from '../data/store.ts';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { useWords } from './words/index.ts';

type How = 'version' | 'both' | 'skip';

function Line({ of, how, onHow }: { of: SameName; how: How; onHow: (how: How) => void }) {
  const { date } = useLocale();
  const { w, count } = useWords();
  const name = of.input.filename!;
  const { existing } = of;
  return (
    <li className="document">
      <KindIcon of={kindOfDocument(existing)} />
      <span className="grow"><b dir="auto">{name}</b>
        <small>{[existing.version > 1 && w('version', { n: existing.version }), date(existing.changedAt), existing.citedBy > 0 && count('citedBy', existing.citedBy)].filter(Boolean).join(' · ')}</small></span>
      <select value={how} aria-label={w('sameIs', { name })} onChange={(e) => onHow(e.target.value as How)}>
        <option value="version">{w('sameVersion')}</option>
        <option value="both">{w('sameBoth')}</option>
        <option value="skip">{w('sameSkip')}</option>
      </select>
    </li>
  );
}

export default function SameNames() {
  const { w, count } = useWords();
  const list = useStore(sameNames);
  const [hows, setHows] = useState<How[]>([]);
  const howOf = (i: number) => hows[i] ?? 'version';
  const close = () => sameNames.set([]);
  const add = (e: FormEvent) => {
    e.preventDefault();
    list.forEach((of, i) => {
      const how = howOf(i);
      if (how !== 'skip') addSame(of, how);
    });
    close();
  };
  return (
    <Dialog title={count('sameTitle', list.length)} onClose={close}>
      <form className="dialog-body" onSubmit={add}>
        <p>{w('sameText')}</p>
        <ul className="plain same-names">
          {list.map((of, i) => (
            <Line key={i} of={of} how={howOf(i)} onHow={(how) => setHows(list.map((_, k) => (k === i ? how : howOf(k))))} />
          ))}
        </ul>
        <div className="dialog-foot">
          <button type="button" className="button outlined" onClick={close}>{w('cancel')}</button>
          <button type="submit" className="button primary" data-focus>{w('goOn')}</button>
        </div>
      </form>
    </Dialog>
  );
}
