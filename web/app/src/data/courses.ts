// Courses, and the documents of each.
import type { Api, DocumentInfo } from '@footnote/client';
import { client } from './api.ts';
import { saveItem, loadItem } from './browser_storage.ts';
import { createStore } from './store.ts';

export type Course = Api.Course;

export const courses = createStore<Course[] | null>(null);

/** Readers may ask, and neither add nor delete. */
export const mayEdit = (course: Course | undefined) => course?.role === 'owner' || course?.role === 'editor';
export const mayEditCourse = (id: string | null) => mayEdit(courses.get()?.find((c) => c.id === id));

export async function refreshCourses() {
  const all: Course[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listCourses({ limit: 200, cursor });
    all.push(...page.courses);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  courses.set(all);
}

export async function createCourse(title: string): Promise<Course> {
  const course = await client.createCourse({ title });
  await refreshCourses();
  return course;
}

export const courseTitle = (id: string | null | undefined) =>
  courses.get()?.find((c) => c.id === id)?.title ?? null;

/** All documents of a course, from as many requests as it takes. */
export async function documentsOf(courseId: string, signal?: AbortSignal): Promise<DocumentInfo[]> {
  const all: DocumentInfo[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listDocuments(courseId, { limit: 200, cursor }, { signal });
    all.push(...page.documents);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return all;
}

// ---- Scope ----------------------------------------------------------------

export interface Limits {
  documents: Array<{ id: string; title: string }>;
  kinds: DocumentInfo['kind'][];
  /** Days; empty: any. */
  from: string;
  to: string;
  since: string;
}
export interface Scope extends Limits { courseId: string | null }

const unlimited: Limits = { documents: [], kinds: [], from: '', to: '', since: '' };
const last = loadItem('course');

/** The scope of the next question.  Opening a conversation sets its course. */
export const scope = createStore<Scope>({ courseId: last, ...unlimited });

/** Another course has other documents: nothing is limited there. */
export function setCourse(courseId: string | null) {
  saveItem('course', courseId);
  scope.set({ courseId, ...unlimited });
}
export const limit = (to: Partial<Limits>) => scope.set({ ...scope.get(), ...to });
export const unlimit = () => limit(unlimited);

/** As a question takes it along; undefined: it is not limited. */
export function limitsOf({ courseId, documents, kinds, from, to, since }: Scope): Api.Scope | undefined {
  const limits = {
    ...(documents.length && { documentIds: documents.map((d) => d.id) }),
    ...(kinds.length && { kinds }),
    ...(from && { dateFrom: from }),
    ...(to && { dateTo: to }),
    ...(since && { changedSince: new Date(`${since}T00:00:00`).toISOString() }),
  };
  return Object.keys(limits).length ? { courseId, ...limits } : undefined;
}
