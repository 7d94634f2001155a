// Adds files to a course: the one in view or in scope, the only one, or one that
// is asked for.
import { courses, mayEdit, scope } from '../data/courses.ts';
import { addFiles } from '../data/uploads.ts';
import { libraryCourse } from '../router.ts';
import { showDialog } from '../shell/open_dialog.ts';

/** The course for new documents; null when it cannot be guessed. */
export function defaultCourseId(): string | null {
  const mine = (courses.get() ?? []).filter(mayEdit);
  const courseId = libraryCourse() ?? scope.get().courseId;
  if (courseId) return mine.some((c) => c.id === courseId) ? courseId : null;
  return mine.length === 1 ? mine[0]!.id : null;
}

export function addFilesToCourse(files: File[], courseId = defaultCourseId()) {
  if (!files.length) return;
  if (courseId) addFiles(courseId, files);
  else showDialog({ what: 'newcourse', files });
}

/** Hidden files of a folder are no documents. */
const isHidden = (file: File) => /(?:^|\/)\./.test(file.webkitRelativePath || file.name);

export function chooseFiles(take: (files: File[]) => void, folder = false) {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = folder;
  input.addEventListener('change', () => take([...(input.files ?? [])].filter((f) => !folder || !isHidden(f))));
  input.click();
}

export const pickFiles = (courseId?: string) =>
  chooseFiles((files) => addFilesToCourse(files, courseId ?? defaultCourseId()));
