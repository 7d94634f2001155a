// From "these files" to a course: the one that is asked about, the only one, or
// one that is made now.
import { courses, scope } from '../data/courses.ts';
import { addFiles } from '../data/uploads.ts';
import { show } from '../shell/over.ts';

/** Where new documents go; null when that cannot be guessed. */
export function courseForNew(): string | null {
  const all = courses.get() ?? [];
  return scope.get().courseId ?? (all.length === 1 ? all[0]!.id : null);
}

export function takeFiles(files: File[], courseId = courseForNew()) {
  if (!files.length) return;
  if (courseId) addFiles(courseId, files);
  else show({ what: 'newcourse', files });
}

export function pickFiles(courseId?: string) {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () =>
    takeFiles([...(input.files ?? [])], courseId ?? courseForNew()));
  input.click();
}
