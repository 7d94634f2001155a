// The search dialog: conversations and passages of documents in one list.
import { useDeferredValue, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { kindOf, nameOf } from '@footnote/client';
import { useLocale } from '../i18n/index.ts';
import { navigate, openPassage } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind_icon.tsx';
import { HighlightedText } from './highlighted_text.tsx';
import { useSearch, type FoundSession } from './use_search.ts';

interface Row { key: string; icon: ReactNode; title: string; subtitle: string; open: () => void }

function useRows(q: string, onClose: () => void) {
  const { t, words, ago } = useLocale();
  const found = useSearch(q);
  const rowOf = (s: FoundSession): Row => ({
    key: s.id, icon: <Icon name="text" />, title: s.title ?? t('newQuestion'),
    subtitle: s.match?.snippet && s.match.snippet !== s.title ? s.match.snippet : ago(s.updatedAt),
    open: () => { onClose(); navigate({ sessionId: s.id, messageId: s.match?.messageId ?? undefined }); },
  });
  const passages = found.hits.map((h): Row => ({
    key: `passage ${h.sourceId}`, icon: <KindIcon of={kindOf(h)} small />,
    title: nameOf(h, words.labels), subtitle: h.contentPreview ?? '',
    open: () => { onClose(); openPassage(h); },
  }));
  const groups = [
    { name: t('searchSessions'), rows: found.sessions.map(rowOf) },
    { name: t('searchPassages'), rows: passages },
    { name: t('searchOlder'), rows: found.older.map(rowOf) },
  ].filter((g) => g.rows.length > 0);
  return { groups, rows: groups.flatMap((g) => g.rows), state: found.state, again: found.again };
}

export function Finder({ onClose }: { onClose: () => void }) {
  const { t, n } = useLocale();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const { groups, rows, state, again } = useRows(q, onClose);
  // By key: rows that come later do not move the choice to another row.
  const [chosen, setChosen] = useState({ q, key: '' });
  const selected = Math.max(0, chosen.q === q ? rows.findIndex((r) => r.key === chosen.key) : 0);
  const choose = (row: Row | undefined) => setChosen({ q, key: row?.key ?? '' });
  const results = useRef<HTMLDivElement>(null);

  useEffect(() => {
    results.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const key = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) {
      e.preventDefault();
      choose(rows[Math.max(0, Math.min(rows.length - 1, selected + step))]);
    } else if (e.key === 'Enter' && !e.nativeEvent.isComposing) {
      e.preventDefault();
      rows[selected]?.open();
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
          aria-label={t('searchLabel')} aria-controls="found" aria-expanded={rows.length > 0}
          aria-activedescendant={rows[selected] ? `found-${selected}` : undefined}
          onChange={(e) => setText(e.target.value)} onKeyDown={key} />
        <kbd aria-hidden="true">esc</kbd>
      </div>
      <div className="results" ref={results} tabIndex={0} aria-busy={state === 'searching'}>
        <p className="hidden-visually" role="status">{q && state === 'ready' ? n('results', rows.length) : ''}</p>
        {q && state === 'failed' && (
          <p className="notice bad" role="alert"><span className="grow">{t('err_unreachable')}</span>
            <button type="button" className="button" onClick={again}>{t('tryAgain')}</button></p>
        )}
        {q && state === 'ready' && !rows.length && <p className="pane-empty">{t('searchNone', { q })}</p>}
        <div id="found" role="listbox" aria-label={t('searchLabel')}>
          {groups.map((g) => (
            <div key={g.name} role="group" aria-label={g.name}>
              <div className="menu-title" role="presentation">{g.name}</div>
              {g.rows.map((f) => (
                <div key={f.key} id={`found-${rows.indexOf(f)}`} role="option" aria-selected={f === rows[selected]} className="hit"
                  onClick={f.open} onMouseMove={() => choose(f)}>
                  {f.icon}
                  <span><b dir="auto"><HighlightedText text={f.title} words={q} /></b><small dir="auto"><HighlightedText text={f.subtitle} words={q} /></small></span>
                </div>
              ))}
            </div>
          ))}
        </div>
        {q && state === 'searching' && <p className="searching"><span className="spin" />{t('searchMore')}</p>}
      </div>
    </Dialog>
  );
}
