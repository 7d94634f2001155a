// The members of a course, their roles, and who may see it.
import { useState, type FormEvent } from 'react';
import type { Api } from '@footnote/client';
import { client } from '../data/api.ts';
import { courses } from '../data/courses.ts';
import { errorText } from '../data/describe_error.ts';
import { useLoaded } from '../data/loaded.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { me } from '../shell/me.ts';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import './people.css';
import { useWords } from './words/index.ts';

type Role = 'reader' | 'editor';
const EVERYBODY = '*';

async function membersOf(courseId: string, signal: AbortSignal): Promise<Api.Member[]> {
  const all: Api.Member[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Api.MemberList = await client.listMembers(courseId, { limit: 200, ...(cursor ? { cursor } : {}) }, { signal });
    all.push(...page.members);
    if (!page.nextCursor) return all;
    cursor = page.nextCursor;
  }
}

interface RowProps { of: Api.Member; mine: boolean; mayChange: boolean; onRole: (role: Role) => void; onRemove: () => void }

function MemberRow({ of, mine, mayChange, onRole, onRemove }: RowProps) {
  const { w } = useWords();
  const [asking, setAsking] = useState(false);
  const name = of.userId;
  return (
    <li className="document">
      <span className="avatar" aria-hidden="true">{name.slice(0, 2).toUpperCase()}</span>
      <span className="grow"><b><bdi>{name}</bdi>{mine && <span className="quiet"> {w('you')}</span>}</b>
        {of.origin === 'oidc' && <small>{w('byGroup')}</small>}</span>
      {mayChange && of.role !== 'owner' ? (
        <>
          <select className="role" aria-label={w('roleOf', { name })} value={of.role} onChange={(e) => onRole(e.target.value as Role)}>
            <option value="reader">{w('reader')}</option><option value="editor">{w('editor')}</option>
          </select>
          <button type="button" className="icon-button" aria-label={w('removeMember', { name })} onClick={() => setAsking(true)}>
            <Icon name="close" /></button>
        </>
      ) : <span className="quiet">{w(of.role)}</span>}
      {asking && <ConfirmDialog title={`${w('removeMember', { name })}?`} text={w('removeText')} confirmLabel={w('removeMember', { name })}
        onConfirm={onRemove} onClose={() => setAsking(false)} />}
    </li>
  );
}

function SoNow({ members }: { members: Api.Member[] }) {
  const { w, count } = useWords();
  const people = members.filter((m) => m.userId !== EVERYBODY);
  const everybody = members.find((m) => m.userId === EVERYBODY);
  const editors = people.filter((m) => m.role !== 'reader').length;
  return (
    <section className="so-now" aria-label={w('soNow')}>
      <h3 className="section-title">{w('soNow')}</h3>
      <ul>
        <li>{everybody ? w('allMayRead') : count('mayRead', people.length)}</li>
        <li>{count('mayEdit', editors)}</li>
        <li>{w('readersMay')}</li>
      </ul>
    </section>
  );
}

export default function PeopleDialog({ courseId, onClose }: { courseId: string; onClose: () => void }) {
  const { t } = useLocale();
  const { w } = useWords();
  const user = useStore(me);
  const course = useStore(courses)?.find((c) => c.id === courseId);
  const listed = useLoaded(courseId, (signal) => membersOf(courseId, signal));
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('reader');
  const mayChange = course?.role === 'owner';
  const owner: Api.Member[] = course?.ownerId ? [{ userId: course.ownerId, role: 'owner', origin: 'hand' }] : [];
  const members = [...owner, ...listed.value ?? []];
  const open = members.some((m) => m.userId === EVERYBODY);

  const change = (what: Promise<unknown>) => what.then(listed.reload, (e: unknown) => toast(errorText(e, t)));
  const put = (userId: string, as: Role) => change(client.putMember(courseId, userId, { role: as }));
  const remove = (userId: string) => void change(client.deleteMember(courseId, userId));
  const invite = (e: FormEvent) => {
    e.preventDefault();
    void put(name.trim(), role).then(() => setName(''));
  };
  return (
    <Dialog title={`${course?.title ?? courseId}: ${w('people')}`} className="wide" onClose={onClose}>
      <div className="dialog-body people">
        <h3 className="section-title">{w('members')}</h3>
        {listed.state === 'failed' && (
          <p className="notice bad" role="alert"><span className="grow">{errorText(listed.error, t)}</span>
            <button type="button" className="button" onClick={listed.reload}>{t('tryAgain')}</button></p>
        )}
        <ul className="plain">
          {members.filter((m) => m.userId !== EVERYBODY).map((m) => (
            <MemberRow key={m.userId} of={m} mine={m.userId === user?.userId} mayChange={mayChange}
              onRole={(as) => void put(m.userId, as)} onRemove={() => remove(m.userId)} />
          ))}
        </ul>
        {mayChange && (
          <form className="invite" onSubmit={invite}>
            <label className="field grow">{w('newMember')}
              <input required dir="auto" maxLength={200} autoComplete="off" value={name} onChange={(e) => setName(e.target.value)} /></label>
            <select className="role" aria-label={w('roleOf', { name: name || w('newMember') })} value={role} onChange={(e) => setRole(e.target.value as Role)}>
              <option value="reader">{w('reader')}</option><option value="editor">{w('editor')}</option>
            </select>
            <button type="submit" className="button primary" disabled={!name.trim()}>{w('invite')}</button>
          </form>
        )}
        {mayChange && (
          <fieldset className="choices">
            <legend>{w('whoMaySee')}</legend>
            <label className="choice"><input type="radio" name="who" checked={!open} onChange={() => remove(EVERYBODY)} />
              <span>{w('onlyMembers')}<small>{w('onlyMembersText')}</small></span></label>
            <label className="choice"><input type="radio" name="who" checked={open} onChange={() => void put(EVERYBODY, 'reader')} />
              <span>{w('everyone')}<small>{w('everyoneText')}</small></span></label>
          </fieldset>
        )}
        {listed.value && <SoNow members={members} />}
      </div>
    </Dialog>
  );
}
