// The dialog that is open.
import { lazy } from 'react';
import { JournalForm } from '../add/journal.tsx';
import { WebPageForm } from '../add/web_page.tsx';
import { CourseDialog } from '../course/course.tsx';
import { NewCourse } from '../course/new_course.tsx';
import { Finder } from '../find/finder.tsx';
import { Logins } from '../signin/logins.tsx';
import { Help } from './help.tsx';
import { showDialog, type OpenDialog } from './open_dialog.ts';

/** Few open these. */
const PeopleDialog = lazy(() => import('../people/people.tsx'));
const ShareDialog = lazy(() => import('../people/share.tsx'));
const Admin = lazy(() => import('../people/admin.tsx'));

export default function Dialogs({ now }: { now: OpenDialog }) {
  const close = () => showDialog(null);
  switch (now.what) {
    case 'find': return <Finder onClose={close} />;
    case 'logins': return <Logins onClose={close} />;
    case 'help': return <Help onClose={close} />;
    case 'course': return <CourseDialog courseId={now.courseId} onClose={close} />;
    case 'newcourse': return <NewCourse files={now.files} onClose={close} />;
    case 'journal': return <JournalForm onClose={close} />;
    case 'people': return <PeopleDialog courseId={now.courseId} onClose={close} />;
    case 'admin': return <Admin onClose={close} />;
    case 'share': return <ShareDialog sessionId={now.sessionId} messageId={now.messageId} onClose={close} />;
    case 'page': return <WebPageForm onClose={close} />;
  }
}
