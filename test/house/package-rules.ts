import { checkImports, isTest, type Rule, type Violation } from './rule.ts';
import type { Project } from './project.ts';

/** Packages that have a home: outside it nobody imports them. */
const HOMES: readonly { name: RegExp; home: RegExp; advice: string }[] = [
  {
    name: /^express$/,
    home: /^server\/(http\/|app\.ts$)/,
    advice: 'Express stays in server/http and server/app.ts: declare a route with defineRoute instead.',
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
    home: /^(test|scripts)\/|^vitest[\w.-]*$/,
    advice: 'This package is for tests.',
  },
];

const homes: Rule = {
  sentence: 'Express, DuckDB, Electron and the test tools are imported only where they live',
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
  ],
  kept: [
    { 'server/app.ts': `import express from 'express';` },
    { 'server/db/owner.ts': `import { DuckDBInstance } from '@duckdb/node-api';` },
    { 'electron/main.ts': `import { app } from 'electron';` },
    { 'server/lib/clock.test.ts': `import { test } from 'vitest';` },
  ],
};

const OPENERS = new Set(['DuckDBInstance', 'DuckDBInstanceCache', 'default']);

/** Two openers in one process lose committed rows without an error. */
function findSecondOpeners(project: Project): Violation[] {
  const openers = project.modules.flatMap(({ path, imports }) =>
    isTest(path)
      ? []
      : imports
          .filter(({ packageName, typeOnly, names }) => {
            const whole = names.length === 0;
            return (
              packageName === '@duckdb/node-api' && !typeOnly && (whole || names.some((n) => OPENERS.has(n)))
            );
          })
          .map(({ line }) => ({ path, line })),
  );
  const wrong = openers.length > 1 ? openers : openers.filter(({ path }) => !path.startsWith('server/db/'));
  return wrong.map((place) => ({
    ...place,
    message:
      'DuckDBInstance is opened in one file, below server/db, by one thread: a second opener in the process loses rows. Ask the owner by message.',
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
  ],
  kept: [
    {
      'server/db/owner.ts': `import { DuckDBInstance } from '@duckdb/node-api';`,
      'server/warehouse/duckdb/a.ts': `import { type DuckDBInstance, DuckDBDataChunk } from '@duckdb/node-api';`,
    },
  ],
};

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Every dependency of package.json with its version and the line on which it stands. */
function readDependencies(project: Project): { name: string; version: string; line: number }[] {
  const text = project.files.get('package.json');
  if (text === undefined) return [];
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text) as Manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).map(
    ([name, version]) => ({
      name,
      version,
      line: text.split('\n').findIndex((line) => line.includes(`"${name}":`)) + 1,
    }),
  );
}

const EXACT = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

const versions: Rule = {
  sentence: 'package.json gives exact versions',
  check: (project) =>
    readDependencies(project)
      .filter(({ version }) => !EXACT.test(version))
      .map(({ name, version, line }) => ({
        path: 'package.json',
        line,
        message: `'${name}' is '${version}'. Write one exact version: npm on an older Node silently picks another.`,
      })),
  broken: [
    { files: { 'package.json': '{\n"dependencies": { "vue": "^3.5.0" }\n}' }, at: 'package.json:2' },
    { files: { 'package.json': '{"devDependencies": { "vue": "latest" }}' }, at: 'package.json:1' },
  ],
  kept: [{ 'package.json': '{"dependencies": { "a": "1.5.5-r.5", "b": "npm:@c/d@1.0.0" }}' }],
};

const reasons: Rule = {
  sentence: 'DECISIONS.md names every dependency with its reason',
  check: (project) => {
    const decisions = project.files.get('DECISIONS.md') ?? '';
    return readDependencies(project)
      .filter(({ name }) => !decisions.includes(`\`${name}\``))
      .map(({ name, line }) => ({
        path: 'package.json',
        line,
        message: `DECISIONS.md does not say why '${name}' is here. Add it to the entry on dependencies, or remove the package.`,
      }));
  },
  broken: [
    {
      files: { 'package.json': '{"dependencies": { "vue": "3.5.0" }}', 'DECISIONS.md': '`pinia`' },
      at: 'package.json:1',
    },
  ],
  kept: [
    { 'package.json': '{"dependencies": { "vue": "3.5.0" }}', 'DECISIONS.md': 'We use `vue` because …' },
  ],
};

const declared: Rule = {
  sentence: 'every package that is imported stands in package.json',
  check: (project) => {
    const names = new Set(readDependencies(project).map(({ name }) => name));
    return checkImports(project, (_from, { packageName, typeOnly }) => {
      if (packageName === null || names.has(packageName)) return null;
      if (typeOnly && names.has(`@types/${packageName}`)) return null;
      return `'${packageName}' is not in package.json: it is here only because another package brought it.`;
    });
  },
  broken: [
    {
      files: { 'package.json': '{}', 'server/a.ts': `import { parse } from '@vue/compiler-sfc';` },
      at: 'server/a.ts:1',
    },
    { files: { 'package.json': '{}', 'server/a.ts': `import fs from 'fs';` }, at: 'server/a.ts:1' },
  ],
  kept: [
    {
      'package.json': '{"dependencies": { "vue": "3.5.0" }}',
      'server/a.ts': `import { parse } from 'vue/compiler-sfc';\nimport fs from 'node:fs';`,
    },
  ],
};

const lockFile: Rule = {
  sentence: 'package-lock.json names no registry',
  check: (project) => {
    const lock = project.files.get('package-lock.json') ?? '';
    const line = lock.split('\n').findIndex((text) => text.includes('"resolved"'));
    if (line === -1) return [];
    const message =
      'A "resolved" address ties the lock file to one registry. Keep .npmrc as it is and run npm install again.';
    return [{ path: 'package-lock.json', line: line + 1, message }];
  },
  broken: [
    {
      files: { 'package-lock.json': '{\n"resolved": "https://example.com/a.tgz"\n}' },
      at: 'package-lock.json:2',
    },
  ],
  kept: [{ 'package-lock.json': '{ "version": "1.0.0" }' }],
};

export const packageRules: readonly Rule[] = [homes, opener, versions, reasons, declared, lockFile];
