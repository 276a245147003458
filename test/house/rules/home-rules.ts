import ts from 'typescript';
import type { Import, Module } from '../module.ts';
import type { Project } from '../project.ts';
import { checkImports, isTest, type Rule, type Violation } from '../rule.ts';

/** Packages with a home folder: files outside it must not import them. */
const HOMES: readonly { name: RegExp; home: RegExp; advice: string }[] = [
  {
    name: /^express$/,
    home: /^server\/(http\/|app\.ts$)/,
    advice:
      'Express stays in server/http and server/app.ts: declare a route with routesOf or defineRoute instead.',
  },
  {
    name: /^@duckdb\//,
    home: /^server\/(db|warehouse\/duckdb)\//,
    advice: 'DuckDB stays in server/db and server/warehouse/duckdb: use Db or Analytics.',
  },
  {
    name: /^electron$/,
    home: /^(electron|scripts)\//,
    advice: 'Electron stays in electron/: the server and the console run without it.',
  },
  {
    name: /^playwright-core$|^vitest$|^fast-check$|^@vue\/test-utils$|^happy-dom$|^axe-core$|^posthog-node$/,
    home: /^(test|scripts|testing\/examples)\/|^testing\/vitest\.ts$|^vitest[\w.-]*$/,
    advice: 'This package is for tests.',
  },
];

const homes: Rule = {
  sentence: 'Express, DuckDB, Electron and the test tools are imported only in their home folders',
  check: (project) =>
    checkImports(project, (from, { packageName }) => {
      if (packageName === null || isTest(from)) return null;
      const home = HOMES.find(({ name }) => name.test(packageName));
      return home === undefined || home.home.test(from) ? null : `'${packageName}' here: ${home.advice}`;
    }),
  broken: [
    {
      files: { 'server/features/a/a.routes.ts': `import { Router } from 'express';` },
      at: 'server/features/a/a.routes.ts:1',
    },
    {
      files: { 'server/warehouse/a.ts': `import type { A } from '@duckdb/node-api';` },
      at: 'server/warehouse/a.ts:1',
    },
    { files: { 'server/main.ts': `import { app } from 'electron';` }, at: 'server/main.ts:1' },
    { files: { 'renderer/a.ts': `import { test } from 'vitest';` }, at: 'renderer/a.ts:1' },
    { files: { 'testing/burrow.ts': `import { expect } from 'vitest';` }, at: 'testing/burrow.ts:1' },
  ],
  kept: [
    { 'server/app.ts': `import express from 'express';` },
    { 'server/db/owner.ts': `import { DuckDBInstance } from '@duckdb/node-api';` },
    { 'electron/main.ts': `import { app } from 'electron';` },
    { 'server/lib/clock.test.ts': `import { test } from 'vitest';` },
    { 'testing/vitest.ts': `import { expect } from 'vitest';` },
  ],
};

const OPENERS = new Set(['DuckDBInstance', 'DuckDBInstanceCache', 'default']);

/** Does the import bring the class that opens databases, by name or within the whole module? */
function bringsOpener({ packageName, typeOnly, names }: Import): boolean {
  if (packageName !== '@duckdb/node-api' || typeOnly) return false;
  return names.length === 0 || names.some((name) => OPENERS.has(name));
}

/** Lines on which a module opens a database, or could. */
function openings({ imports, nodes }: Module): number[] {
  const byClass = imports.filter(bringsOpener).map(({ line }) => line);
  if (!imports.some(({ packageName }) => packageName === '@duckdb/node-bindings')) return byClass;
  const byBinding = nodes.filter(
    ({ node }) => ts.isPropertyAccessExpression(node) && node.name.text === 'open',
  );
  return [...byClass, ...byBinding.map(({ line }) => line)];
}

/** Two openers in one process lose committed rows without an error. */
function findSecondOpeners(project: Project): Violation[] {
  const openers = project.modules
    .filter(({ path }) => !isTest(path))
    .flatMap((module) => openings(module).map((line) => ({ path: module.path, line })));
  const wrong = openers.length > 1 ? openers : openers.filter(({ path }) => !path.startsWith('server/db/'));
  return wrong.map((place) => ({
    ...place,
    message:
      'A database is opened in one file, below server/db, by one thread: a second opener in the process loses rows. Ask the owner by message.',
  }));
}

const opener: Rule = {
  sentence: 'one file opens the database',
  check: findSecondOpeners,
  broken: [
    {
      files: {
        'server/db/owner.ts': `import { DuckDBInstance } from '@duckdb/node-api';`,
        'server/db/copy.ts': `import { DuckDBInstance } from '@duckdb/node-api';`,
      },
      at: 'server/db/copy.ts:1',
    },
    {
      files: { 'server/warehouse/duckdb/a.ts': `import * as duckdb from '@duckdb/node-api';` },
      at: 'server/warehouse/duckdb/a.ts:1',
    },
    {
      files: {
        'server/warehouse/duckdb/a.ts': `import duckdb from '@duckdb/node-bindings';\nawait duckdb.open('a');`,
      },
      at: 'server/warehouse/duckdb/a.ts:2',
    },
  ],
  kept: [
    {
      'server/warehouse/duckdb/a.ts': `import duckdb from '@duckdb/node-bindings';\nduckdb.appender_flush_sync(a);`,
    },
    {
      'server/db/owner.ts': `import { DuckDBInstance } from '@duckdb/node-api';`,
      'server/warehouse/duckdb/a.ts': `import { type DuckDBInstance, DuckDBDataChunk } from '@duckdb/node-api';`,
    },
  ],
};

export const homeRules: readonly Rule[] = [homes, opener];
