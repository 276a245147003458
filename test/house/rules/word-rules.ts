import ts from 'typescript';
import { titleOf, type Module } from '../module.ts';
import type { Project } from '../project.ts';
import { REJECTED_IN_COMMENTS, REJECTED_IN_TITLES, REJECTED_WORDS } from '../rejected-words.ts';
import { isTest, topFolder, type Rule, type Violation } from '../rule.ts';

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

const NAMES_CHECKED = new Set(['server', 'electron', 'scripts', 'renderer']);
const COMMENTS_CHECKED = new Set([...NAMES_CHECKED, 'renderer', 'test']);
/** Its examples hold rejected words. */
const SELF = 'test/house/rules/word-rules.ts';

/** The words of an identifier or a file name, lower case: `toldOf` and `told-of` have `told` and `of`. */
function wordsOf(name: string): string[] {
  return name
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
}

function messageFor(found: string, rejected: Readonly<Record<string, string>>): string {
  return `'${found}' is not plain. Write: ${rejected[found]!}.`;
}

function faultOfName(name: string): string | null {
  const word = wordsOf(name).find((one) => Object.hasOwn(REJECTED_WORDS, one));
  return word === undefined ? null : messageFor(word, REJECTED_WORDS);
}

/** Finds a rejected word or phrase in a text, also across lines of a comment; not in `code`. */
function textCheck(rejected: Readonly<Record<string, string>>): (text: string) => string | null {
  const phrases = new RegExp(String.raw`\b(?:${Object.keys(rejected).join('|')})\b`, 'i');
  return (text) => {
    const plain = text.replaceAll(/`[^`]*`/g, ' ').replaceAll(/\s*\n\s*\*?\s*/g, ' ');
    const found = phrases.exec(plain)?.[0].toLowerCase();
    return found === undefined ? null : messageFor(found, rejected);
  };
}

const faultOfComment = textCheck(REJECTED_IN_COMMENTS);
const faultOfTitle = textCheck(REJECTED_IN_TITLES);

function checkNames({ path, nodes }: Module): Violation[] {
  const ofFile = faultOfName(path.split('/').slice(1).join('/'));
  const found = nodes.flatMap(({ node, line }) => {
    const message = ts.isIdentifier(node) ? faultOfName(node.text) : null;
    return message === null ? [] : [{ path, line, message }];
  });
  return ofFile === null ? found : [{ path, line: null, message: ofFile }, ...found];
}

function checkComments(path: string, text: string): Violation[] {
  return [...text.matchAll(COMMENT)].flatMap((match) => {
    const message = faultOfComment(match[0]);
    if (message === null) return [];
    return [{ path, line: text.slice(0, match.index).split('\n').length, message }];
  });
}

function checkWords(project: Project): Violation[] {
  return project.modules
    .filter(({ path }) => path !== SELF)
    .flatMap((module) => {
      const { path } = module;
      const folder = topFolder(path);
      return [
        ...(NAMES_CHECKED.has(folder) && !isTest(path) ? checkNames(module) : []),
        ...(COMMENTS_CHECKED.has(folder) ? checkComments(path, project.files.get(path)!) : []),
      ];
    });
}

const words: Rule = {
  sentence: 'names of the app, and all comments, are in plain words',
  check: checkWords,
  broken: [
    { files: { 'server/lib/a.ts': 'export const toldOf = 1;' }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/born-late.ts': '' }, at: 'server/lib/born-late.ts' },
    {
      files: { 'server/lib/a.ts': '\n/**\n * Whoever comes\n * first.\n */\nexport const a = 1;' },
      at: 'server/lib/a.ts:2',
    },
    { files: { 'server/http/a.ts': 'const a = 1; // Somebody else.' }, at: 'server/http/a.ts:1' },
    {
      files: { 'renderer/A.vue': '<script setup lang="ts">\n// Asks anew.\n</script>' },
      at: 'renderer/A.vue:2',
    },
    { files: { 'test/e2e/a.test.ts': '/** Nobody is signed in. */' }, at: 'test/e2e/a.test.ts:1' },
    { files: { 'renderer/a.ts': 'export const told = 1;' }, at: 'renderer/a.ts:1' },
    { files: { 'electron/a.ts': '// The dialog is gone.' }, at: 'electron/a.ts:1' },
    { files: { 'server/lib/a.ts': '// The file is gone.' }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.test.ts': '// What is asked.' }, at: 'server/lib/a.test.ts:1' },
    { files: { 'test/a.ts': '/**\n * Closed at\n * once.\n */' }, at: 'test/a.ts:1' },
  ],
  kept: [
    {
      'server/lib/a.ts': "// Not part of a word: untold, by hand, `told`.\nexport const untold = 'told';",
      'server/lib/a.test.ts': 'const told = 1;',
    },
  ],
};

function checkTitles({ path, nodes }: Module): Violation[] {
  return nodes.flatMap(({ node, line }) => {
    const message = faultOfTitle(titleOf(node));
    return message === null ? [] : [{ path, line, message }];
  });
}

const titles: Rule = {
  sentence: 'titles of tests are in plain words',
  check: (project) => project.modules.filter(({ path }) => isTest(path)).flatMap(checkTitles),
  broken: [
    {
      files: { 'server/lib/a.test.ts': `test.each([1])('who asks is told: %i', () => {});` },
      at: 'server/lib/a.test.ts:1',
    },
    {
      files: { 'test/e2e/a.test.ts': `\ndescribe('changes at once', () => {});` },
      at: 'test/e2e/a.test.ts:2',
    },
    { files: { 'renderer/a.test.ts': 'test(`${1} is gone`, () => {});' }, at: 'renderer/a.test.ts:1' },
  ],
  kept: [
    {
      'server/lib/a.test.ts': "test('an event without a name is answered 200 and not stored', () => {});",
      'test/e2e/a.test.ts': "test('the column `made` is read', () => { const told = 'gone'; });",
    },
  ],
};

export const wordRules: readonly Rule[] = [words, titles];
