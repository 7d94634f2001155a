// Which documents are cited most and which never.  Only counts: whose answers
// cite them is not shown.
import { client } from '../data/api.ts';
import { useLoaded } from '../data/loaded.ts';
import { useLocale } from '../i18n/index.ts';

const SHOWN = 8;

export function CitationCounts({ courseId }: { courseId: string }) {
  const { t, n } = useLocale();
  const stats = useLoaded(courseId, (signal) => client.courseStats(courseId, { signal }));

  // The server refuses readers of the course; they see nothing here.
  if (stats.state !== 'ready') return null;
  const { mostCited, neverCited } = stats.value;
  const most = mostCited[0]?.count ?? 1;
  return (
    <div className="course-columns">
      <section>
        <h3>{t('mostCited')}</h3>
        {!mostCited.length && <p className="quiet">{t('noneCited')}</p>}
        <ul className="plain">
          {mostCited.slice(0, SHOWN).map((d) => (
            <li key={d.documentId} className="citation-count">
              <span dir="auto">{d.title}</span><span className="quiet">{n('citedTimes', d.count)}</span>
              <div className="bar" aria-hidden="true"><i style={{ inlineSize: `${(100 * d.count) / most}%` }} /></div>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>{t('neverCited')}</h3>
        {!neverCited.length && <p className="quiet">{t('allCited')}</p>}
        <ul className="plain">
          {neverCited.slice(0, SHOWN).map((d) => <li key={d.documentId} className="citation-count" dir="auto">{d.title}</li>)}
        </ul>
      </section>
    </div>
  );
}
