import type { Project } from '../project.ts';
import { checkImports, isTest, type Rule } from '../rule.ts';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Every dependency of package.json with its version and its line. */
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
  sentence: 'package.json has exact versions',
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

/** Native modules, which no bundle can hold; everything else is in the bundles. */
const SHIPPED = /^@duckdb\/node-bindings$/;

const bundled: Rule = {
  sentence: 'what a bundle holds is a devDependency, so that no package ships it twice',
  check: (project) => {
    const text = project.files.get('package.json');
    if (text === undefined) return [];
    const { dependencies } = JSON.parse(text) as Manifest;
    return readDependencies(project)
      .filter(({ name }) => Object.hasOwn(dependencies ?? {}, name) && !SHIPPED.test(name))
      .map(({ name, line }) => ({
        path: 'package.json',
        line,
        message: `'${name}' is shipped beside the bundle that holds it. Move it to devDependencies.`,
      }));
  },
  broken: [{ files: { 'package.json': '{\n"dependencies": { "vue": "3.5.0" }\n}' }, at: 'package.json:2' }],
  kept: [{ 'package.json': '{"dependencies": { "@duckdb/node-bindings": "1.5.5-r.5" }}' }],
};

const REASONS = 'docs/decisions/0025-dependencies.md';

/** The packages that the decision on dependencies names between `## Choice` and `## Price`, each with its line. */
function readReasons(project: Project): { name: string; line: number }[] {
  const lines = (project.files.get(REASONS) ?? '').split('\n');
  const start = lines.indexOf('## Choice');
  return lines
    .slice(start + 1, lines.indexOf('## Price'))
    .flatMap((line, index) =>
      [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name: name!, line: start + index + 2 })),
    );
}

const reasons: Rule = {
  sentence: 'the decision on dependencies gives a reason for every dependency, and for nothing else',
  check: (project) => {
    const given = readReasons(project);
    const dependencies = readDependencies(project);
    const missing = dependencies
      .filter(({ name }) => !given.some((reason) => reason.name === name))
      .map(({ name, line }) => ({
        path: 'package.json',
        line,
        message: `${REASONS} does not say why '${name}' is here. Add its reason, or remove the package.`,
      }));
    const gone = given
      .filter(({ name }) => !dependencies.some((dependency) => dependency.name === name))
      .map(({ name, line }) => ({
        path: REASONS,
        line,
        message: `'${name}' is not in package.json. Remove it from the decision on dependencies.`,
      }));
    return [...missing, ...gone];
  },
  broken: [
    {
      files: {
        'package.json': '{"dependencies": { "vue": "3.5.0" }}',
        [REASONS]: '## Question\n`vue`\n## Choice\nNone.\n## Price\nNone.',
      },
      at: 'package.json:1',
    },
    {
      files: { 'package.json': '{}', [REASONS]: '## Choice\n`helmet`\n## Price\nNone.' },
      at: `${REASONS}:2`,
    },
  ],
  kept: [
    {
      'package.json': '{"dependencies": { "vue": "3.5.0" }}',
      [REASONS]: '## Choice\n`vue`\n## Price\n`fetch`',
    },
  ],
};

/** Projects of their own, which a test installs. */
const EXAMPLE = /^testing\/examples\//;

const declared: Rule = {
  sentence: 'every imported package is in package.json',
  check: (project) => {
    const names = new Set(readDependencies(project).map(({ name }) => name));
    return checkImports(project, (from, { packageName, typeOnly }) => {
      if (packageName === null || names.has(packageName) || EXAMPLE.test(from)) return null;
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
    { 'package.json': '{}', 'testing/examples/a/a.test.js': `import { a } from 'burrow-analytics/testing';` },
    {
      'package.json': '{"dependencies": { "vue": "3.5.0" }}',
      'server/a.ts': `import { parse } from 'vue/compiler-sfc';\nimport fs from 'node:fs';`,
    },
  ],
};

const TOOL_CONFIG = /^(scripts\/|tsconfig[\w.]*\.json$|[\w.-]+\.config\.[mc]?[jt]s$|electron-builder\.yml$)/;

/** What names a package without importing it: scripts, configurations of tools, and a test that names its environment. */
function mentions(project: Project): string {
  const { scripts } = JSON.parse(project.files.get('package.json') ?? '{}') as {
    scripts?: Record<string, string>;
  };
  const configs = [...project.files].filter(([path]) => TOOL_CONFIG.test(path)).map(([, text]) => text);
  const environments = [...project.files].flatMap(([path, text]) =>
    isTest(path) ? [...text.matchAll(/@vitest-environment ([\w-]+)/g)].map((match) => match[1]!) : [],
  );
  return [...Object.values(scripts ?? {}), ...configs, ...environments].join('\n');
}

const used: Rule = {
  sentence: 'every dependency is used',
  check: (project) => {
    const imported = new Set(
      project.modules.flatMap(({ imports }) => imports.map(({ packageName }) => packageName)),
    );
    const named = mentions(project);
    const isUsed = (name: string): boolean =>
      imported.has(name) ||
      name === '@types/node' ||
      (name.startsWith('@types/') && isUsed(name.slice(7))) ||
      new RegExp(`(^|[^\\w@/-])${name}(?![\\w-])`, 'm').test(named);
    return readDependencies(project)
      .filter(({ name }) => !isUsed(name))
      .map(({ name, line }) => ({
        path: 'package.json',
        line,
        message: `Nothing uses '${name}'. Remove it from package.json and from ${REASONS}.`,
      }));
  },
  broken: [
    {
      files: { 'package.json': '{"dependencies": { "helmet": "8.0.0" }}', 'server/a.ts': '// helmet' },
      at: 'package.json:1',
    },
    {
      files: {
        'package.json': '{"devDependencies": { "@types/vite": "1.0.0" }, "scripts": { "a": "vitest" }}',
      },
      at: 'package.json:1',
    },
  ],
  kept: [
    {
      'package.json':
        '{"devDependencies": { "zod": "1.0.0", "@types/zod": "1.0.0", "vite": "1.0.0", "@vue/tsconfig": "1.0.0" }, "scripts": { "a": "vite build" }}',
      'tsconfig.json': '{ "extends": "@vue/tsconfig/tsconfig.dom.json" }',
      'server/a.ts': `import { z } from 'zod';`,
    },
    {
      'package.json': '{"dependencies": { "happy-dom": "1.0.0" }}',
      'renderer/a.test.ts': '// @vitest-environment happy-dom',
    },
    {
      'package.json': '{"devDependencies": { "old-sdk": "npm:sdk@1.0.0" }}',
      'test/a.test.ts': `const file = import.meta.resolve('old-sdk');`,
    },
  ],
};

const lockFile: Rule = {
  sentence: 'package-lock.json contains no registry',
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

export const packageRules: readonly Rule[] = [versions, bundled, reasons, declared, used, lockFile];
