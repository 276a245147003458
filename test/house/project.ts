import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { parseModule, type Module } from './module.ts';

/** The files that the rules check: the real ones, or those of a rule's own examples. */
export interface Project {
  /** Path relative to the root, with forward slashes -> text. Binary files have the text ''. */
  readonly files: ReadonlyMap<string, string>;
  /** Every TypeScript, JavaScript and Vue file, parsed. */
  readonly modules: readonly Module[];
}

const BINARY = /\.(png|jpe?g|gif|ico|icns|webp|woff2?|ttf|mmdb|duckdb|gz|br|bin|tgz|zip|pdf)$/;
const CODE = new Set(['.ts', '.mts', '.js', '.mjs', '.cjs', '.vue']);

/** Creates a project from texts by path; modules are parsed on first use. */
export function projectOf(files: Readonly<Record<string, string>> | ReadonlyMap<string, string>): Project {
  const map = files instanceof Map ? files : new Map(Object.entries(files));
  let modules: readonly Module[] | null = null;
  return {
    files: map,
    get modules() {
      modules ??= [...map]
        .filter(([path]) => CODE.has(extname(path)) && !path.startsWith('test/fixtures/'))
        .map(([path, text]) => parseModule(path, text));
      return modules;
    },
  };
}

/** Reads the project that lies in the folder `root`, without what its .gitignore leaves out. */
export function readProject(root: string): Project {
  const files = new Map<string, string>();
  const isIgnored = readIgnored(root);
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (isIgnored(entry.name)) continue;
      const full = join(folder, entry.name);
      if (entry.isDirectory()) visit(full);
      else if (entry.isFile()) {
        const path = relative(root, full).split(sep).join('/');
        files.set(path, BINARY.test(path) ? '' : readFileSync(full, 'utf8'));
      }
    }
  };
  visit(root);
  return projectOf(new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Reads .gitignore, of which this repository uses two forms: a name (`dist/`) and an ending (`*.log`). */
function readIgnored(root: string): (name: string) => boolean {
  const patterns = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const names = new Set(['.git', ...patterns.map((pattern) => pattern.replace(/\/$/, ''))]);
  const endings = patterns.filter((pattern) => pattern.startsWith('*')).map((pattern) => pattern.slice(1));
  return (name) => names.has(name) || endings.some((ending) => name.endsWith(ending));
}
