// The frame of the app: rail, conversation, open dialog and toast.
import { lazy, Suspense, useEffect, useState } from 'react';
import { DropFiles } from '../add/drop_files.tsx';
import { Chat } from '../chat/chat.tsx';
import { newId, reachable } from '../data/api.ts';
import { createdHere } from '../data/sessions.ts';
import { sameNames, uploads } from '../data/uploads.ts';
import { createStore, useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { navigate, useLibraryUrl, usePlace, useReaderPlace } from '../router.ts';
import { toastStore } from '../ui/toast.ts';
import { openDialog } from './open_dialog.ts';
import { Rail } from './rail.tsx';
import { useShortcuts } from './shortcuts.ts';

/** Loaded when they are needed. */
const SameNames = lazy(() => import('../library/same_names.tsx'));
const Library = lazy(() => import('../library/library.tsx'));
const Reader = lazy(() => import('../reader/reader.tsx'));
const Dialogs = lazy(() => import('./dialogs.tsx'));

/** The id that the next new conversation will have. */
const nextSessionId = createStore(newId());

export function newQuestion() {
  if (createdHere.has(nextSessionId.get())) nextSessionId.set(newId());
  navigate(null);
  requestAnimationFrame(() => document.getElementById('question')?.focus());
}

function Toast() {
  const text = useStore(toastStore);
  return <div role="status">{text && <div className="toast">{text}</div>}</div>;
}

/** The browser asks before leaving while files are uploaded. */
function useLeaveGuard() {
  const busy = useStore(uploads).some((u) => u.phase === 'uploading');
  useEffect(() => {
    if (!busy) return;
    const confirmLeaving = (e: BeforeUnloadEvent) => e.preventDefault();
    addEventListener('beforeunload', confirmLeaving);
    return () => removeEventListener('beforeunload', confirmLeaving);
  }, [busy]);
}

export function Shell() {
  const { t } = useLocale();
  const place = usePlace();
  const reader = useReaderPlace();
  const library = useLibraryUrl();
  const next = useStore(nextSessionId);
  const online = useStore(reachable);
  const dialog = useStore(openDialog);
  const asking = useStore(sameNames).length > 0;
  const [railOpen, setRailOpen] = useState(false);
  const id = place?.sessionId ?? next;

  useShortcuts(newQuestion);
  useLeaveGuard();
  useEffect(() => {
    setRailOpen(false);
  }, [id, library]);
  const rail = (
    <Rail current={place?.sessionId ?? null} open={railOpen} onClose={() => setRailOpen(false)}
      onNew={() => { setRailOpen(false); newQuestion(); }} />
  );
  return (
    <>
      {!reader && library === null && <a className="skip" href="#question">{t('skip')}</a>}
      {reader || library !== null ? (
        <div className="shell">
          {rail}
          <Suspense>
            {reader ? <Reader place={reader} onRail={() => setRailOpen(true)} />
              : <Library url={library!} onRail={() => setRailOpen(true)} />}
          </Suspense>
        </div>
      ) : <Chat key={id} sessionId={id} place={place} isNew={!place}
        onCreated={() => { createdHere.add(id); navigate({ sessionId: id }, 'replace'); }}
        onRail={() => setRailOpen(true)}
        banner={online ? null : <div className="banner" role="status">{t('offline')}</div>}
        rail={rail} />}
      {railOpen && <div className="drawer-backdrop" onClick={() => setRailOpen(false)} />}
      {dialog && <Suspense><Dialogs now={dialog} /></Suspense>}
      {asking && <Suspense><SameNames /></Suspense>}
      <DropFiles />
      <Toast />
    </>
  );
}
