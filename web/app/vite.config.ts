// The build of the app.  Its result is committed (web/dist) and carried by the
// program, so it has to be the same bytes for whoever makes it.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env.FOOTNOTE_URL ?? 'http://127.0.0.1:8080';

/** KaTeX brings its fonts in three formats; browsers of today take the first. */
const oneFormat: Plugin = {
  name: 'katex-woff2-only',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('katex.min.css')) return null;
    return code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("[^"]+"\)/g, '');
  },
};

interface Graph { getModuleInfo(id: string): { importedIds: readonly string[] } | null }
const entry = new URL('src/main.tsx', import.meta.url).pathname;
const first = new Set<string>();

/** All that a first visit loads is one chunk: shared modules in chunks of their
 *  own compress worse.  The rest is cut as it is loaded. */
function chunkOf(id: string, graph: Graph): string | null {
  const todo = first.size ? [] : [entry];
  while (todo.length) {
    const next = todo.pop()!;
    if (first.has(next)) continue;
    first.add(next);
    todo.push(...graph.getModuleInfo(next)?.importedIds ?? []);
  }
  return first.has(id) ? 'first' : null;
}

const zodStub = new URL('src/zod_stub.ts', import.meta.url).pathname;

export default defineConfig({
  plugins: [oneFormat, react()],
  resolve: { alias: [{ find: /^zod\/v4(?:\/(?:core|mini))?$/, replacement: zodStub }] },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    // No script in the page itself: the policy forbids it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: chunkOf }] } } },
  },
  // `npm run dev` shows what is edited, with the data of a running server.
  server: {
    proxy: { '^/(api|v1|version|docs|openapi.json)': server },
  },
});
