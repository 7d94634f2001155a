// The frame: the rail, the conversation, and what lies over them.
import { lazy, Suspense, useEffect, useState } from 'react';
import { Chat } from '../chat/chat.tsx';
import { newId, reachable } from '../data/api.ts';
import { uploads } from '../data/uploads.ts';
import { createStore, useStore } from '../data/store.ts';
import { useWords } from '../i18n/index.ts';
import { go, usePlace } from '../router.ts';
import { toastStore } from '../ui/toast.ts';
import { over } from './over.ts';
import { Rail } from './rail.tsx';
import { useShortcuts } from './shortcuts.ts';

/** Dialogs come when the first one is opened. */
const Dialogs = lazy(() => import('./dialogs.tsx'));

/** The id that the next new conversation will have. */
const fresh = createStore(newId());
/** Made on this page: there is nothing to load. */
const made = new Set<string>();

export function newQuestion() {
  if (made.has(fresh.get())) fresh.set(newId());
  go(null);
  requestAnimationFrame(() => document.getElementById('question')?.focus());
}

function Toast() {
  const text = useStore(toastStore);
  return <div role="status">{text && <div className="toast">{text}</div>}</div>;
}

/** Leaving would end an upload: the browser asks. */
function useLeaveGuard() {
  const busy = useStore(uploads).some((u) => u.phase === 'uploading');
  useEffect(() => {
    if (!busy) return;
    const ask = (e: BeforeUnloadEvent) => e.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [busy]);
}

export function Shell() {
  const { t } = useWords();
  const place = usePlace();
  const next = useStore(fresh);
  const online = useStore(reachable);
  const dialog = useStore(over);
  const [rail, setRail] = useState(false);
  const id = place?.sessionId ?? next;

  useShortcuts(newQuestion);
  useLeaveGuard();
  useEffect(() => {
    setRail(false);
  }, [id]);
  return (
    <>
      <a className="skip" href="#question">{t('skip')}</a>
      <Chat key={id} sessionId={id} place={place} isNew={!place}
        onMade={() => { made.add(id); go({ sessionId: id }, 'replace'); }}
        onRail={() => setRail(true)}
        banner={online ? null : <div className="banner" role="status">{t('offline')}</div>}
        rail={<Rail current={place?.sessionId ?? null} open={rail} onClose={() => setRail(false)}
          onNew={() => { setRail(false); newQuestion(); }} />} />
      {rail && <div className="drawer-ground" onClick={() => setRail(false)} />}
      {dialog && <Suspense><Dialogs now={dialog} /></Suspense>}
      <Toast />
    </>
  );
}
