// docx.mjs FILE...: what mammoth reads of each: [footnotes, places that name
// one, those that lead nowhere], then the text of all.
import { readFileSync } from 'node:fs';
import mammoth from 'mammoth';

for (const file of process.argv.slice(2)) {
  const { value, messages } = await mammoth.convertToHtml(
    { buffer: readFileSync(file) });
  const notes = [...value.matchAll(/<li id="footnote-(\d+)"/g)].map((m) => m[1]);
  const places = [...value.matchAll(/href="#footnote-(\d+)"/g)].map((m) => m[1]);
  const lost = places.filter((n) => !notes.includes(n)).length;
  const wrong = messages.filter((m) => m.type === 'error').length;
  console.log(JSON.stringify([notes.length, places.length, lost + wrong]));
  if (process.argv.length === 3) console.log(value);
}
