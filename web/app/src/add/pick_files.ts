// Adds files to a course: the one in scope, the only one, or a new one.
import { courses, mayEdit, scope } from '../data/courses.ts';
import { addFiles } from '../data/uploads.ts';
import { showDialog } from '../shell/open_dialog.ts';

/** The course for new documents; null when it cannot be guessed. */
export function defaultCourseId(): string | null {
  const mine = (courses.get() ?? []).filter(mayEdit);
  const { courseId } = scope.get();
  if (courseId) return mine.some((c) => c.id === courseId) ? courseId : null;
  return mine.length === 1 ? mine[0]!.id : null;
}

export function addFilesToCourse(files: File[], courseId = defaultCourseId()) {
  if (!files.length) return;
  if (courseId) addFiles(courseId, files);
  else showDialog({ what: 'newcourse', files });
}

export function pickFiles(courseId?: string) {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () =>
    addFilesToCourse([...(input.files ?? [])], courseId ?? defaultCourseId()));
  input.click();
}
