// What this browser keeps: drafts, theme, language, last scope.  A browser that
// keeps nothing (private windows, full disks) works too, for as long as the
// page is open.
const PREFIX = 'footnote:';
const here = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key) ?? here.get(key) ?? null;
  } catch {
    return here.get(key) ?? null;
  }
}

export function keep(key: string, value: string | null) {
  if (value === null) here.delete(key);
  else here.set(key, value);
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // It stays in `here`.
  }
}

/** What was typed and not sent, per conversation. */
export const draftOf = (sessionId: string) => recall(`draft:${sessionId}`) ?? '';
export const keepDraft = (sessionId: string, text: string) =>
  keep(`draft:${sessionId}`, text || null);
