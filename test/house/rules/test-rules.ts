import { checkImports, checkLines, type Rule } from '../rule.ts';

const BROWSER_HELPER = /^test\/support\/(browser|console|console-tab|shared-console)\.ts$/;
const LEFT_OUT = /\.(only|skip|todo|skipIf|runIf)\(/;
const isTestFile = (path: string): boolean => /\.test\.ts$/.test(path);

const browserTag: Rule = {
  sentence:
    'a test file that opens a browser carries the tag of it, so that it is skipped where there is none',
  check: (project) =>
    checkImports(project, (from, { file, typeOnly }) => {
      if (!isTestFile(from) || file === null || typeOnly || !BROWSER_HELPER.test(file)) return null;
      if (project.files.get(from)?.includes('@module-tag browser') === true) return null;
      return 'Begin the file with `// @module-tag browser`.';
    }),
  broken: [
    {
      files: { 'test/e2e/a.test.ts': `import { launchBrowser } from '../support/browser.ts';` },
      at: 'test/e2e/a.test.ts:1',
    },
  ],
  kept: [
    {
      'test/e2e/a.test.ts': `// @module-tag browser\nimport { launchBrowser } from '../support/browser.ts';`,
    },
    { 'test/e2e/a.test.ts': `import type { OpenConsole } from '../support/console.ts';` },
  ],
};

const noSilentSkip: Rule = {
  sentence:
    'a test is skipped with a reason that is printed at the end, or left to the deep suite by its tag',
  check: (project) =>
    checkLines(project, isTestFile, (line) =>
      LEFT_OUT.test(line.replace(/\b\w*context\.skip\(/, ''))
        ? "Write `context.skip(condition, 'what is missing, and how to get it')` in a hook or the test, or tag it 'deep'."
        : null,
    ),
  broken: [
    { files: { 'server/a.test.ts': `test.skip('a', () => {});` }, at: 'server/a.test.ts:1' },
    { files: { 'server/a.test.ts': `describe.only('a', () => {});` }, at: 'server/a.test.ts:1' },
    { files: { 'server/a.test.ts': `test.runIf(isRoot)('a', () => {});` }, at: 'server/a.test.ts:1' },
  ],
  kept: [
    { 'server/a.test.ts': `beforeEach((context) => context.skip(reason !== null, reason));` },
    { 'server/a.test.ts': `test('a', { tags: ['deep'] }, () => {});` },
  ],
};

export const testRules: readonly Rule[] = [browserTag, noSilentSkip];
