import ts from 'typescript';
import type { Project } from '../project.ts';
import type { Rule, Violation } from '../rule.ts';

const LIST = 'test/contract/rules.ts';
const MANAGEMENT_LIST = 'test/contract/management-rules.ts';
/** Sections of the ingestion contract whose rules are listed, F, P and A (amendments) with a dash; tests of section 1 may name theirs freely. */
const INGESTION_NAME = String.raw`(?:[2-9]|1[0-3])(?:(?:\.\d+[a-z]?)+(?:/[\w.-]+)?|/[\w.-]+)|[AFP]-\d+`;
/** Rows of the management contract's tables. */
const MANAGEMENT_NAME = String.raw`M\d+(?:\.\d+)+/[\w.-]+`;
const NAME = `(?:${INGESTION_NAME}|${MANAGEMENT_NAME})`;
const NAMED = new RegExp(`^${NAME}(?:, ${NAME})*(?= )`);

/** A contract rule, and where it stands: an entry of the list, or the title of a test. */
interface Mention {
  rule: string;
  path: string;
  line: number;
}

function listed(project: Project): Mention[] {
  const lists = project.modules.filter(({ path }) => path === LIST || path === MANAGEMENT_LIST);
  return lists.flatMap(({ path, nodes }) =>
    nodes.flatMap(({ node, line }) =>
      ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.name)
        ? [{ rule: node.name.text, path, line }]
        : [],
    ),
  );
}

function named(project: Project): Mention[] {
  return project.modules
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap(({ path, nodes }) =>
      nodes.flatMap(({ node, line }) => {
        const names = NAMED.exec(titleOf(node))?.[0].split(', ') ?? [];
        return names.map((rule) => ({ rule, path, line }));
      }),
    );
}

/** The title that a call of `test`, `it` or `describe` gives, also behind `.each(…)`; empty for any other node. */
function titleOf(node: ts.Node): string {
  if (!ts.isCallExpression(node) || !/^(describe|test|it)$/.test(rootOf(node.expression))) return '';
  const title = node.arguments[0];
  if (title === undefined) return '';
  if (ts.isTemplateExpression(title)) return title.head.text;
  return ts.isStringLiteralLike(title) ? title.text : '';
}

function rootOf(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return rootOf(callee.expression);
  return '';
}

function checkNames(project: Project): Violation[] {
  const rules = listed(project).map(({ rule }) => rule);
  return named(project)
    .filter(({ rule }) => !rules.some((known) => known === rule || isSectionOf(rule, known)))
    .map(({ rule, path, line }) => ({ path, line, message: `${listOf(rule)} has no rule ${rule}.` }));
}

function listOf(rule: string): string {
  return rule.startsWith('M') ? MANAGEMENT_LIST : LIST;
}

/** A heading over tests that name the rules of a section themselves. */
function isSectionOf(section: string, rule: string): boolean {
  return rule.startsWith(`${section}.`) || rule.startsWith(`${section}/`);
}

const names: Rule = {
  sentence: 'a test that names a rule of a contract names one of its list',
  check: checkNames,
  broken: [
    {
      files: { [LIST]: `export const RULES = { '3.1.1': 'a' };`, 'server/a.test.ts': `test('3.1.9 b', f);` },
      at: 'server/a.test.ts:1',
    },
    {
      files: {
        [LIST]: `export const RULES = { '3.1.1': 'a' };`,
        'server/a.test.ts': `describe.each(rows)('3.1.1, 2.2/no-path %s', f);`,
      },
      at: 'server/a.test.ts:1',
    },
    {
      files: {
        [MANAGEMENT_LIST]: `export const MANAGEMENT_RULES = { 'M2.4/E-404': 'a' };`,
        'server/a.test.ts': `test('M2.4/E-405 b', f);`,
      },
      at: 'server/a.test.ts:1',
    },
  ],
  kept: [
    {
      [LIST]: `export const RULES = { '3.1.1': 'a', '6.7a': 'b', '5/key': 'c', 'F-2': 'd' };`,
      'server/a.test.ts': `test('3.1.1, 6.7a a', f);\ntest.each(rows)('5/key, F-2 %s', f);\ntest('3 rows', f);\ndescribe('3.1 a', f);\ntest('1.2 a', f);`,
      'server/b.ts': `call('3.1.9 b');`,
    },
    {
      [MANAGEMENT_LIST]: `export const MANAGEMENT_RULES = { 'M2.4/E-404': 'a', 'M3.7/no-key': 'b' };`,
      'server/a.test.ts': `test('M2.4/E-404, M3.7/no-key b', f);\ntest('M2 is a chip', f);`,
    },
  ],
};

function checkTests(project: Project): Violation[] {
  const tested = new Set(named(project).map(({ rule }) => rule));
  return listed(project)
    .filter(({ rule }) => !tested.has(rule))
    .map(({ rule, path, line }) => ({ path, line, message: `No test names the rule ${rule}.` }));
}

const tests: Rule = {
  sentence: 'every listed rule of a contract is named by a test',
  check: checkTests,
  broken: [
    {
      files: {
        [LIST]: `export const RULES = {\n'3.1.1': 'a',\n'3.1.2': 'b' };`,
        'server/a.test.ts': `describe('3.1 a', f);\ntest('3.1.1 a', f);`,
        'server/b.ts': `test('3.1.2 b', f);`,
      },
      at: `${LIST}:3`,
    },
    {
      files: {
        [MANAGEMENT_LIST]: `export const MANAGEMENT_RULES = {\n'M2.4/E-404': 'a',\n'M2.4/E-405': 'b' };`,
        'server/a.test.ts': `test('M2.4/E-404 a', f);`,
      },
      at: `${MANAGEMENT_LIST}:3`,
    },
  ],
  kept: [
    {
      [LIST]: `export const RULES = { '3.1.1': 'a', '2.2/e': 'b', '5/key': 'c' };`,
      'server/a.test.ts': `describe('3.1.1, 2.2/e a', f);`,
      'test/contract/b.test.ts': 'test.each(rows)(`5/key ${name}`, f);',
    },
  ],
};

export const contractRules: readonly Rule[] = [names, tests];
