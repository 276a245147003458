import { basename, extname } from 'node:path';
import { isTest, type Rule, type Violation } from '../rule.ts';
import type { Project } from '../project.ts';

/** What may stand between a file's noun and its ending. */
const ROLES = new Set([
  'contract',
  'routes',
  'service',
  'resource',
  'store',
  'reads',
  'api',
  'test',
  'bench',
  'config',
  'd',
]);
/** The roles of a feature's files, which carry the feature's name. */
const FEATURE_ROLE =
  /^server\/features\/([\w-]+)\/(?:.*\/)?([\w-]+)\.(contract|resource|routes|service|store|reads)(?:\.test)?\.ts$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PASCAL = /^[A-Z][A-Za-z0-9]*$/;
const VAGUE = /^(utils?|helpers?|common|misc|managers?|types|shared|stuff)$/;

function faultWithName(path: string): string | null {
  const name = basename(path);
  const [noun = '', ...rest] = name.slice(0, -extname(name).length).split('.');
  if (extname(name) === '.vue') {
    return PASCAL.test(noun) && rest.every((role) => role === 'test')
      ? null
      : 'A component is named in PascalCase, as in ProjectSwitcher.vue.';
  }
  if (!KEBAB.test(noun)) return 'A file is named in kebab-case after what it exports, as in group-commit.ts.';
  const role = rest.find((part) => !ROLES.has(part) && path.includes('/'));
  if (role !== undefined)
    return `'.${role}' is no role. Use one of ${[...ROLES].join(', ')}, or join the words by a dash.`;
  return null;
}

function checkFileNames(project: Project): Violation[] {
  return project.modules.flatMap(({ path }) => {
    const message = faultWithName(path) ?? faultWithFolders(path) ?? faultWithFeature(path);
    return message === null ? [] : [{ path, line: null, message }];
  });
}

function faultWithFolders(path: string): string | null {
  const folder = path
    .split('/')
    .slice(0, -1)
    .find((name) => !KEBAB.test(name.replace(/^\./, '')));
  return folder === undefined ? null : `The folder '${folder}' is not in kebab-case.`;
}

function faultWithFeature(path: string): string | null {
  const [, feature, noun, role] = FEATURE_ROLE.exec(path) ?? [];
  if (feature === undefined || noun === feature || path.includes('/kinds/')) return null;
  const part = /^server\/features\/[\w-]+\/([\w-]+)\//.exec(path)?.[1];
  if (part !== undefined && (noun === part || noun!.endsWith(`-${part}`))) return null;
  return `The ${role} of the feature '${feature}' is called ${feature}.${role}.ts.`;
}

const names: Rule = {
  sentence: 'files are named kebab-case.ts, noun.role.ts or PascalCase.vue',
  check: checkFileNames,
  broken: [
    { files: { 'server/groupCommit.ts': '' }, at: 'server/groupCommit.ts' },
    {
      files: { 'renderer/ui/app-button.vue': '<template><p /></template>' },
      at: 'renderer/ui/app-button.vue',
    },
    { files: { 'server/a.controller.ts': '' }, at: 'server/a.controller.ts' },
    { files: { 'server/features/events/event.routes.ts': '' }, at: 'server/features/events/event.routes.ts' },
    {
      files: { 'server/features/events/live/tail.routes.ts': '' },
      at: 'server/features/events/live/tail.routes.ts',
    },
    { files: { 'server/Features/a.ts': '' }, at: 'server/Features/a.ts' },
  ],
  kept: [
    { 'server/features/events/events.routes.ts': '', 'server/features/events/elements-chain.test.ts': '' },
    // A folder inside a feature has its own noun.
    {
      'server/features/events/live/event-live.routes.ts': '',
      'server/features/events/live/live.store.ts': '',
    },
    { 'renderer/ui/AppButton.vue': '<template><p /></template>', 'vite.server.config.ts': '' },
  ],
};

const vague: Rule = {
  sentence: 'a name says which noun lives there',
  check: (project) =>
    [...project.files.keys()].flatMap((path) => {
      const word = path
        .split('/')
        .map((name) => name.replace(/\..*$/, '').split('-').at(-1)!)
        .find((last) => VAGUE.test(last));
      if (word === undefined || !/^(server|renderer|electron|test|scripts)\//.test(path)) return [];
      if (path.startsWith('test/fixtures/') || path.startsWith('server/db/migrations/')) return [];
      return [
        { path, line: null, message: `'${word}' can hold anything. Name the file after the noun in it.` },
      ];
    }),
  broken: [
    { files: { 'server/lib/string-utils.ts': '' }, at: 'server/lib/string-utils.ts' },
    { files: { 'renderer/helpers/a.ts': '' }, at: 'renderer/helpers/a.ts' },
    { files: { 'server/features/a/types.ts': '' }, at: 'server/features/a/types.ts' },
  ],
  kept: [{ 'server/lib/time-range.ts': '', 'server/features/event-types-seen/index.ts': '' }],
};

function checkStores(project: Project): Violation[] {
  return project.modules.flatMap(({ path }) => {
    const noun = /^renderer\/.*?([\w-]+)\.store\.ts$/.exec(path)?.[1];
    if (noun === undefined || isTest(path)) return [];
    const hook = `use${pascal(noun)}Store`;
    if (project.files.get(path)!.includes(`export const ${hook} =`)) return [];
    return [
      {
        path,
        line: null,
        message: `A store file exports its store by its name: export const ${hook} = defineStore(…).`,
      },
    ];
  });
}

function pascal(noun: string): string {
  return noun.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const stores: Rule = {
  sentence: 'x.store.ts of the console exports useXStore, use-x.ts exports useX',
  check: (project) => [...checkStores(project), ...checkComposables(project)],
  broken: [
    {
      files: { 'renderer/stores/session.store.ts': 'export const store = 1;' },
      at: 'renderer/stores/session.store.ts',
    },
    {
      files: { 'renderer/composables/use-form.ts': 'export const form = 1;' },
      at: 'renderer/composables/use-form.ts',
    },
  ],
  kept: [
    { 'renderer/stores/session.store.ts': 'export const useSessionStore = defineStore();' },
    { 'renderer/composables/use-form.ts': 'export function useForm() {}' },
  ],
};

function checkComposables(project: Project): Violation[] {
  return [...project.files].flatMap(([path, text]) => {
    const noun = /^renderer\/.*?(use-[\w-]+)\.ts$/.exec(path)?.[1];
    if (noun === undefined || isTest(path)) return [];
    const name = pascal(noun).replace(/^U/, 'u');
    if (new RegExp(`export (async )?(function|const) ${name}\\b`).test(text)) return [];
    return [{ path, line: null, message: `A composable file exports ${name}.` }];
  });
}

export const nameRules: readonly Rule[] = [names, vague, stores];
