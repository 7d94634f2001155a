// Models that the server offers besides its default.
import { client } from './api.ts';
import { saveItem, loadItem } from './browser_storage.ts';
import { EXTRACTIVE } from './extractive.ts';
import { createStore } from './store.ts';

export const models = createStore<string[]>([]);
/** The server has said that it has no model: it quotes. */
export const isWithoutModel = createStore(false);
export const model = createStore<string | null>(loadItem('model'));

export function setModel(name: string | null) {
  saveItem('model', name);
  model.set(name);
}

/** The list has "footnote@MODEL" for each model, and entries for courses. */
export async function refreshModels() {
  try {
    const { data } = await client.listModels();
    const names = data.map((m) => m.id.split('@')[1]).filter((m): m is string => !!m && m !== EXTRACTIVE);
    models.set([...new Set(names)]);
    isWithoutModel.set(!names.length);
    const chosen = model.get();
    if (chosen && !names.includes(chosen)) setModel(null);
  } catch {
    models.set([]); // the picker stays hidden
  }
}
