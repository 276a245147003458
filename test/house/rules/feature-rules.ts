import { addEdge, createGraph, edgesOnCycles, type Graph } from '../graph.ts';
import type { Project } from '../project.ts';
import { checkImports, isTest, type Rule, type Violation } from '../rule.ts';
import { featureOf } from './server-rules.ts';

type Place = Pick<Violation, 'path' | 'line'>;

/** Feature -> the features that it imports, types included, each with the place where it does so first. */
function featureGraph(project: Project): Graph<Place> {
  const graph = createGraph<Place>();
  for (const { path, imports } of project.modules) {
    const from = featureOf(path);
    if (from === null || isTest(path)) continue;
    for (const { file, line } of imports) {
      const to = file === null ? null : featureOf(file);
      if (to !== null && to !== from) addEdge(graph, from, to, { path, line });
    }
  }
  return graph;
}

function findFeatureCycles(project: Project): Violation[] {
  return edgesOnCycles(featureGraph(project)).map(({ from, to, edge }) => ({
    ...edge,
    message: `The features ${from} and ${to} need each other. Give the shared part a home of its own.`,
  }));
}

const cycles: Rule = {
  sentence: 'features do not depend on each other in a cycle',
  check: findFeatureCycles,
  broken: [
    {
      files: {
        'server/features/a/index.ts': `import { b } from '../b/index.ts';`,
        'server/features/b/index.ts': `import { c } from '../c/index.ts';`,
        'server/features/c/index.ts': `import type { a } from '../a/index.ts';`,
      },
      at: 'server/features/c/index.ts:1',
    },
  ],
  kept: [
    {
      'server/features/a/index.ts': `import { c } from '../c/index.ts';`,
      'server/features/b/index.ts': `import { c } from '../c/index.ts';\nimport { a } from '../a/index.ts';`,
    },
  ],
};

/** Which files a role may not import (ARCHITECTURE.md, "Anatomy of a feature"). */
const ROLE_NEVER: Readonly<Record<string, RegExp>> = {
  store: /\.(routes|service|reads)\.ts$|^server\/http\//,
  reads: /\.(routes|service|store)\.ts$|^server\/http\//,
  service: /\.routes\.ts$|^server\/http\/(express|error-handler)/,
};

const roles: Rule = {
  sentence:
    'inside a feature, routes call the service, the service calls the store, and nothing calls back up',
  check: (project) =>
    checkImports(project, (from, { file, typeOnly }) => {
      const role = featureOf(from) === null || isTest(from) ? undefined : /\.(\w+)\.ts$/.exec(from)?.[1];
      const never = role === undefined ? undefined : ROLE_NEVER[role];
      if (file === null || typeOnly || never === undefined || !never.test(file)) return null;
      return `A ${role} may not call ${file}: writes go routes -> service -> store, reads go routes -> reads.`;
    }),
  broken: [
    {
      files: { 'server/features/a/a.store.ts': `import { b } from './a.service.ts';` },
      at: 'server/features/a/a.store.ts:1',
    },
    {
      files: { 'server/features/a/a.service.ts': `import { b } from './a.routes.ts';` },
      at: 'server/features/a/a.service.ts:1',
    },
    {
      files: { 'server/features/a/a.reads.ts': `import { b } from '../../http/auth.ts';` },
      at: 'server/features/a/a.reads.ts:1',
    },
  ],
  kept: [
    { 'server/features/a/a.routes.ts': `import { b } from './a.service.ts';` },
    { 'server/features/a/a.store.ts': `import type { ProjectRef } from '../../http/define-route.ts';` },
  ],
};

/** `INSERT INTO t`, `UPDATE t SET`, `DELETE FROM t`, and appenders, with the table's name. */
const WRITES = /\b(?:insert\s+(?:or\s+\w+\s+)?into|update|delete\s+from|truncate)\s+"?([a-z_]+)"?/gi;

/** The part of the server that a file belongs to: its feature, or its layer's folder. */
function ownerOf(path: string): string {
  return featureOf(path) ?? path.split('/').slice(0, 2).join('/');
}

function findSecondWriters(project: Project): Violation[] {
  const migrations = [...project.files].filter(([path]) => path.startsWith('server/db/migrations/'));
  const tables = new Set(
    migrations.flatMap(([, sql]) =>
      [...sql.matchAll(/create table (?:if not exists )?(\w+)/gi)].map((m) => m[1]!),
    ),
  );
  const writers = new Map<string, Map<string, Violation>>();
  for (const [path, text] of project.files) {
    if (!path.startsWith('server/') || !path.endsWith('.ts') || isTest(path)) continue;
    for (const match of text.matchAll(WRITES)) {
      const table = match[1]!.toLowerCase();
      if (!tables.has(table)) continue;
      const line = text.slice(0, match.index).split('\n').length;
      const message = `writes ${table}`;
      writers.set(table, (writers.get(table) ?? new Map()).set(ownerOf(path), { path, line, message }));
    }
  }
  return [...writers].flatMap(([table, byOwner]) =>
    byOwner.size < 2
      ? []
      : [...byOwner.values()].map((place) => ({
          ...place,
          message: `The table ${table} is written by ${[...byOwner.keys()].join(' and ')}. One of them owns it; the other calls it.`,
        })),
  );
}

const writers: Rule = {
  sentence: 'a table has one writer',
  check: findSecondWriters,
  broken: [
    {
      files: {
        'server/db/migrations/0001-a.sql': 'CREATE TABLE projects (id INTEGER);',
        'server/features/a/a.store.ts': 'const sql = `INSERT INTO projects VALUES (1)`;',
        'server/features/b/b.store.ts': 'const sql = `UPDATE projects SET id = 2`;',
      },
      at: 'server/features/b/b.store.ts:1',
    },
  ],
  kept: [
    {
      'server/db/migrations/0001-a.sql': 'CREATE TABLE projects (id INTEGER);',
      'server/features/a/a.store.ts': 'const sql = `INSERT INTO projects VALUES (1)`;',
      'server/features/b/b.reads.ts': 'const sql = `SELECT id FROM projects`;',
    },
  ],
};

export const featureRules: readonly Rule[] = [cycles, roles, writers];
