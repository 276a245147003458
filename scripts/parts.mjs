import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDocuments } from './documents.mjs';

/**
 * @typedef {object} Part One thing that `npm run build` makes.
 * @property {(string | { folder: string; only: RegExp })[]} inputs Its sources; package-lock.json counts too.
 * @property {string[]} outputs Files that exist once it is built; without one of them it is stale.
 * @property {string[]} [after] Parts that are built before, since their outputs are its inputs.
 * @property {() => Promise<void>} build
 */

const COUNTRY_DATA = '@ip-location-db/geo-whois-asn-country-mmdb';
/** The entries of the package for tests, and the files whose types they show. */
const TESTING_TYPES = ['index.ts', 'burrow.ts', 'matchers.ts', 'jest.ts', 'playwright.ts', 'vitest.ts'];
const BUNDLE_LIST = 'server/features/static-assets/bundles.json';

/** @type {Record<string, Part>} */
export const parts = {
  server: {
    inputs: [
      'server',
      'package.json',
      'vite.server.config.ts',
      // Resources for assistants.
      { folder: 'docs', only: /^docs\/(?:api|assistants|differences)\.md$/ },
    ],
    outputs: [
      'main.js',
      'server.mjs',
      'store-thread.mjs',
      'watch-thread.mjs',
      'parse-thread.mjs',
      'import-thread.mjs',
    ].map((name) => `dist/server/${name}`),
    build: async () => {
      await viteBuild('vite.server.config.ts');
      await copyFile('server/entry.cjs', 'dist/server/main.js');
      await chmod('dist/server/main.js', 0o755);
      // The package is of ES modules; the entry must be CommonJS to set the thread pool's size before it exists.
      await writeFile('dist/server/package.json', '{ "type": "commonjs" }\n');
    },
  },
  renderer: {
    inputs: [
      'renderer',
      { folder: 'server', only: /\.contract\.ts$/ },
      'electron/channels.ts',
      'vite.config.ts',
    ],
    outputs: ['dist/renderer/index.html'],
    build: () => viteBuild('vite.config.ts'),
  },
  'shared-page': {
    inputs: [
      'renderer/shared-page',
      'renderer/shared-page.html',
      'renderer/ui',
      'vite.shared-page.config.ts',
    ],
    outputs: ['dist/shared-page/shared-page.html'],
    build: () => viteBuild('vite.shared-page.config.ts'),
  },
  testing: {
    inputs: ['testing', 'server/lib/nearest-events.contract.ts', 'vite.testing.config.ts'],
    outputs: ['index.cjs', 'index.d.cts', 'jest.cjs', 'playwright.cjs', 'vitest.mjs', 'vitest.d.mts'].map(
      (name) => `dist/testing/${name}`,
    ),
    build: async () => {
      await rm('dist/testing', { recursive: true, force: true });
      await viteBuild('vite.testing.config.ts', { builder: true });
      await writeTestingTypes();
    },
  },
  static: {
    inputs: [BUNDLE_LIST],
    outputs: ['dist/static/array.js'],
    build: copyPosthogBundles,
  },
  geoip: {
    inputs: [],
    outputs: ['dist/geoip/country.mmdb'],
    build: copyCountryFile,
  },
  electron: {
    inputs: ['electron', 'vite.electron.config.ts'],
    outputs: ['main.js', 'chunks/main.js', 'preload.cjs', 'find-bar-preload.cjs'].map(
      (name) => `dist/electron/${name}`,
    ),
    build: async () => {
      await rm('dist/electron', { recursive: true, force: true });
      await viteBuild('vite.electron.config.ts', { builder: true });
    },
  },
  documents: {
    after: ['server', 'renderer', 'shared-page', 'electron'],
    inputs: [
      'scripts/documents.mjs',
      'README.md',
      'CHANGELOG.md',
      { folder: 'docs', only: /^docs\/[\w-]+\.md$/ },
      { folder: 'dist', only: /THIRD-PARTY-NOTICES/ },
    ],
    outputs: ['about', 'help', 'licences', 'release-notes'].map((name) => `dist/documents/${name}.html`),
    build: writeDocuments,
  },
};

/** Builds by one vite config; `builder` when it holds several environments. */
async function viteBuild(configFile, { builder = false } = {}) {
  const { build, createBuilder } = await import('vite');
  // On a busy machine the bundler would print advice about the speed of plugins.
  const rolldownOptions = { checks: { bundlerTimings: false } };
  const config = { configFile, logLevel: 'warn', build: { rolldownOptions } };
  if (builder) await (await createBuilder(config)).buildApp();
  else await build(config);
}

/** The types of the package's entries, file by file; each file imports others by the names that they have when they are built. */
async function writeTestingTypes() {
  const { default: ts } = await import('typescript');
  for (const name of TESTING_TYPES) {
    const source = await readFile(join('testing', name), 'utf8');
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    if (diagnostics.length > 0)
      throw new Error(`testing/${name}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' ')}`);
    const text = outputText.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.cjs'");
    await writeFile(
      join('dist/testing', name.replace('.ts', name === 'vitest.ts' ? '.d.mts' : '.d.cts')),
      text,
    );
  }
}

/** The file that says in which country an address lies, with the terms of its source. */
async function copyCountryFile() {
  await mkdir('dist/geoip', { recursive: true });
  await copyFile(join('node_modules', COUNTRY_DATA, 'geo-whois-asn-country.mmdb'), 'dist/geoip/country.mmdb');
  await copyFile(join('node_modules', COUNTRY_DATA, 'NRO_LICENSE'), 'dist/geoip/LICENSE');
}

/** The scripts of posthog-js that pages load from the server, without their source maps. */
async function copyPosthogBundles() {
  const { snippets, extensions } = JSON.parse(await readFile(BUNDLE_LIST, 'utf8'));
  await rm('dist/static', { recursive: true, force: true });
  await mkdir('dist/static', { recursive: true });
  for (const name of [...snippets, ...extensions]) {
    await copyFile(join('node_modules/posthog-js/dist', name), join('dist/static', name));
  }
  await copyFile('node_modules/posthog-js/LICENSE', 'dist/static/LICENSE');
}
