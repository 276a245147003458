import { defineConfig, type EnvironmentOptions } from 'vite';

/** The desktop shell: the main process as an ES module, each preload as one CommonJS file, as a sandboxed one must be. */
export default defineConfig({
  publicDir: false,
  environments: {
    main: shellPart('electron/main.ts', 'main.js', 'es'),
    preload: shellPart('electron/preload.ts', 'preload.cjs', 'cjs'),
    findBar: shellPart('electron/find-bar-preload.ts', 'find-bar-preload.cjs', 'cjs'),
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['main', 'preload', 'findBar']) await builder.build(builder.environments[name]!);
    },
  },
});

function shellPart(input: string, fileName: string, format: 'es' | 'cjs'): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { noExternal: true, external: ['electron'] },
    build: {
      ssr: true,
      outDir: 'dist/electron',
      // Another part of the shell lies in the same folder; scripts/build.mjs empties it.
      emptyOutDir: false,
      target: 'node20',
      license: { fileName: `THIRD-PARTY-NOTICES.${fileName}.md` },
      rolldownOptions: {
        input,
        // A preload is one file. What the shell loads on a click, the updater, is a chunk.
        output: {
          format,
          entryFileNames: fileName,
          chunkFileNames: 'chunks/[name].js',
          codeSplitting: format === 'es',
        },
      },
    },
  };
}
