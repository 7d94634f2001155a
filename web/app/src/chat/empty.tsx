// The page before the first question: which documents there are, and example
// questions.
import type { DocumentInfo } from '@footnote/client';
import { courses, documentsOf, scope } from '../data/courses.ts';
import { useLoaded } from '../data/loaded.ts';
import { useStore } from '../data/store.ts';
import { uploads } from '../data/uploads.ts';
import { useLocale, type Locale } from '../i18n/index.ts';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { KindIcon } from '../ui/kind_icon.tsx';
import { examplesOf } from './examples.ts';

const kinds = ['slides', 'paper', 'lecture', 'journal', 'page', 'text'] as const;

/** "Ready: 2 slide decks and 1 text." */
function summary(documents: DocumentInfo[], { n, list, t }: Locale): string | null {
  const count = (kind: (typeof kinds)[number]) => documents.filter((d) => kindOfDocument(d) === kind).length;
  const names = {
    slides: 'countSlides', paper: 'countPaper', lecture: 'countLecture', journal: 'countJournal', page: 'countPage', text: 'countText',
  } as const;
  const parts = kinds.filter((k) => count(k)).map((k) => n(names[k], count(k)));
  return parts.length ? t('ready', { list: list(parts) }) : null;
}

export function Empty({ onAsk }: { onAsk: (text: string) => void }) {
  const locale = useLocale();
  const { t, words } = locale;
  const all = useStore(courses);
  const where = useStore(scope);
  const courseId = where.courseId ?? (all?.length === 1 ? all[0]!.id : null);
  const uploaded = useStore(uploads).filter((u) => u.phase === 'ready').length;
  const documents = useLoaded(courseId && `${courseId} ${uploaded}`, (signal) => documentsOf(courseId!, signal));
  const ready = documents.value ? summary(documents.value.filter((d) => d.searchableVersion !== null), locale) : null;
  const examples = examplesOf(courseId, documents.value ?? [], locale.language);
  return (
    <div className="empty">
      <div>
        <h2>{t('emptyBefore')}<em>{t('emptyMark')}</em>{t('emptyAfter')}</h2>
        <p>{ready ?? (all?.length === 0 || documents.value ? t('emptyNone') : null)}</p>
        {examples.length > 0 && (
          <ul className="plain examples">
            {examples.map((e) => (
              <li key={e.text}>
                <button type="button" onClick={() => onAsk(e.text)}>
                  {e.text}
                  <span>{e.kinds.map((k) => <KindIcon key={k} of={k} small />)}
                    {locale.list(e.kinds.map((k) => words.labels.kinds[k] ?? k))}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
