import { addEdge, createGraph, edgesOnCycles } from '../graph.ts';
import type { Project } from '../project.ts';
import { checkImports, isTest, topFolder, type Rule, type Violation } from '../rule.ts';

const CONTRACT = /^server\/.*\.contract\.ts$/;

/** The allowed imports between the top-level folders (ARCHITECTURE.md, "Who may import whom"). */
const folders: Rule = {
  sentence: 'electron, renderer, server and scripts do not import each other, and only tests import test',
  check: (project) =>
    checkImports(project, (from, { file, typeOnly }) => {
      if (file === null || isTest(from)) return null;
      const [here, there] = [topFolder(from), topFolder(file)];
      if (here === there || here === '') return null;
      if (there === 'test') return 'Only tests import from test/. Move the code to where it is used.';
      if (there === '') return null;
      if (here === 'renderer' && file === 'electron/channels.ts') {
        return typeOnly
          ? null
          : 'The renderer takes only types from electron/channels.ts: write `import type`.';
      }
      if ((here === 'renderer' || here === 'testing') && CONTRACT.test(file)) return null;
      return `${here}/ may not import ${there}/ (${file}). ${ADVICE[here] ?? ''}`.trim();
    }),
  broken: [
    { files: { 'electron/main.ts': `import { a } from '../server/app.ts';` }, at: 'electron/main.ts:1' },
    { files: { 'renderer/a.ts': `import { a } from '../server/errors.ts';` }, at: 'renderer/a.ts:1' },
    { files: { 'renderer/a.ts': `import { a } from '../electron/channels.ts';` }, at: 'renderer/a.ts:1' },
    { files: { 'server/app.ts': `export type A = import('../renderer/a.ts').A;` }, at: 'server/app.ts:1' },
    { files: { 'server/app.ts': `import { a } from '../test/support/a.ts';` }, at: 'server/app.ts:1' },
    { files: { 'server/app.ts': `const a = await import('../electron/main.ts');` }, at: 'server/app.ts:1' },
    { files: { 'testing/a.ts': `import { a } from '../server/errors.ts';` }, at: 'testing/a.ts:1' },
    {
      files: {
        'renderer/A.vue': `<template><p /></template>\n<script setup lang="ts">\nimport { a } from '../server/app.ts';\n</script>`,
      },
      at: 'renderer/A.vue:3',
    },
  ],
  kept: [
    { 'renderer/a.ts': `import type { Channels } from '../electron/channels.ts';` },
    { 'renderer/a.ts': `import { schema } from '../server/features/events/events.contract.ts';` },
    { 'testing/a.ts': `import { nearest } from '../server/lib/nearest-events.contract.ts';` },
    { 'test/e2e/a.test.ts': `import { a } from '../../../server/app.ts';` },
    { 'server/lib/clock.test.ts': `import { aClock } from '../../test/support/clock.ts';` },
  ],
};

const ADVICE: Readonly<Record<string, string>> = {
  electron: 'The shell starts the server by path and loads its URL.',
  renderer: 'The console knows the server by its contracts (*.contract.ts) and its HTTP API.',
  server: 'The server runs without the console and without Electron.',
  testing: 'Tests of other projects start the server by path and reach it over HTTP.',
};

const contracts: Rule = {
  sentence: 'a contract imports zod and other contracts, nothing else',
  check: (project) =>
    checkImports(project, (from, { specifier, file, packageName }) => {
      if (!CONTRACT.test(from) || packageName === 'zod') return null;
      if (file !== null && CONTRACT.test(file)) return null;
      return `A contract is shared with the console and may not import '${specifier}'. Keep only wire schemas in it.`;
    }),
  broken: [
    {
      files: { 'server/features/a/a.contract.ts': `import { b } from './b.ts';` },
      at: 'server/features/a/a.contract.ts:1',
    },
  ],
  kept: [{ 'server/features/a/a.contract.ts': `import { z } from 'zod';` }],
};

const files: Rule = {
  sentence: 'a relative import names a file that exists, with its ending',
  check: (project) =>
    checkImports(project, (from, { file, specifier }) => {
      if (file === null || file.startsWith('dist/') || project.files.has(file)) return null;
      // The entry is in dist/server/ when it runs, beside the bundle.
      if (from === 'server/entry.cjs') return null;
      return `There is no file '${specifier}' here. Write the whole name, as in './clock.ts'.`;
    }),
  broken: [
    {
      files: { 'server/app.ts': `import { a } from './errors';`, 'server/errors.ts': '' },
      at: 'server/app.ts:1',
    },
  ],
  kept: [
    { 'server/app.ts': `import { a } from './errors.ts';`, 'server/errors.ts': '' },
    { 'renderer/a.ts': `import text from './a.svg?raw';`, 'renderer/a.svg': '' },
  ],
};

function findFileCycles(project: Project): Violation[] {
  const graph = createGraph<number>();
  for (const { path, imports } of project.modules) {
    for (const { file, line, typeOnly } of imports) {
      if (file !== null && !typeOnly) addEdge(graph, path, file, line);
    }
  }
  return edgesOnCycles(graph).map(({ from, to, edge }) => ({
    path: from,
    line: edge,
    message: `This import and one of ${to} form a circle, so the order of loading decides what works. Move the shared part out.`,
  }));
}

const circles: Rule = {
  sentence: 'files do not import each other in a cycle, types aside',
  check: findFileCycles,
  broken: [
    {
      files: {
        'server/http/a.ts': `import { b } from './b.ts';`,
        'server/http/b.ts': `import { c } from './c.ts';`,
        'server/http/c.ts': `export { a } from './a.ts';`,
      },
      at: 'server/http/b.ts:1',
    },
  ],
  kept: [
    {
      'server/http/a.ts': `import { b } from './b.ts';`,
      'server/http/b.ts': `import type { A } from './a.ts';`,
    },
  ],
};

export const borderRules: readonly Rule[] = [folders, contracts, files, circles];
