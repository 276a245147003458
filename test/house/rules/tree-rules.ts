import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { checkLines, topFolder, type Rule, type Violation } from '../rule.ts';
import type { Project } from '../project.ts';

const README_LINES = 30;

const readmes: Rule = {
  sentence: `each top-level folder has a README.md of at most ${README_LINES} lines`,
  check: (project) =>
    [...new Set([...project.files.keys()].map(topFolder))]
      .filter((folder) => folder !== '' && !folder.startsWith('.'))
      .flatMap((folder): Violation[] => {
        const path = `${folder}/README.md`;
        const text = project.files.get(path);
        if (text === undefined)
          return [{ path, line: null, message: 'Say in a few lines what this folder is for.' }];
        const lines = text.trimEnd().split('\n').length;
        const message = `${lines} lines. Keep it to ${README_LINES}; the rest belongs in docs/.`;
        return lines <= README_LINES ? [] : [{ path, line: README_LINES + 1, message }];
      }),
  broken: [
    { files: { 'server/app.ts': '' }, at: 'server/README.md' },
    { files: { 'server/README.md': 'a\n'.repeat(31) }, at: 'server/README.md:31' },
  ],
  kept: [
    {
      'server/app.ts': '',
      'server/README.md': 'a\n'.repeat(30),
      '.ci/run': '',
      'README.md': 'a\n'.repeat(99),
    },
  ],
};

/** Places of one machine, written in parts so that this file keeps its own rule. */
const MACHINE_PATH = new RegExp(
  `(?<![\\w.~}/-])/(${['home', ['ro', 'ot'].join(''), ['wo', 'rk'].join(''), 'Users'].join('|')})/\\w|(?<!\\w)[A-Z]:\\\\{1,2}Users\\b`,
);
const REGISTRY = new RegExp(
  `${['npm', 'js'].join('')}\\.org|${['npm', 'mirror'].join('')}\\.|(?<![\\w.-])registry\\.[a-z]`,
);

const places: Rule = {
  sentence: 'no file contains a path of one machine or the address of a registry',
  check: (project) =>
    checkLines(
      project,
      (path) => path !== 'package-lock.json',
      (line) => {
        if (MACHINE_PATH.test(line))
          return 'This path exists on one machine only. Take it from the environment or make it relative.';
        return REGISTRY.test(line) ? 'The registry is the machine’s choice. Leave its address out.' : null;
      },
    ),
  broken: [
    {
      files: { 'scripts/a.mjs': `const path = '${['', 'home', 'ann', 'burrow'].join('/')}';` },
      at: 'scripts/a.mjs:1',
    },
    { files: { 'README.md': `Open ${'C:'}\\Users\\ann` }, at: 'README.md:1' },
    { files: { '.npmrc': `a=1\nhttps://${'registry'}.example.com` }, at: '.npmrc:2' },
  ],
  kept: [
    { 'README.md': 'https://example.com/home/ann, ~/home/burrow, %APPDATA%\\Burrow, /usr/bin/chromium' },
  ],
};

const MIGRATIONS = 'server/db/migrations/';
export const MIGRATIONS_SUM = 'test/house/migrations.sum';

/** The lines of the list: SHA-256 in hexadecimal, two spaces, file name, as `sha256sum` writes and checks them. */
function readSums(project: Project): Map<string, string> {
  const lines = (project.files.get(MIGRATIONS_SUM) ?? '').trim().split('\n');
  return new Map(lines.filter((line) => line !== '').map((line) => [line.slice(66), line.slice(0, 64)]));
}

function checkMigrations(project: Project): Violation[] {
  const paths = [...project.files.keys()]
    .filter((path) => path.startsWith(MIGRATIONS) && path.endsWith('.sql'))
    .sort();
  const sums = readSums(project);
  const violations = paths.flatMap((path, index) => {
    const number = String(index + 1).padStart(4, '0');
    const sum = sums.get(basename(path));
    sums.delete(basename(path));
    if (!new RegExp(`^${number}-[a-z0-9-]+\\.sql$`).test(basename(path))) {
      return [
        {
          path,
          line: null,
          message: `Migrations are numbered without gaps: this one is ${number}-what.sql.`,
        },
      ];
    }
    if (sum === undefined)
      return [{ path, line: null, message: `This migration is new. Add it to the list: ${WRITE_SUMS}` }];
    const same = sum === createHash('sha256').update(project.files.get(path)!).digest('hex');
    const message = `A released migration is never edited: add the next number instead. (Not released yet? ${WRITE_SUMS})`;
    return same ? [] : [{ path, line: null, message }];
  });
  const gone = [...sums.keys()].map((name) => ({
    path: MIGRATIONS_SUM,
    line: null,
    message: `${name} is gone. A released migration stays, or older data folders cannot be opened.`,
  }));
  return [...violations, ...gone];
}

const WRITE_SUMS = `(cd ${MIGRATIONS} && sha256sum *.sql) > ${MIGRATIONS_SUM}`;
/** SHA-256 of 'SELECT 1;'. */
const SUM = '17db4fd369edb9244b9f91d9aeed145c3d04ad8ba6e95d06247f07a63527d11a';

const migrations: Rule = {
  sentence: 'migrations are numbered without gaps, and none is edited or removed',
  check: checkMigrations,
  broken: [
    { files: { [`${MIGRATIONS}0001-a.sql`]: 'SELECT 1;' }, at: `${MIGRATIONS}0001-a.sql` },
    {
      files: { [`${MIGRATIONS}0001-a.sql`]: 'SELECT 2;', [MIGRATIONS_SUM]: `${SUM}  0001-a.sql\n` },
      at: `${MIGRATIONS}0001-a.sql`,
    },
    {
      files: {
        [`${MIGRATIONS}0001-a.sql`]: 'SELECT 1;',
        [`${MIGRATIONS}0003-b.sql`]: 'SELECT 1;',
        [MIGRATIONS_SUM]: `${SUM}  0001-a.sql\n${SUM}  0003-b.sql\n`,
      },
      at: `${MIGRATIONS}0003-b.sql`,
    },
    { files: { [MIGRATIONS_SUM]: `${SUM}  0001-a.sql\n` }, at: MIGRATIONS_SUM },
  ],
  kept: [{ [`${MIGRATIONS}0001-a.sql`]: 'SELECT 1;', [MIGRATIONS_SUM]: `${SUM}  0001-a.sql\n` }],
};

export const treeRules: readonly Rule[] = [readmes, places, migrations];
