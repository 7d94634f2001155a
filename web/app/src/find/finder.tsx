// One search over conversations and documents: words in, places out.
import { useDeferredValue, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { nameOf } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { setScope } from '../data/courses.ts';
import { keepDraft } from '../data/kept.ts';
import { useWords } from '../i18n/index.ts';
import { go } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kind } from '../ui/kind.tsx';
import { Lit } from './lit.tsx';

interface Found { key: string; group: string; icon: ReactNode; title: string; under: string; open: () => void }
const DELAY_MS = 150;

async function look(q: string, signal: AbortSignal) {
  const [sessions, passages] = await Promise.allSettled([
    client.listSessions({ q, limit: 8 }, { signal }),
    client.search({ q, limit: 8 }, { signal }),
  ]);
  if (sessions.status === 'rejected' && passages.status === 'rejected') throw sessions.reason;
  return {
    sessions: sessions.status === 'fulfilled' ? sessions.value.sessions : [],
    hits: passages.status === 'fulfilled' ? passages.value.hits : [],
  };
}

function useFound(q: string, onClose: () => void) {
  const { t, words, ago } = useWords();
  const result = useLoaded(q || null, async (signal) => {
    await new Promise((r) => setTimeout(r, DELAY_MS));
    signal.throwIfAborted();
    return look(q, signal);
  });
  const list: Found[] = [];
  for (const s of result.value?.sessions ?? [])
    list.push({
      key: s.id, group: t('searchSessions'), icon: <Icon name="text" />, title: s.title ?? t('newQuestion'),
      under: s.match?.snippet && s.match.snippet !== s.title ? s.match.snippet : ago(s.updatedAt),
      open: () => { onClose(); go({ sessionId: s.id, messageId: s.match?.messageId ?? undefined }); },
    });
  for (const h of result.value?.hits ?? [])
    list.push({
      key: `${h.sourceId}`, group: t('searchPassages'), icon: <Kind of={h.sourceType} small />,
      title: nameOf(h, words.labels), under: h.contentPreview ?? '',
      open: () => {
        onClose();
        if (h.documentId)
          setScope({ courseId: h.courseId ?? null, document: { id: h.documentId, title: h.title ?? h.documentId } });
        keepDraft('new', q);
        go(null);
        dispatchEvent(new Event('footnote:draft'));
      },
    });
  return { list, state: result.state, again: result.again };
}

export function Finder({ onClose }: { onClose: () => void }) {
  const { t, n } = useWords();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const q = useDeferredValue(text.trim());
  const { list, state, again } = useFound(q, onClose);
  const results = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setAt(0);
  }, [q, list.length]);
  useEffect(() => {
    results.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const key = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) {
      e.preventDefault();
      setAt((now) => Math.max(0, Math.min(list.length - 1, now + step)));
    } else if (e.key === 'Enter' && !e.nativeEvent.isComposing) {
      e.preventDefault();
      list[at]?.open();
    } else if (e.key === 'Escape') { // a search field would only empty itself
      e.preventDefault();
      onClose();
    }
  };
  return (
    <Dialog title={t('searchLabel')} className="finder" bare onClose={onClose}>
      <div className="find-box">
        <Icon name="search" />
        <input type="search" role="combobox" autoFocus value={text} placeholder={t('searchHint')} dir="auto"
          aria-label={t('searchLabel')} aria-controls="found" aria-expanded={list.length > 0}
          aria-activedescendant={list[at] ? `found-${at}` : undefined}
          onChange={(e) => setText(e.target.value)} onKeyDown={key} />
        <kbd aria-hidden="true">esc</kbd>
      </div>
      <div className="results" ref={results} tabIndex={0}>
        <p className="hidden-visually" role="status">{q && state === 'ready' ? n('results', list.length) : ''}</p>
        {q && state === 'failed' && (
          <p className="notice bad" role="alert"><span className="grow">{t('err_unreachable')}</span>
            <button type="button" className="button" onClick={again}>{t('tryAgain')}</button></p>
        )}
        {q && state === 'ready' && !list.length && <p className="pane-empty">{t('searchNone', { q })}</p>}
        <div id="found" role="listbox" aria-label={t('searchLabel')}>
          {list.map((f, i) => (
            <div key={f.key} role="presentation">
              {f.group !== list[i - 1]?.group && <div className="menu-title" role="presentation">{f.group}</div>}
              <div id={`found-${i}`} role="option" aria-selected={i === at} className="hit" onClick={f.open}
                onMouseMove={() => setAt(i)}>
                {f.icon}
                <span><b dir="auto"><Lit text={f.title} words={q} /></b><small dir="auto"><Lit text={f.under} words={q} /></small></span>
              </div>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
