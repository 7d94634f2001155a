// Small values in localStorage: drafts, theme, language, last scope.  Where that
// is forbidden or full, they live as long as the page.
const PREFIX = 'footnote:';
const memory = new Map<string, string>();

export function loadItem(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function saveItem(key: string, value: string | null) {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // The value stays in `memory`.
  }
}

/** The unsent question of a conversation. */
export const loadDraft = (sessionId: string) => loadItem(`draft:${sessionId}`) ?? '';
export const saveDraft = (sessionId: string, text: string) =>
  saveItem(`draft:${sessionId}`, text || null);
