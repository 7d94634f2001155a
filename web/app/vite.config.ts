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
  },
  // `npm run dev` shows what is edited, with the data of a running server.
  server: {
    proxy: { '^/(api|v1|version|docs|openapi.json)': server },
  },
});
