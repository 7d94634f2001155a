// What lies over the page, one at a time.
import { JournalForm } from '../add/journal.tsx';
import { PageForm } from '../add/page.tsx';
import { CourseDialog } from '../course/course.tsx';
import { NewCourse } from '../course/new_course.tsx';
import { Finder } from '../find/finder.tsx';
import { Help } from './help.tsx';
import { show, type Over } from './over.ts';

export default function Dialogs({ now }: { now: Over }) {
  const close = () => show(null);
  switch (now.what) {
    case 'find': return <Finder onClose={close} />;
    case 'help': return <Help onClose={close} />;
    case 'course': return <CourseDialog courseId={now.courseId} onClose={close} />;
    case 'newcourse': return <NewCourse files={now.files} onClose={close} />;
    case 'journal': return <JournalForm onClose={close} />;
    case 'page': return <PageForm onClose={close} />;
  }
}
