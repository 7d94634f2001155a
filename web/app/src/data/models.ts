// Models that the server offers beside its usual one.
import { client } from './api.ts';
import { keep, recall } from './kept.ts';
import { createStore } from './store.ts';

export const models = createStore<string[]>([]);
export const model = createStore<string | null>(recall('model'));

export function setModel(name: string | null) {
  keep('model', name);
  model.set(name);
}

/** Answers without a model; always offered, and nothing that people pick. */
const NONE = 'extractive';

/** The list names "footnote@MODEL" for each one, and courses besides. */
export async function refreshModels() {
  try {
    const { data } = await client.listModels();
    const names = data.map((m) => m.id.split('@')[1]).filter((m): m is string => !!m && m !== NONE);
    models.set([...new Set(names)]);
    const chosen = model.get();
    if (chosen && !names.includes(chosen)) setModel(null);
  } catch {
    models.set([]); // then there is nothing to choose from
  }
}
