import ts from 'typescript';
import { titleOf, type Module } from '../module.ts';
import type { Project } from '../project.ts';
import { REJECTED_IN_COMMENTS, REJECTED_IN_TITLES, REJECTED_WORDS } from '../rejected-words.ts';
import { isTest, topFolder, type Rule, type Violation } from '../rule.ts';

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

const NAMES_CHECKED = new Set(['server', 'electron', 'scripts']);
const COMMENTS_CHECKED = new Set([...NAMES_CHECKED, 'renderer', 'test']);
/** Its examples hold rejected words. */
const SELF = 'test/house/rules/word-rules.ts';

/** The words of an identifier or a file name, lower case: `toldOf` and `told-of` have `told` and `of`. */
function wordsOf(name: string): string[] {
  return name
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
}

function faultWith(words: readonly string[], rejected = REJECTED_WORDS): string | null {
  const word = words.find((one) => Object.hasOwn(rejected, one));
  return word === undefined ? null : `'${word}' is not plain. Write: ${rejected[word]!}.`;
}

function checkNames({ path, nodes }: Module): Violation[] {
  const ofFile = faultWith(wordsOf(path.split('/').slice(1).join('/')));
  const found = nodes.flatMap(({ node, line }) => {
    const message = ts.isIdentifier(node) ? faultWith(wordsOf(node.text)) : null;
    return message === null ? [] : [{ path, line, message }];
  });
  return ofFile === null ? found : [{ path, line: null, message: ofFile }, ...found];
}

function checkComments(path: string, text: string): Violation[] {
  const rejected = topFolder(path) === 'server' ? REJECTED_WORDS : REJECTED_IN_COMMENTS;
  return [...text.matchAll(COMMENT)].flatMap((match) => {
    const message = faultWith(
      match[0]
        .replaceAll(/`[^`]*`/g, ' ')
        .toLowerCase()
        .split(/[^a-z]+/),
      rejected,
    );
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
  sentence: 'names of the server and the desktop shell, and all comments, are in plain words',
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
    { files: { 'electron/a.ts': '// The dialog is gone.' }, at: 'electron/a.ts:1' },
  ],
  kept: [
    {
      'server/lib/a.ts': "// Not part of a word: untold, by hand, `told`.\nexport const untold = 'told';",
      'server/lib/a.test.ts': 'const told = 1;',
      'renderer/a.ts': 'export const told = 1;',
    },
  ],
};

const IN_TITLE = new RegExp(String.raw`\b(?:${Object.keys(REJECTED_IN_TITLES).join('|')})\b`, 'i');

function checkTitles({ path, nodes }: Module): Violation[] {
  return nodes.flatMap(({ node, line }) => {
    const phrase = IN_TITLE.exec(titleOf(node).replaceAll(/`[^`]*`/g, ' '))?.[0].toLowerCase();
    return phrase === undefined
      ? []
      : [{ path, line, message: `'${phrase}' is not plain. Write: ${REJECTED_IN_TITLES[phrase]!}.` }];
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
