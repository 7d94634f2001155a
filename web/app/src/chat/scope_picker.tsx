// The menu that chooses the scope of a question: all courses, one course, or
// some of its documents.
import { useState } from 'react';
import { courses, documentsOf, limit, scope, setCourse } from '../data/courses.ts';
import { useLoaded } from '../data/loaded.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { showDialog } from '../shell/open_dialog.ts';
import { Icon } from '../ui/icon.tsx';
import { kindOfDocument } from '../data/kind_of_document.ts';
import { KindIcon } from '../ui/kind_icon.tsx';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../ui/menu.tsx';

/** Each can be chosen or not: the menu stays open. */
function Documents({ courseId, close }: { courseId: string; close: () => void }) {
  const { t } = useLocale();
  const chosen = useStore(scope).documents;
  const list = useLoaded(courseId, (signal) => documentsOf(courseId, signal));
  if (!list.value?.length) return null;
  return (
    <>
      <MenuTitle>{t('scopeDocuments')}</MenuTitle>
      {chosen.length > 0 && (
        <MenuItem onSelect={() => { close(); limit({ documents: [] }); }}>
          <span className="grow">{t('scopeWhole')}</span></MenuItem>
      )}
      {list.value.filter((d) => d.status === 'ready' || d.searchableVersion).map((d) => {
        const has = chosen.some((c) => c.id === d.id);
        return (
          <MenuItem key={d.id} checked={has} several onSelect={() => limit({ documents: has
            ? chosen.filter((c) => c.id !== d.id) : [...chosen, { id: d.id, title: d.title || d.filename || d.id }] })}>
            <KindIcon of={kindOfDocument(d)} small /><span className="grow" dir="auto">{d.title || d.filename}</span>
            {has && <Icon name="check" />}
          </MenuItem>
        );
      })}
    </>
  );
}

export function ScopePicker() {
  const { t, n } = useLocale();
  const all = useStore(courses) ?? [];
  const where = useStore(scope);
  const [timesOpened, setTimesOpened] = useState(0);
  const course = all.find((c) => c.id === where.courseId);
  const documents = where.documents.length > 1 ? n('scopeSeveral', where.documents.length) : where.documents[0]?.title;
  const name = documents ?? course?.title ?? t('allCourses');
  const trigger = <><Icon name="books" /><span><bdi>{name}</bdi></span><Icon name="down" /></>;
  return (
    <Menu className="pill" label={`${t('scope')}: ${name}`} trigger={trigger} onOpen={() => setTimesOpened(timesOpened + 1)}>
      {(close) => (
        <>
          <MenuTitle>{t('scopeCourses')}</MenuTitle>
          {[null, ...all].map((c) => (
            <MenuItem key={c?.id ?? ''} checked={(c?.id ?? null) === where.courseId}
              onSelect={() => { close(); setCourse(c?.id ?? null); }}>
              <span className="grow" dir="auto">{c?.title ?? t('allCourses')}</span>
              {(c?.id ?? null) === where.courseId && <Icon name="check" />}
            </MenuItem>
          ))}
          {where.courseId && <Documents key={timesOpened} courseId={where.courseId} close={close} />}
          <MenuLine />
          {where.courseId && (
            <MenuItem onSelect={() => { close(); showDialog({ what: 'course', courseId: where.courseId! }); }}>
              <Icon name="books" />{t('courseDocuments')}</MenuItem>
          )}
          <MenuItem onSelect={() => { close(); showDialog({ what: 'newcourse' }); }}><Icon name="plus" />{t('newCourse')}</MenuItem>
        </>
      )}
    </Menu>
  );
}
