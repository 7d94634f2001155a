// Adds files to a course: the one in scope, the only one, or a new one.
import { courses, scope } from '../data/courses.ts';
import { addFiles } from '../data/uploads.ts';
import { showDialog } from '../shell/open_dialog.ts';

/** The course for new documents; null when it cannot be guessed. */
export function defaultCourseId(): string | null {
  const all = courses.get() ?? [];
  return scope.get().courseId ?? (all.length === 1 ? all[0]!.id : null);
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
