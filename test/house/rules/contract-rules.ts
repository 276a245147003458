import { titleOf } from '../module.ts';
import type { Project } from '../project.ts';
import type { Rule, Violation } from '../rule.ts';

const PAGES = 'docs/contract/';
/** A rule is a list item that starts with its name in bold, a section a heading that starts with its number. */
const RULE = /^- \*\*(\S+)\*\* /;
const SECTION = /^#{2,3} (M?\d+(?:\.\d+[a-z]?)+) /;
/** Rules and sections of the ingestion contract; F evaluates flags, P compares properties, A are amendments. */
const INGESTION_NAME = String.raw`(?:\d|1[0-3])(?:(?:\.\d+[a-z]?)+(?:/[\w.-]+)?|/[\w.-]+)|[AFP]-\d+`;
/** Sections of the management contract, and rules in them. */
const MANAGEMENT_NAME = String.raw`M\d+(?:\.\d+)+(?:/[\w.-]+)?`;
const NAME = `(?:${INGESTION_NAME}|${MANAGEMENT_NAME})`;
const NAMED = new RegExp(`^${NAME}(?:, ${NAME})*(?= )`);

/** A rule or section of the contract, and where it is named: a line of a page, or the title of a test. */
interface Mention {
  rule: string;
  path: string;
  line: number;
}

/** What `pattern` finds at the beginning of the lines of the pages. */
function listed(project: Project, pattern: RegExp): Mention[] {
  return [...project.files].flatMap(([path, text]) =>
    path.startsWith(PAGES)
      ? text.split('\n').flatMap((content, index) => {
          const rule = pattern.exec(content)?.[1];
          return rule === undefined ? [] : [{ rule, path, line: index + 1 }];
        })
      : [],
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

function checkNames(project: Project): Violation[] {
  const rules = listed(project, RULE).map(({ rule }) => rule);
  const sections = listed(project, SECTION).map(({ rule }) => rule);
  return named(project)
    .filter(
      ({ rule }) =>
        !rules.includes(rule) &&
        !sections.includes(rule) &&
        !rules.some((known) => known.startsWith(`${rule}.`) || known.startsWith(`${rule}/`)),
    )
    .map(({ rule, path, line }) => ({ path, line, message: `No page in ${PAGES} has a rule ${rule}.` }));
}

const names: Rule = {
  sentence: 'a rule or section that a test title names is on a page of the contract',
  check: checkNames,
  broken: [
    {
      files: { [`${PAGES}capture.md`]: '- **3.1.1** a', 'server/a.test.ts': `test('3.1.9 b', f);` },
      at: 'server/a.test.ts:1',
    },
    {
      files: {
        [`${PAGES}capture.md`]: '- **3.1.1** a',
        'server/a.test.ts': `describe.each(rows)('3.1.1, 2.2/no-path %s', f);`,
      },
      at: 'server/a.test.ts:1',
    },
    {
      files: {
        [`${PAGES}management.md`]: '## M2.4 Errors\n- **M2.4/E-404** a',
        'server/a.test.ts': `test('M2.4/E-405 b', f);`,
      },
      at: 'server/a.test.ts:1',
    },
    {
      files: { [`${PAGES}management.md`]: '## M9.3 Persons', 'server/a.test.ts': `test('M9.4 b', f);` },
      at: 'server/a.test.ts:1',
    },
  ],
  kept: [
    {
      [`${PAGES}capture.md`]: '### 1.8 Order\n- **3.1.1** a\n- **6.7a** b\n- **5/key** c\n- **F-2** d',
      'server/a.test.ts': `test('3.1.1, 6.7a a', f);\ntest.each(rows)('5/key, F-2 %s', f);\ntest('3 rows', f);\ndescribe('3.1 a', f);\ntest('1.8 a', f);`,
      'server/b.ts': `call('3.1.9 b');`,
    },
    {
      [`${PAGES}management.md`]: '## M9.3 Persons\n- **M2.4/E-404** a\n- **M3.7/no-key** b',
      'server/a.test.ts': `test('M2.4/E-404, M3.7/no-key b', f);\ntest('M9.3 a', f);\ntest('M2 is a chip', f);`,
    },
  ],
};

function checkTests(project: Project): Violation[] {
  const tested = new Set(named(project).map(({ rule }) => rule));
  const seen = new Set<string>();
  return listed(project, RULE).flatMap(({ rule, path, line }) => {
    const message = seen.has(rule) ? `${rule} is there already.` : `No test names the rule ${rule}.`;
    const isFine = tested.has(rule) && !seen.has(rule);
    seen.add(rule);
    return isFine ? [] : [{ path, line, message }];
  });
}

const tests: Rule = {
  sentence: 'every rule of the contract has a name of its own and a test that names it',
  check: checkTests,
  broken: [
    {
      files: {
        [`${PAGES}capture.md`]: '- **3.1.1** a\n- **3.1.2** b',
        'server/a.test.ts': `describe('3.1 a', f);\ntest('3.1.1 a', f);`,
        'server/b.ts': `test('3.1.2 b', f);`,
      },
      at: `${PAGES}capture.md:2`,
    },
    {
      files: {
        [`${PAGES}capture.md`]: '- **3.1.1** a',
        [`${PAGES}flags.md`]: '- **3.1.1** b',
        'server/a.test.ts': `test('3.1.1 a', f);`,
      },
      at: `${PAGES}flags.md:1`,
    },
  ],
  kept: [
    {
      [`${PAGES}capture.md`]: '- **3.1.1** a\n- **2.2/e** b\n- **5/key** c\n- A-5: planned',
      'server/a.test.ts': `describe('3.1.1, 2.2/e a', f);`,
      'test/contract/b.test.ts': 'test.each(rows)(`5/key ${name}`, f);',
    },
  ],
};

export const contractRules: readonly Rule[] = [names, tests];
