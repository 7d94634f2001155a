// Which rows are selected, and which one the keyboard is at.  Pure: a row is
// known by its id, so what is selected stays so when the list is sorted anew.
export interface Selection {
  ids: ReadonlySet<string>;
  /** Where a range begins that Shift extends. */
  anchor: string | null;
}
export const NOTHING: Selection = { ids: new Set(), anchor: null };

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** From the anchor to this row, in the order that is shown. */
export function extended(now: Selection, id: string, shown: readonly string[]): Selection {
  const from = shown.indexOf(now.anchor ?? id);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return toggled(now, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...now.ids, ...range]), anchor: now.anchor ?? id };
}

export const allOf = (shown: readonly string[]): Selection => ({ ids: new Set(shown), anchor: shown[0] ?? null });

/** Without what is not there any more. */
export function kept(now: Selection, shown: readonly string[]): Selection {
  const there = new Set(shown);
  const ids = new Set([...now.ids].filter((id) => there.has(id)));
  return ids.size === now.ids.size ? now : { ids, anchor: now.anchor };
}
