import { defineConfig } from 'vite';

/**
 * The server in its entries: the process, and its threads, each of which is a file. Everything
 * is bundled but DuckDB's native library, which must stay a file beside its binding.
 */
export default defineConfig({
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { target: 'node', noExternal: true, external: ['@duckdb/node-bindings'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node20',
    sourcemap: true,
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    rolldownOptions: {
      input: {
        server: 'server/main.ts',
        'store-thread': 'server/store-thread.ts',
        'watch-thread': 'server/watch-thread.ts',
        'parse-thread': 'server/hogql/parse/parse-thread.ts',
        'import-thread': 'server/features/imports/import-thread.ts',
      },
      output: {
        format: 'esm',
        entryFileNames: '[name].mjs',
        chunkFileNames: 'chunks/[name]-[hash].mjs',
      },
    },
  },
});
