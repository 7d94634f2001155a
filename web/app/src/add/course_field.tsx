// The form field that chooses the course of a new document.
import { useState } from 'react';
import { courses, mayEdit } from '../data/courses.ts';
import { useStore } from '../data/store.ts';
import { useLocale } from '../i18n/index.ts';
import { defaultCourseId } from './pick_files.ts';

export interface CourseChoice { id: string; set: (id: string) => void }

export function useCourseChoice(): CourseChoice {
  const all = (useStore(courses) ?? []).filter(mayEdit);
  const [id, set] = useState<string | null>(null);
  return { id: id ?? defaultCourseId() ?? all[0]?.id ?? '', set };
}

export function CourseField({ choice }: { choice: CourseChoice }) {
  const { t } = useLocale();
  const all = (useStore(courses) ?? []).filter(mayEdit);
  return (
    <label className="field">{t('course')}
      <select value={choice.id} onChange={(e) => choice.set(e.target.value)}>
        {all.map((c) => <option key={c.id} value={c.id}>{c.title}</option>)}
      </select>
    </label>
  );
}
