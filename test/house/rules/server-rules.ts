import ts from 'typescript';
import { checkImports, checkNodes, isTest, type Rule, type Violation } from '../rule.ts';

/**
 * The layers of the server and what each may import: main -> app -> features -> conditions -> { hogql, warehouse, http, db, errors,
 * lib }. The store thread is the second place where parts are put together: it decodes and normalizes what it stores. Commands
 * reach a running server from a process of their own.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: [
    'main',
    'commands',
    'app',
    'config',
    'features',
    'conditions',
    'hogql',
    'http',
    'outgoing',
    'db',
    'warehouse',
    'errors',
    'lib',
  ],
  commands: ['commands', 'main', 'config', 'features', 'warehouse', 'http', 'db', 'errors', 'lib'],
  app: ['app', 'features', 'conditions', 'config', 'hogql', 'warehouse', 'http', 'db', 'errors', 'lib'],
  'store thread': ['store thread', 'features', 'conditions', 'warehouse', 'http', 'db', 'errors', 'lib'],
  features: ['features', 'conditions', 'hogql', 'warehouse', 'http', 'outgoing', 'db', 'errors', 'lib'],
  outgoing: ['outgoing', 'errors', 'lib'],
  config: ['config', 'errors', 'lib'],
  conditions: ['conditions', 'hogql', 'errors', 'lib'],
  hogql: ['hogql', 'errors', 'lib'],
  warehouse: ['warehouse', 'db', 'errors', 'lib'],
  http: ['http', 'errors', 'lib'],
  db: ['db', 'errors', 'lib'],
  errors: [],
  lib: ['lib'],
};

const FILES: Readonly<Record<string, string>> = {
  'server/app.ts': 'app',
  'server/features.ts': 'app',
  'server/store-thread.ts': 'store thread',
  'server/serve-store.ts': 'store thread',
  'server/config.ts': 'config',
  'server/errors.ts': 'errors',
};

/**
 * The layer of a file of the server; null for an unlisted folder. Files beside main.ts are the process layer, unless
 * listed above: only the process imports them.
 */
function layerOf(path: string): string | null {
  const named = FILES[path];
  if (named !== undefined) return named;
  if (/^server\/cli-[\w-]+\.ts$/.test(path)) return 'config';
  const folder = /^server\/([\w-]+)\//.exec(path)?.[1];
  if (folder === undefined) return 'main';
  return folder in MAY_IMPORT ? folder : null;
}

/** The feature to which a file of the server belongs, or null. */
export function featureOf(path: string): string | null {
  return /^server\/features\/([\w-]+)\//.exec(path)?.[1] ?? null;
}

const layers: Rule = {
  sentence:
    'inside the server, imports point down: main, app, features, conditions, then hogql, warehouse, http, db, errors, lib',
  check: (project) =>
    checkImports(project, (from, { file }) => {
      if (file === null || isTest(from) || !from.startsWith('server/') || !file.startsWith('server/'))
        return null;
      const [upper, lower] = [layerOf(from), layerOf(file)];
      if (upper === null)
        return `${from} belongs to no layer. Put it into one, or name its layer in test/house.`;
      if (lower === null || MAY_IMPORT[upper]!.includes(lower)) return null;
      return `${upper} may not import ${lower} (${file}). Pass what is needed as an argument, or move it down.`;
    }),
  broken: [
    {
      files: { 'server/http/auth.ts': `import { a } from '../features/users/index.ts';` },
      at: 'server/http/auth.ts:1',
    },
    { files: { 'server/lib/clock.ts': `import { a } from '../errors.ts';` }, at: 'server/lib/clock.ts:1' },
    {
      files: { 'server/features/a/index.ts': `import { a } from '../../app.ts';` },
      at: 'server/features/a/index.ts:1',
    },
    {
      files: { 'server/warehouse/a.ts': `import type { A } from '../features/a/index.ts';` },
      at: 'server/warehouse/a.ts:1',
    },
    { files: { 'server/store-thread.ts': `import { a } from './app.ts';` }, at: 'server/store-thread.ts:1' },
    { files: { 'server/app.ts': `import { a } from './serve.ts';` }, at: 'server/app.ts:1' },
    { files: { 'server/app.ts': `import { a } from './commands/tail.ts';` }, at: 'server/app.ts:1' },
    {
      files: { 'server/commands/tail.ts': `import { a } from '../app.ts';` },
      at: 'server/commands/tail.ts:1',
    },
    { files: { 'server/things/a.ts': `import { a } from '../errors.ts';` }, at: 'server/things/a.ts:1' },
  ],
  kept: [
    {
      'server/main.ts': `import { a } from './serve.ts';`,
      'server/serve.ts': `import { a } from './app.ts';`,
    },
    {
      'server/main.ts': `const a = await import('./commands/tail.ts');`,
      'server/commands/tail.ts': `import { a } from '../console-link.ts';`,
    },
    { 'server/features/a/a.routes.ts': `import { a } from '../../http/define-route.ts';` },
    { 'server/store-thread.ts': `import { a } from './features/capture/index.ts';` },
    { 'server/lib/clock.test.ts': `import { a } from '../app.ts';` },
  ],
};

const startUp: Rule = {
  sentence:
    'the server opens its database before it reads the app: the files of the process load features on demand',
  check: (project) =>
    checkImports(project, (from, { file, typeOnly, isDynamic }) => {
      if (file === null || isTest(from) || !from.startsWith('server/') || layerOf(from) !== 'main')
        return null;
      if (typeOnly || isDynamic || !['app', 'features'].includes(layerOf(file) ?? '')) return null;
      return `${file} is read before the database opens. Import its types, or load it with import().`;
    }),
  broken: [
    { files: { 'server/serve.ts': `import { createApp } from './app.ts';` }, at: 'server/serve.ts:1' },
    {
      files: { 'server/report.ts': `import { type A, b } from './features/a/index.ts';` },
      at: 'server/report.ts:1',
    },
  ],
  kept: [
    { 'server/serve.ts': `import type { App } from './app.ts';` },
    { 'server/serve.ts': `const { createApp } = await import('./app.ts');` },
    { 'server/app.ts': `import { a } from './features/a/index.ts';` },
  ],
};

const doors: Rule = {
  sentence:
    'a feature is entered only through its index.ts, and by the store thread through its noun-thread.ts',
  check: (project) =>
    checkImports(project, (from, { file }) => {
      if (file === null || isTest(from) || !from.startsWith('server/')) return null;
      const feature = featureOf(file);
      if (feature === null || feature === featureOf(from)) return null;
      if (file === `server/features/${feature}/index.ts`) return null;
      if (from.endsWith('.contract.ts') && file.endsWith('.contract.ts')) return null;
      if (layerOf(from) === 'store thread' && file === `server/features/${feature}/${feature}-thread.ts`)
        return null;
      return `${file} is private to its feature. Import what server/features/${feature}/index.ts exports.`;
    }),
  broken: [
    {
      files: { 'server/features/a/a.service.ts': `import { b } from '../b/b.store.ts';` },
      at: 'server/features/a/a.service.ts:1',
    },
    { files: { 'server/app.ts': `import { b } from './features/b/b.routes.ts';` }, at: 'server/app.ts:1' },
    { files: { 'server/app.ts': `import { b } from './features/b/b-thread.ts';` }, at: 'server/app.ts:1' },
  ],
  kept: [
    { 'server/features/a/a.service.ts': `import { b } from '../b/index.ts';` },
    { 'server/features/a/a.service.ts': `import { b } from './a.store.ts';` },
  ],
};

const INSERT_SELECT = /^\W*INSERT INTO (?![^]*\bVALUES\b)[^]*\bSELECT\b/;

const insertedRows: Rule = {
  sentence:
    'the warehouse inserts the rows of a SELECT by insertSelect, so that no statement sees them before COMMIT',
  check: (project) =>
    checkNodes(
      project,
      (path) => /^server\/(warehouse|db)\//.test(path) && !isTest(path),
      (node) => {
        if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
        const [sql] = node.arguments;
        return sql !== undefined && INSERT_SELECT.test(sql.getText())
          ? 'DuckDB shows these rows to other statements while it commits. Use insertSelect of server/db.'
          : null;
      },
    ),
  broken: [
    {
      files: { 'server/warehouse/a.ts': 'await connection.run(`INSERT INTO a (b)\n SELECT b FROM c`);' },
      at: 'server/warehouse/a.ts:1',
    },
    {
      files: { 'server/db/a.ts': "await a.stream('INSERT INTO a SELECT b FROM c');" },
      at: 'server/db/a.ts:1',
    },
  ],
  kept: [
    { 'server/warehouse/a.ts': 'await insertSelect(connection, `INSERT INTO a SELECT b FROM c`);' },
    { 'server/warehouse/a.ts': 'await connection.run(`INSERT INTO a VALUES ((SELECT 1))`);' },
  ],
};

/** Packages that only a thread or the first use of something needs: loading them takes as long as all other code. */
const HEAVY = new Set(['@duckdb/node-api', '@duckdb/node-bindings', 'csv-parse', 'yauzl']);

const lightStart: Rule = {
  sentence: 'the start of the server loads neither DuckDB nor what reads files of others',
  check(project) {
    const modules = new Map(project.modules.map((module) => [module.path, module]));
    const loaded = new Set(['server/main.ts', 'server/app.ts']);
    const violations: Violation[] = [];
    for (const path of loaded)
      for (const { file, packageName, typeOnly, isDynamic, line } of modules.get(path)?.imports ?? []) {
        if (typeOnly || isDynamic) continue;
        if (file !== null) loaded.add(file);
        if (packageName === null || !HEAVY.has(packageName)) continue;
        const message = `Every start waits for ${packageName}. Load this file by import(…) where it is used.`;
        violations.push({ path, line, message });
      }
    return violations;
  },
  broken: [
    {
      files: {
        'server/app.ts': `import { a } from './db/open.ts';`,
        'server/db/open.ts': `import { DuckDBInstance } from '@duckdb/node-api';`,
      },
      at: 'server/db/open.ts:1',
    },
    { files: { 'server/main.ts': `import yauzl from 'yauzl';` }, at: 'server/main.ts:1' },
  ],
  kept: [
    {
      'server/app.ts': `import { a } from './db/open.ts';`,
      'server/db/open.ts': `import type { DuckDBInstance } from '@duckdb/node-api';`,
    },
    {
      'server/app.ts': `const { a } = await import('./db/open.ts');`,
      'server/db/open.ts': `import { DuckDBInstance } from '@duckdb/node-api';`,
    },
  ],
};

export const serverRules: readonly Rule[] = [layers, startUp, lightStart, doors, insertedRows];
