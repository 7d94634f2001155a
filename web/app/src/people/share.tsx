// Sharing a frozen copy: what, until when, the link, and the links that hold.
import { useState } from 'react';
import type { Api } from '@footnote/client';
import { client } from '../data/api.ts';
import { errorText } from '../data/describe_error.ts';
import { useLoaded } from '../data/loaded.ts';
import { useLocale } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import './people.css';
import { useWords } from './words/index.ts';

const DAYS = [1, 7, 30, 365];
const DAY_S = 24 * 3600;

export function LinkRow({ of, onEnded }: { of: Api.Share; onEnded: () => void }) {
  const { t, date } = useLocale();
  const { w } = useWords();
  const what = [of.messageId ? w('shareAnswer') : w('shareAll'), of.files && w('linkFiles')].filter(Boolean).join(', ');
  const text = w('linkOf', { what, date: date(of.expiresAt) });
  const end = () => client.endShare(of.id).then(() => { toast(w('ended')); onEnded(); }, (e: unknown) => toast(errorText(e, t)));
  return (
    <li className="document">
      <Icon name="link" />
      <span className="grow"><b>{text}</b><small>{date(of.createdAt)}</small></span>
      <button type="button" className="button outlined danger" aria-label={`${w('endNow')}: ${text}`}
        onClick={() => void end()}>{w('endNow')}</button>
    </li>
  );
}

interface Props { sessionId: string; messageId: string | null; onClose: () => void }

export default function ShareDialog({ sessionId, messageId, onClose }: Props) {
  const { t } = useLocale();
  const { w, count } = useWords();
  const [whole, setWhole] = useState(!messageId);
  const [files, setFiles] = useState(false);
  const [days, setDays] = useState(30);
  const [made, setMade] = useState<{ url: string; copied: boolean } | null>(null);
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const links = useLoaded(sessionId, (signal) => client.listShares({ sessionId }, { signal }));

  const make = async () => {
    setBusy(true);
    setError('');
    try {
      const { url = '' } = await client.createShare(sessionId, {
        expiresIn: days * DAY_S, files, ...(whole || !messageId ? {} : { messageId }),
      });
      const copied = await navigator.clipboard.writeText(url).then(() => true, () => false);
      setMade({ url, copied });
      links.reload();
    } catch (e) {
      setError(errorText(e, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={w('shareTitle')} className="wide" onClose={onClose}>
      <div className="dialog-body share">
        <p className="quiet">{w('shareText')}</p>
        {messageId && (
          <fieldset className="choices">
            <legend className="hidden-visually">{w('shareWhat')}</legend>
            {[false, true].map((all) => (
              <label key={String(all)}><input type="radio" name="what" checked={whole === all}
                onChange={() => { setWhole(all); setMade(null); }} />{all ? w('shareAll') : w('shareAnswer')}</label>
            ))}
          </fieldset>
        )}
        <label className="choice"><input type="checkbox" checked={files} onChange={(e) => { setFiles(e.target.checked); setMade(null); }} />
          <span>{w('shareFiles')}<small>{w('shareFilesText')}</small></span></label>
        <label className="field">{w('shareEnds')}
          <select value={days} onChange={(e) => { setDays(Number(e.target.value)); setMade(null); }}>
            {DAYS.map((d) => <option key={d} value={d}>{count('days', d)}</option>)}
          </select></label>
        {error && <p className="notice bad" role="alert">{error}</p>}
        {made ? (
          <div role="status">
            <p className="quiet">{made.copied ? w('linkReady') : w('linkShown')}</p>
            <p className="made"><code>{made.url}</code></p>
            <a href={made.url} target="_blank" rel="noreferrer">{w('seeIt')}</a>
          </div>
        ) : (
          <div className="dialog-foot">
            <button type="button" className="button primary" data-focus disabled={busy} onClick={() => void make()}>
              <Icon name="copy" />{w('makeLink')}</button>
          </div>
        )}
        <h3 className="section-title">{w('links')}</h3>
        {links.state === 'failed' && <p className="notice bad" role="alert">{errorText(links.error, t)}</p>}
        {links.value && (links.value.shares.length
          ? <ul className="plain">{links.value.shares.map((s) => <LinkRow key={s.id} of={s} onEnded={links.reload} />)}</ul>
          : <p className="quiet">{w('noLinks')}</p>)}
      </div>
    </Dialog>
  );
}
