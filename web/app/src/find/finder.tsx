// The search dialog: conversations and passages of documents in one list.
import { useDeferredValue, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { nameOf } from '@footnote/client';
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { setScope } from '../data/courses.ts';
import { saveDraft } from '../data/browser_storage.ts';
import { useLocale } from '../i18n/index.ts';
import { navigate } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { HighlightedText } from './highlighted_text.tsx';

interface Result { key: string; group: string; icon: ReactNode; title: string; subtitle: string; open: () => void }
const DELAY_MS = 150;

async function search(q: string, signal: AbortSignal) {
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

function useResults(q: string, onClose: () => void) {
  const { t, words, ago } = useLocale();
  const result = useLoaded(q || null, async (signal) => {
    await new Promise((r) => setTimeout(r, DELAY_MS));
    signal.throwIfAborted();
    return search(q, signal);
  });
  const list: Result[] = [];
  for (const s of result.value?.sessions ?? [])
    list.push({
      key: s.id, group: t('searchSessions'), icon: <Icon name="text" />, title: s.title ?? t('newQuestion'),
      subtitle: s.match?.snippet && s.match.snippet !== s.title ? s.match.snippet : ago(s.updatedAt),
      open: () => { onClose(); navigate({ sessionId: s.id, messageId: s.match?.messageId ?? undefined }); },
    });
  for (const h of result.value?.hits ?? [])
    list.push({
      key: `${h.sourceId}`, group: t('searchPassages'), icon: <KindIcon of={h.sourceType} small />,
      title: nameOf(h, words.labels), subtitle: h.contentPreview ?? '',
      open: () => {
        onClose();
        if (h.documentId)
          setScope({ courseId: h.courseId ?? null, document: { id: h.documentId, title: h.title ?? h.documentId } });
        saveDraft('new', q);
        navigate(null);
        dispatchEvent(new Event('footnote:draft'));
      },
    });
  return { list, state: result.state, again: result.reload };
}

export function Finder({ onClose }: { onClose: () => void }) {
  const { t, n } = useLocale();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const q = useDeferredValue(text.trim());
  const { list, state, again } = useResults(q, onClose);
  const results = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setSelected(0);
  }, [q, list.length]);
  useEffect(() => {
    results.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const key = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) {
      e.preventDefault();
      setSelected((now) => Math.max(0, Math.min(list.length - 1, now + step)));
    } else if (e.key === 'Enter' && !e.nativeEvent.isComposing) {
      e.preventDefault();
      list[selected]?.open();
    } else if (e.key === 'Escape') { // a search field would only empty itself
      e.preventDefault();
      onClose();
    }
  };
  return (
    <Dialog title={t('searchLabel')} className="finder" headless onClose={onClose}>
      <div className="find-box">
        <Icon name="search" />
        <input type="search" role="combobox" autoFocus value={text} placeholder={t('searchHint')} dir="auto"
          aria-label={t('searchLabel')} aria-controls="found" aria-expanded={list.length > 0}
          aria-activedescendant={list[selected] ? `found-${selected}` : undefined}
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
              <div id={`found-${i}`} role="option" aria-selected={i === selected} className="hit" onClick={f.open}
                onMouseMove={() => setSelected(i)}>
                {f.icon}
                <span><b dir="auto"><HighlightedText text={f.title} words={q} /></b><small dir="auto"><HighlightedText text={f.subtitle} words={q} /></small></span>
              </div>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
