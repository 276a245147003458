import ts from 'typescript';
import { REJECTED_WORDS, UNFINISHED } from '../rejected-words.ts';
import type { Module } from '../module.ts';
import type { Project } from '../project.ts';
import { isTest, type Rule, type Violation } from '../rule.ts';

const LIST = 'test/house/rejected-words.ts';
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

function isChecked(path: string): boolean {
  return path.startsWith('server/') && !isTest(path) && !UNFINISHED.some((entry) => covers(entry, path));
}

function covers(entry: string, path: string): boolean {
  return entry === 'server/*' ? /^server\/[^/]+$/.test(path) : path.startsWith(`${entry}/`);
}

/** The words of an identifier or a file name, lower case: `toldOf` and `told-of` have `told` and `of`. */
function wordsOf(name: string): string[] {
  return name
    .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
}

function faultWith(words: readonly string[]): string | null {
  const word = words.find((one) => Object.hasOwn(REJECTED_WORDS, one));
  return word === undefined ? null : `'${word}' is not plain. Write: ${REJECTED_WORDS[word]!}.`;
}

function checkNames({ path, nodes }: Module): Violation[] {
  const ofFile = faultWith(wordsOf(path.split('/').slice(2).join('/')));
  const found = nodes.flatMap(({ node, line }) => {
    const message = ts.isIdentifier(node) ? faultWith(wordsOf(node.text)) : null;
    return message === null ? [] : [{ path, line, message }];
  });
  return ofFile === null ? found : [{ path, line: null, message: ofFile }, ...found];
}

function checkComments(path: string, text: string): Violation[] {
  return [...text.matchAll(COMMENT)].flatMap((match) => {
    const message = faultWith(
      match[0]
        .replaceAll(/`[^`]*`/g, ' ')
        .toLowerCase()
        .split(/[^a-z]+/),
    );
    if (message === null) return [];
    return [{ path, line: text.slice(0, match.index).split('\n').length, message }];
  });
}

function checkWords(project: Project): Violation[] {
  return project.modules
    .filter(({ path }) => isChecked(path))
    .flatMap((module) => [
      ...checkNames(module),
      ...checkComments(module.path, project.files.get(module.path)!),
    ]);
}

const words: Rule = {
  sentence: 'names and comments of the server are in plain words, but for the folders still to do',
  check: checkWords,
  broken: [
    { files: { 'server/lib/a.ts': 'export const toldOf = 1;' }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/born-late.ts': '' }, at: 'server/lib/born-late.ts' },
    {
      files: { 'server/lib/a.ts': '\n/**\n * Whoever comes\n * first.\n */\nexport const a = 1;' },
      at: 'server/lib/a.ts:2',
    },
    { files: { 'server/http/a.ts': 'const a = 1; // Somebody else.' }, at: 'server/http/a.ts:1' },
  ],
  kept: [
    {
      'server/lib/a.ts': "// Not part of a word: untold, by hand, `told`.\nexport const untold = 'told';",
      'server/lib/a.test.ts': 'const told = 1;',
      'server/hogql/a.ts': 'export const told = 1;',
    },
  ],
};

function checkUnfinished(project: Project): Violation[] {
  const paths = [...project.files.keys()];
  const gone = UNFINISHED.filter((entry) => !paths.some((path) => covers(entry, path)));
  if (gone.length === 0) return [];
  return [{ path: LIST, line: null, message: `Remove what covers no file any more: ${gone.join(', ')}.` }];
}

const unfinished: Rule = {
  sentence: 'the list of folders without plain words names folders that exist',
  check: checkUnfinished,
  broken: [{ files: { 'server/hogql/a.ts': '' }, at: LIST }],
  kept: [
    Object.fromEntries(
      UNFINISHED.map((entry) => [entry.includes('*') ? 'server/a.ts' : `${entry}/a.ts`, '']),
    ),
  ],
};

export const wordRules: readonly Rule[] = [words, unfinished];
