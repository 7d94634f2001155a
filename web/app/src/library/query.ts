// What the library shows, as its address says it: /library/{course}?q=…
import type { DocumentInfo, LibraryQuery } from '@footnote/client';

export type Sort = NonNullable<LibraryQuery['sort']>;
export interface View {
  courseId: string | null;
  q: string;
  kind: DocumentInfo['kind'] | null;
  state: DocumentInfo['status'] | null;
  cited: 'yes' | 'no' | null;
  sort: Sort;
  reversed: boolean;
}

export const KINDS = ['slides', 'lecture', 'journal', 'page', 'text'] as const;
export const STATES = ['ready', 'indexing', 'queued', 'failed'] as const;
const CITED = ['yes', 'no'] as const;
const SORTS = ['changed', 'name', 'cited', 'size'] as const;

const oneOf = <T extends string>(list: readonly T[], value: string | null): T | null =>
  list.find((one) => one === value) ?? null;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parseView(url: string): View {
  const { pathname, searchParams: p } = new URL(url, 'http://localhost');
  const course = /^\/library\/([^/]+)/.exec(pathname)?.[1];
  return {
    courseId: course === undefined ? null : decoded(course),
    q: p.get('q') ?? '',
    kind: oneOf(KINDS, p.get('kind')),
    state: oneOf(STATES, p.get('state')),
    cited: oneOf(CITED, p.get('cited')),
    sort: oneOf(SORTS, p.get('sort')) ?? 'changed',
    reversed: p.get('order') === 'last',
  };
}

export function urlOf(view: View): string {
  const p = new URLSearchParams();
  if (view.q) p.set('q', view.q);
  if (view.kind) p.set('kind', view.kind);
  if (view.state) p.set('state', view.state);
  if (view.cited) p.set('cited', view.cited);
  if (view.sort !== 'changed') p.set('sort', view.sort);
  if (view.reversed) p.set('order', 'last');
  const path = view.courseId === null ? '/library' : `/library/${encodeURIComponent(view.courseId)}`;
  return p.size ? `${path}?${p}` : path;
}

/** The same as the server is asked. */
export const queryOf = (view: View): LibraryQuery => ({
  ...(view.courseId !== null && { courseId: view.courseId }),
  ...(view.q.trim() && { q: view.q.trim() }),
  ...(view.kind && { kind: view.kind }),
  ...(view.state && { status: view.state }),
  ...(view.cited && { cited: view.cited }),
  sort: view.sort,
  ...(view.reversed && { order: 'last' as const }),
});

export const isFiltered = (view: View) => Boolean(view.q.trim() || view.kind || view.state || view.cited);

/** A click on the head of a column: again, the other way round. */
export const sortedBy = (view: View, sort: Sort): View =>
  ({ ...view, sort, reversed: view.sort === sort && !view.reversed });
