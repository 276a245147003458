// @ts-check
import { copyFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLoad } from '../load.mjs';
import { start, WITHOUT_DEFINITIONS } from '../servers.mjs';

const ROOT = new URL('../../../', import.meta.url);

/**
 * What definitions cost: events a second of the built server, and of one built without what lists names and types, in one
 * run. Each is measured twice, in both orders.
 * @param {{ load: Omit<import('../client.mjs').Load, 'url'>, batch: number }} options
 */
export async function measureDefinitions({ load, batch }) {
  await buildWithout();
  try {
    const runs = [];
    for (const name of /** @type {const} */ (['burrow', 'bare', 'bare', 'burrow']))
      runs.push((await rateOf(name, load)) * batch);
    const [first = 0, second = 0, third = 0, fourth = 0] = runs;
    const withPerSecond = (first + fourth) / 2;
    const withoutPerSecond = (second + third) / 2;
    return { withPerSecond, withoutPerSecond, definitionsShare: withPerSecond / withoutPerSecond };
  } finally {
    await rm(new URL(WITHOUT_DEFINITIONS, ROOT), { recursive: true, force: true });
  }
}

/** @param {'burrow' | 'bare'} name @param {Omit<import('../client.mjs').Load, 'url'>} load */
async function rateOf(name, load) {
  const server = await start(name);
  try {
    return (await runLoad({ ...load, url: server.url })).requestsPerSecond;
  } finally {
    await server.stop();
  }
}

/** Builds the server beside the usual one, with two of its modules exchanged. */
async function buildWithout() {
  const { build } = await import('vite');
  const exchanged = new Map(
    ['definitions-thread', 'property-lists'].map((module) => [
      `${module}.ts`,
      fileURLToPath(new URL(`../without-definitions/${module}.mjs`, import.meta.url)),
    ]),
  );
  const outDir = fileURLToPath(new URL(WITHOUT_DEFINITIONS, ROOT));
  await build({
    root: fileURLToPath(ROOT),
    configFile: fileURLToPath(new URL('vite.server.config.ts', ROOT)),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    plugins: [
      {
        name: 'without-definitions',
        enforce: 'pre',
        resolveId: (source) => (source.startsWith('.') ? exchanged.get(basename(source)) : undefined),
      },
    ],
  });
  // As the build of the server does: its entry is of CommonJS.
  for (const file of ['main.js', 'package.json'])
    await copyFile(new URL(`dist/server/${file}`, ROOT), new URL(`${WITHOUT_DEFINITIONS}${file}`, ROOT));
}
