// The courses beside the table; on a phone, chips above it.
import type { Course } from '../data/courses.ts';
import { useLocale } from '../i18n/index.ts';
import { followLink } from '../router.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { parseView, urlOf, type View } from './query.ts';
import { useWords } from './words/index.ts';

interface Props {
  view: View;
  courses: Course[];
  counts: ReadonlyMap<string, number> | null;
}

export function Courses({ view, courses, counts }: Props) {
  const { number } = useLocale();
  const { w } = useWords();
  const kept = courses.filter((c) => c.archivedAt);
  const open = courses.filter((c) => !c.archivedAt);
  const sum = open.reduce((n, c) => n + (counts?.get(c.id) ?? 0), 0);
  const link = (id: string | null, name: string, n: number | undefined, icon?: IconName) => {
    const url = urlOf({ ...parseView('/library'), courseId: id, sort: view.sort, reversed: view.reversed });
    return (
      <a key={id ?? ''} href={url} className="course-link" aria-current={view.courseId === id ? 'page' : undefined}
        onClick={(e) => followLink(e, url)}>
        {icon && <Icon name={icon} />}<span className="grow" dir="auto">{name}</span>
        {n !== undefined && <bdi className="course-n">{number(n)}</bdi>}
      </a>
    );
  };
  return (
    <nav className="courses" aria-label={w('coursesTitle')}>
      {link(null, w('allDocuments'), counts ? sum : undefined, 'books')}
      <h2>{w('coursesTitle')}</h2>
      {open.map((c) => link(c.id, c.title ?? c.id, counts?.get(c.id)))}
      <button type="button" className="course-link new" onClick={() => showDialog({ what: 'newcourse' })}>
        <Icon name="plus" /><span className="grow">{w('newCourse')}</span></button>
      {kept.length > 0 && <h2>{w('archivedTitle')}</h2>}
      {kept.map((c) => link(c.id, c.title ?? c.id, counts?.get(c.id)))}
    </nav>
  );
}
