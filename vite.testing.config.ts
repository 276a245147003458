import { defineConfig, type EnvironmentOptions } from 'vite';

/**
 * The package's entries for tests of other projects. CommonJS can be required by Jest and imported by all others; Vitest itself
 * can only be imported.
 */
export default defineConfig({
  publicDir: false,
  environments: {
    common: entries(['index', 'jest', 'playwright'], 'cjs'),
    vitest: entries(['vitest'], 'es'),
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['common', 'vitest']) await builder.build(builder.environments[name]!);
    },
  },
});

function entries(names: readonly string[], format: 'es' | 'cjs'): EnvironmentOptions {
  const ending = format === 'es' ? 'mjs' : 'cjs';
  return {
    consumer: 'server',
    resolve: { noExternal: true, external: ['vitest'] },
    build: {
      // One folder without others in it: the server is found from where a file is.
      ssr: true,
      outDir: 'dist/testing',
      // The other format lies in the same folder; scripts/parts.mjs empties it.
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, `testing/${name}.ts`])),
        output: { format, entryFileNames: `[name].${ending}`, chunkFileNames: `[name].${ending}` },
      },
    },
  };
}
