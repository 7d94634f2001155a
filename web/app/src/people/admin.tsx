// Administration: who is signed in, keys, what the server says of itself, the log.
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Api } from '@footnote/client';
import { client } from '../data/api.ts';
import { errorText } from '../data/describe_error.ts';
import { useLoaded, type Loaded } from '../data/loaded.ts';
import { useLocale } from '../i18n/index.ts';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import './people.css';
import { useWords, type TextKey } from './words/index.ts';

const DAY_MS = 24 * 3600 * 1000;

/** What was loaded, or why it was not. */
function Shown<T>({ of, children }: { of: Loaded<T> & { reload: () => void }; children: (value: T) => ReactNode }) {
  const { t } = useLocale();
  if (of.state === 'failed')
    return <p className="notice bad" role="alert"><span className="grow">{errorText(of.error, t)}</span>
      <button type="button" className="button" onClick={of.reload}>{t('tryAgain')}</button></p>;
  return of.value ? children(of.value) : <span className="spin" role="img" aria-label={t('loading')} />;
}

const MB = 1_000_000;

/** Nobody's contents: what they keep. */
function Users() {
  const { number } = useLocale();
  const { w, count } = useWords();
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const users = useLoaded(`users ${cursor ?? ''}`, (signal) => client.listUsers({ limit: 100, ...(cursor ? { cursor } : {}) }, { signal }));
  const kept = (k: Api.Kept) => [w('megabytes', { n: number(Math.ceil(k.bytes / MB)) }), count('documents', k.documents),
    count('sessions', k.sessions)].join(' · ');
  return (
    <Shown of={users}>{(v) => (
      <>
        <dl className="facts">
          <dt>{w('storage')}</dt><dd>{kept(v.all)}</dd>
          <dt>{w('reading')}</dt><dd>{w('jobs', { waiting: number(v.jobs.waiting), reading: number(v.jobs.reading) })}</dd>
        </dl>
        <ul className="plain">{v.users.map((u) => (
          <li key={u.userId} className="document"><span className="grow"><b dir="auto">{u.userId}</b><small>{kept(u)}</small></span></li>
        ))}</ul>
        {v.nextCursor && <button type="button" className="button outlined"
          onClick={() => setCursors([...cursors, v.nextCursor!])}>{w('more')}</button>}
      </>
    )}</Shown>
  );
}

function SignedIn() {
  const { t, ago } = useLocale();
  const { w } = useWords();
  const logins = useLoaded('logins of all', (signal) => client.listLogins({ userId: '*', limit: 200 }, { signal }));
  const end = (id: string) => void client.revokeLogin(id).then(logins.reload, (e: unknown) => toast(errorText(e, t)));
  return (
    <Shown of={logins}>{({ logins: list }) => (list.length ? (
      <ul className="plain">{list.map((l) => (
        <li key={l.id} className="document">
          <span className="grow"><b dir="auto">{l.userId}</b>
            <small>{[l.method, w('lastSeen', { when: ago(l.seenAt) }), l.agent].filter(Boolean).join(' · ')}</small></span>
          {!l.current && <button type="button" className="button outlined" aria-label={`${w('signOutThere')}: ${l.userId}`}
            onClick={() => end(l.id)}>{w('signOutThere')}</button>}
        </li>
      ))}</ul>
    ) : <p className="quiet">{w('nobody')}</p>)}</Shown>
  );
}

function KeyForm({ onMade }: { onMade: (key: string) => void }) {
  const { t } = useLocale();
  const { w } = useWords();
  const [userId, setUser] = useState('');
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('90');
  const [readOnly, setReads] = useState(false);
  const [admin, setAdmin] = useState(false);
  const [error, setError] = useState('');
  const make = async (e: FormEvent) => {
    e.preventDefault();
    try {
      const made = await client.createKey({
        userId: userId.trim(), label: label.trim(), readOnly, admin,
        ...(days ? { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() } : {}),
      });
      onMade(made.key);
      setLabel('');
    } catch (problem) {
      setError(errorText(problem, t));
    }
  };
  return (
    <form className="invite" onSubmit={make}>
      <label className="field grow">{w('keyFor')}<input required maxLength={200} value={userId} onChange={(e) => setUser(e.target.value)} /></label>
      <label className="field grow">{w('keyLabel')}<input required maxLength={50} value={label} onChange={(e) => setLabel(e.target.value)} /></label>
      <label className="field">{w('keyDays')}<input type="number" min={1} max={3650} value={days} onChange={(e) => setDays(e.target.value)} /></label>
      <label className="choice"><input type="checkbox" checked={readOnly} onChange={(e) => setReads(e.target.checked)} />{w('keyReads')}</label>
      <label className="choice"><input type="checkbox" checked={admin} onChange={(e) => setAdmin(e.target.checked)} />{w('keyAdmin')}</label>
      <button type="submit" className="button primary">{w('newKey')}</button>
      {error && <p className="notice bad" role="alert">{error}</p>}
    </form>
  );
}

function KeyRow({ of, onEnded }: { of: Api.Key; onEnded: () => void }) {
  const { t, date, ago, list } = useLocale();
  const { w } = useWords();
  const [asking, setAsking] = useState(false);
  const name = of.label || `fn_${of.prefix}…`;
  const over = of.revokedAt || (of.expiresAt && new Date(of.expiresAt) < new Date());
  const facts = [
    of.userId, `fn_${of.prefix}…`, of.admin ? w('isAdmin') : of.readOnly ? w('reads') : w('everything'),
    of.courses ? list(of.courses) : w('allCourses'),
    over ? w('over') : of.expiresAt ? w('until', { date: date(of.expiresAt) }) : w('noEnd'),
    of.lastUsedAt ? w('used', { when: ago(of.lastUsedAt) }) : w('neverUsed'),
  ];
  const end = () => void client.revokeKey(of.prefix).then(onEnded, (e: unknown) => toast(errorText(e, t)));
  return (
    <li className="document">
      <span className="grow"><b dir="auto">{name}</b><small>{facts.join(' · ')}</small></span>
      {!over && <button type="button" className="button outlined danger" aria-label={`${w('endKey')}: ${name}`}
        onClick={() => setAsking(true)}>{w('endKey')}</button>}
      {asking && <ConfirmDialog title={w('endKeyTitle', { name })} text={w('endKeyText')} confirmLabel={w('endKey')}
        onConfirm={end} onClose={() => setAsking(false)} />}
    </li>
  );
}

function Keys() {
  const { w } = useWords();
  const [made, setMade] = useState('');
  const keys = useLoaded('keys', (signal) => client.listKeys({ limit: 200 }, { signal }));
  return (
    <>
      <KeyForm onMade={(key) => { setMade(key); keys.reload(); }} />
      <div role="status">{made && <><p className="quiet">{w('keyMade')}</p><p className="made"><code>{made}</code></p></>}</div>
      <Shown of={keys}>{({ keys: list }) => (
        <ul className="plain">{list.map((k) => <KeyRow key={k.prefix} of={k} onEnded={keys.reload} />)}</ul>
      )}</Shown>
    </>
  );
}

function System() {
  const { list } = useLocale();
  const { w } = useWords();
  const facts = useLoaded('system', async (signal) => {
    const [version, ready, models] = await Promise.all([
      client.version({ signal }), client.ready({ signal }).then(() => true, () => false),
      client.listModels({ signal }),
    ]);
    return { version, ready, models: models.data.map((m) => m.id) };
  });
  return (
    <Shown of={facts}>{(v) => (
      <dl className="facts">
        <dt>{w('version')}</dt><dd>{v.version.version} ({v.version.git})</dd>
        <dt>{w('system')}</dt><dd>{v.ready ? w('ready') : w('notReady')}</dd>
        <dt>{w('models')}</dt><dd>{list(v.models) || w('none')}</dd>
      </dl>
    )}</Shown>
  );
}

const ACTS = ['sign-in', 'sign-out', 'login.revoke', 'key.make', 'key.revoke', 'key.use', 'download', 'export', 'share',
  'share.end', 'delete', 'erase', 'admin.view'];

function Log() {
  const { w } = useWords();
  const { language } = useLocale();
  const [action, setAction] = useState('');
  const query = action ? { action } : {};
  const log = useLoaded(`log ${action}`, (signal) => client.listAudit({ ...query, limit: 100 }, { signal }));
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' });
  return (
    <>
      <div className="invite">
        <label className="field">{w('act')}
          <select value={action} onChange={(e) => setAction(e.target.value)}>
            <option value="">{w('allActs')}</option>
            {ACTS.map((a) => <option key={a}>{a}</option>)}
          </select></label>
        <a className="button outlined" href={`/api/audit?format=jsonl${action ? `&action=${action}` : ''}`} download="audit.jsonl">{w('asLines')}</a>
      </div>
      <Shown of={log}>{({ entries }) => (entries.length ? (
        <ul className="plain">{entries.map((u) => (
          <li key={u.id} className="document">
            <span className="grow"><b><bdi>{u.userId}</bdi> · {u.action}{u.about && <> · <bdi>{u.about}</bdi></>}</b>
              <small>{[times.format(new Date(u.at)), u.keyPrefix && `fn_${u.keyPrefix}…`, u.address].filter(Boolean).join(' · ')}</small></span>
          </li>
        ))}</ul>
      ) : <p className="quiet">{w('noRows')}</p>)}</Shown>
    </>
  );
}

const SECTIONS = { users: Users, signedIn: SignedIn, keys: Keys, system: System, log: Log } as const;
type Section = keyof typeof SECTIONS & TextKey;

export default function Admin({ onClose }: { onClose: () => void }) {
  const { w } = useWords();
  const [now, setNow] = useState<Section>('users');
  const names = Object.keys(SECTIONS) as Section[];
  const Now = SECTIONS[now];
  const move = (by: number) => {
    const next = names[(names.indexOf(now) + by + names.length) % names.length]!;
    setNow(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <Dialog title={w('admin')} className="wide" onClose={onClose}>
      <div className="dialog-body">
        <div className="tabs" role="tablist" aria-label={w('adminSections')}
          onKeyDown={(e) => { if (e.key === 'ArrowRight') move(1); if (e.key === 'ArrowLeft') move(-1); }}>
          {names.map((s) => (
            <button key={s} id={`tab-${s}`} type="button" role="tab" className="button" aria-selected={s === now}
              aria-controls="tab-shown" tabIndex={s === now ? 0 : -1} onClick={() => setNow(s)}>{w(s)}</button>
          ))}
        </div>
        <div id="tab-shown" role="tabpanel" aria-labelledby={`tab-${now}`}><Now /></div>
      </div>
    </Dialog>
  );
}
