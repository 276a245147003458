import type { Module, Import } from './module.ts';
import type { Project } from './project.ts';

/** What is wrong, and what to do about it. */
export interface Violation {
  readonly path: string;
  /** From 1; null when the file as a whole is meant. */
  readonly line: number | null;
  readonly message: string;
}

/** A small tree of files, and the path at which the rule must find fault with it. */
export interface Example {
  readonly files: Readonly<Record<string, string>>;
  readonly at: string;
}

/** A rule of the house. It brings the trees that break it, so that a rule which sees nothing is noticed. */
export interface Rule {
  /** A promise in plain words. */
  readonly sentence: string;
  readonly check: (project: Project) => Violation[];
  readonly broken: readonly [Example, ...Example[]];
  /** Trees that look close to a violation and are none. */
  readonly kept: readonly [Readonly<Record<string, string>>, ...Readonly<Record<string, string>>[]];
}

/** Tests may reach everywhere: those of `test/`, and those that stand beside the code they test. */
export function isTest(path: string): boolean {
  return path.startsWith('test/') || /\.(test|bench)\.[mc]?[jt]s$/.test(path);
}

/** The folder at the root, or '' for a file that lies there itself. */
export function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** Finds fault with imports: `judge` answers what is wrong with one, or null. */
export function checkImports(
  project: Project,
  judge: (from: string, imported: Import) => string | null,
): Violation[] {
  return project.modules.flatMap(({ path, imports }) =>
    imports.flatMap((imported) => {
      const message = judge(path, imported);
      return message === null ? [] : [{ path, line: imported.line, message }];
    }),
  );
}

/** Finds fault with the nodes of the modules for which `applies` holds. */
export function checkNodes(
  project: Project,
  applies: (path: string) => boolean,
  judge: (node: Module['nodes'][number]['node'], path: string) => string | null,
): Violation[] {
  return project.modules
    .filter(({ path }) => applies(path))
    .flatMap(({ path, nodes }) =>
      nodes.flatMap(({ node, line }) => {
        const message = judge(node, path);
        return message === null ? [] : [{ path, line, message }];
      }),
    );
}

/** Finds fault with the lines of text files. */
export function checkLines(
  project: Project,
  applies: (path: string) => boolean,
  judge: (line: string) => string | null,
): Violation[] {
  return [...project.files]
    .filter(([path]) => applies(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const message = judge(line);
        return message === null ? [] : [{ path, line: index + 1, message }];
      }),
    );
}

/** `path:line: message`, as editors and terminals link it. */
export function describeViolation({ path, line, message }: Violation): string {
  return `${line === null ? path : `${path}:${line}`}: ${message}`;
}
