import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = /\.(ts|vue|mjs|cjs)$/;
/** Tests, and this file, which names what it counts. */
const TEST = /\.test\.ts$|^test\/|^scripts\/sizes\.mjs$/;

/** @typedef {{ path: string, text: string }} SourceFile */

/** Prints how large the project is, and in how many files a new operator, resource or kind of insight would be named. */
export function printSizes() {
  const files = ['server', 'renderer', 'electron', 'scripts'].flatMap(read);
  const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const sizes = files.map(({ text }) => text.split('\n').length).toSorted((a, b) => a - b);
  const rows = /** @type {[string, string][]} */ ([
    ['source lines, tests apart', lines.toLocaleString('en')],
    ['source files', files.length.toLocaleString('en')],
    ['median lines of a file', String(sizes[Math.floor(sizes.length / 2)])],
    ['files of at most 60 lines that one file imports', String(loners(files).length)],
    ['resource: server files outside its folder that name annotations', named(files, /^server\//)],
    [
      'resource: files of the console that do, screens and stores of its own and charts, which mark them, apart',
      named(files, /^renderer\/(?!insights\/|ui\/charts\/|screens\/(?:insights|dashboards)\/)/),
    ],
    // With a bracket it is DuckDB's function.
    ['operator: files that name starts_with', count(files, /\bstarts_with\b(?!\()/, null)],
    [
      'insight kind: files outside its folder that name stickiness',
      count(files, /stickiness/i, /stickiness/i),
    ],
    ['lines of README.md', String(readFileSync('README.md', 'utf8').split('\n').length - 1)],
    ['decisions', String(readdirSync('docs/decisions').length - 1)],
  ]);
  for (const [what, size] of rows) console.log(`${size.padStart(8)}  ${what}`);
}

/**
 * @param {string} folder
 * @returns {SourceFile[]}
 */
function read(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)).replaceAll('\\', '/'))
    .filter((path) => SOURCE.test(path) && !TEST.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/**
 * How many files name something, those whose own path does apart.
 * @param {readonly SourceFile[]} files
 * @param {RegExp} name
 * @param {RegExp | null} own
 */
function count(files, name, own) {
  return String(files.filter(({ path, text }) => own?.test(path) !== true && name.test(text)).length);
}

/**
 * How many files of a folder have the word annotation, those of annotations apart; `showAnnotations` is a setting of charts.
 * @param {readonly SourceFile[]} files
 * @param {RegExp} folder
 */
function named(files, folder) {
  return count(
    files.filter(({ path }) => folder.test(path)),
    /\bannotations?\b/i,
    /annotation/i,
  );
}

/**
 * Small files that a single other file imports: they could stand in it. Declarations of resources are found by glob too.
 * @param {readonly SourceFile[]} files
 */
function loners(files) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const { path, text } of files) {
    for (const [, specifier] of text.matchAll(/from '(\.[^']+)'/g)) {
      const target = join(path, '..', specifier).replaceAll('\\', '/');
      if (!existsSync(target)) continue;
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return files.filter(
    ({ path, text }) =>
      text.split('\n').length <= 61 &&
      !/\.vue$|\/resource\.ts$/.test(path) &&
      importers.get(path)?.size === 1,
  );
}
