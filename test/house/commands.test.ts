import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_NAMES, optionsOf, variableOf } from '../../server/cli-table.ts';
import { demoKind, demoScript, demoSize } from '../../server/features/demo/demo.contract.ts';
import { formatName } from '../../server/features/imports/imports.contract.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLACES = [
  'server',
  'renderer',
  'electron',
  'scripts',
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'docs',
];
const { scripts, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** Of the reader's own app, where docs/testing.md has been followed. */
const OF_APPS = new Set(['playwright']);

/** Commands in texts that a reader could not run: an unknown script, or a foreign package. */
function unknownCommands(text: string): string[] {
  const runs = [...text.matchAll(/\bnpm run (\w[\w-]*(?::[\w-]+)?)/g)].filter(
    ([, name]) => !Object.hasOwn(scripts, name!),
  );
  const packages = [...text.matchAll(/\bnpx ([\w-]+)/g)].filter(
    ([, name]) => !Object.hasOwn(devDependencies, name!) && !OF_APPS.has(name!),
  );
  const nodes = [...text.matchAll(/\bnode (dist\/[\w./-]+)/g)].filter(
    ([, file]) => file !== 'dist/server/main.js',
  );
  return [...runs, ...packages, ...nodes].map(([command]) => command);
}

function filesOf(place: string): string[] {
  if (place.endsWith('.md')) return [place];
  return readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|vue|mjs|cjs|html|md)$/.test(name))
    .map((name) => join(place, name));
}

test('every command in a text exists where its reader runs it', () => {
  const found = PLACES.flatMap(filesOf).flatMap((file) =>
    unknownCommands(readFileSync(join(ROOT, file), 'utf8')).map((command) => `${file}: ${command}`),
  );
  expect(found).toEqual([]);
});

/** Lines that are no comments and name the command burrow, which only a linked package has; `ownCommand` says how it is called. */
function linkedCommands(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/\bburrow (?:check|restore|serve|url|open|tail|query|export|backup)\b/g)].map(
    ([command]) => command,
  );
}

test('no text of the app has the command burrow as if every reader had it', () => {
  const found = ['server', 'renderer', 'electron']
    .flatMap(filesOf)
    .filter((file) => !/\.(test\.ts|md)$/.test(file))
    .flatMap((file) =>
      linkedCommands(readFileSync(join(ROOT, file), 'utf8')).map((command) => `${file}: ${command}`),
    );
  expect(found).toEqual([]);
});

test('a text with it is reported, a comment is not', () => {
  expect(linkedCommands("fail('Go back with: burrow restore <file>')")).toEqual(['burrow restore']);
  expect(linkedCommands('/** What `burrow check` says. */\n// burrow url\n')).toEqual([]);
});

test.each(['npx burrow url', 'npm run nothing', 'npm run test:nothing', 'node dist/main.js'])(
  '%s is found',
  (text) => {
    expect(unknownCommands(`Run ${text} there.`)).toHaveLength(1);
  },
);

test.each(COMMAND_NAMES)('the documents list the options of %s', (command) => {
  const page = readFileSync(join(ROOT, 'docs/command-line.md'), 'utf8');
  const [, section = ''] = page.split(new RegExp(String.raw`^## .*\`${command}\b.*$`, 'm'));
  const text =
    command === 'serve'
      ? readFileSync(join(ROOT, 'docs/options.md'), 'utf8')
      : section.split(/^## /m, 1)[0]! + page.split(/^## /m, 1)[0]!;
  const missing = optionsOf(command)
    .map(([name, option]) => (option.onlyEnvironment ? variableOf(name) : `--${name}`))
    .filter((name) => !text.includes(`\`${name}`));
  expect(missing).toEqual([]);
});

test('the choices of an option are those of the API', () => {
  const choicesOf = (command: 'demo' | 'import', option: string) =>
    optionsOf(command).find(([name]) => name === option)?.[1].choices;
  expect(choicesOf('demo', 'kind')).toEqual(demoKind.options);
  expect(choicesOf('demo', 'size')).toEqual(demoSize.options);
  expect(choicesOf('demo', 'script')).toEqual(demoScript.options);
  expect(choicesOf('import', 'format')).toEqual(formatName.options);
});
