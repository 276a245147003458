import { posix } from 'node:path';
import type { Project } from '../project.ts';
import type { Rule, Violation } from '../rule.ts';

const DECISIONS = 'docs/decisions/';
const INDEX = `${DECISIONS}README.md`;
const STATUS = /^(?:accepted|superseded by (\d{4}))$/;
const HEADINGS = ['Question', 'Choice', 'Price', 'Checked by'];

interface Decision {
  path: string;
  number: string;
  title: string | undefined;
  status: string | undefined;
  area: string | undefined;
  headings: string[];
}

function readDecisions(project: Project): Decision[] {
  return [...project.files]
    .filter(([path]) => path.startsWith(DECISIONS) && path !== INDEX)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, text]) => ({
      path,
      number: posix.basename(path).slice(0, 4),
      title: /^# \d+\. (.+)$/m.exec(text)?.[1],
      status: /^- Status: (.+)$/m.exec(text)?.[1],
      area: /^- Area: (.+)$/m.exec(text)?.[1],
      headings: [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!),
    }));
}

/** What is wrong with the decision that has this position in the folder; null for nothing. */
function decisionFault(
  { path, number, title, status, area, headings }: Decision,
  index: number,
  all: readonly Decision[],
): string | null {
  const expected = String(index + 1).padStart(4, '0');
  if (!new RegExp(`/${expected}-[a-z0-9-]+\\.md$`).test(path))
    return `Decisions are numbered without gaps: this one is ${expected}-title.md.`;
  if (title === undefined || area === undefined)
    return 'Begin with "# <number>. <title>", and give "- Status:", "- Date:" and "- Area:".';
  if (headings.join() !== HEADINGS.join()) return `The headings are ${HEADINGS.join(', ')}, in this order.`;
  const superseding = STATUS.exec(status ?? '');
  if (superseding === null) return 'The status is "accepted" or "superseded by NNNN".';
  const by = superseding[1];
  if (by !== undefined && (by <= number || !all.some((other) => other.number === by)))
    return `There is no later decision ${by}.`;
  return null;
}

function checkDecisions(project: Project): Violation[] {
  return readDecisions(project).flatMap((decision, index, all): Violation[] => {
    const message = decisionFault(decision, index, all);
    return message === null ? [] : [{ path: decision.path, line: null, message }];
  });
}

/** A decision of the given title and status, as the rules read it. */
function decision(head: string, status = 'accepted', headings = HEADINGS): string {
  return `# ${head}\n\n- Status: ${status}\n- Date: 2026-11-20\n- Area: storage\n\n${headings.map((heading) => `## ${heading}\n`).join('\n')}`;
}

const decisions: Rule = {
  sentence: 'decisions are numbered without gaps, have all headings, and a valid status',
  check: checkDecisions,
  broken: [
    { files: { [`${DECISIONS}0002-b.md`]: decision('2. B') }, at: `${DECISIONS}0002-b.md` },
    { files: { [`${DECISIONS}0001-a.md`]: decision('A') }, at: `${DECISIONS}0001-a.md` },
    { files: { [`${DECISIONS}0001-a.md`]: decision('1. A', 'open') }, at: `${DECISIONS}0001-a.md` },
    {
      files: { [`${DECISIONS}0001-a.md`]: decision('1. A', 'accepted', ['Question', 'Choice']) },
      at: `${DECISIONS}0001-a.md`,
    },
    {
      files: { [`${DECISIONS}0001-a.md`]: decision('1. A', 'superseded by 0002') },
      at: `${DECISIONS}0001-a.md`,
    },
    {
      files: {
        [`${DECISIONS}0001-a.md`]: decision('1. A'),
        [`${DECISIONS}0002-b.md`]: decision('2. B', 'superseded by 0001'),
      },
      at: `${DECISIONS}0002-b.md`,
    },
  ],
  kept: [
    {
      [`${DECISIONS}0001-a.md`]: decision('1. A', 'superseded by 0002'),
      [`${DECISIONS}0002-b.md`]: decision('2. B'),
      [INDEX]: '# Decisions',
    },
  ],
};

const INDEX_ROW = /^\| \d+ \| \[/;

function checkIndex(project: Project): Violation[] {
  const lines = (project.files.get(INDEX) ?? '').split('\n');
  const expected = readDecisions(project).map(
    ({ path, number, title, status, area }) =>
      `| ${Number(number)} | [${title}](${posix.basename(path)}) | ${status} | ${area} |`,
  );
  const missing = expected
    .filter((row) => !lines.includes(row))
    .map((row) => ({ path: INDEX, line: null, message: `This row is missing: ${row}` }));
  const gone = lines.flatMap((line, index) =>
    INDEX_ROW.test(line) && !expected.includes(line)
      ? [{ path: INDEX, line: index + 1, message: 'No decision has this number, title, status and area.' }]
      : [],
  );
  return [...missing, ...gone];
}

const index: Rule = {
  sentence: 'the index of decisions lists each with its number, title, status and area',
  check: checkIndex,
  broken: [
    { files: { [`${DECISIONS}0001-a.md`]: decision('1. A') }, at: INDEX },
    { files: { [INDEX]: '| 1 | [A](0001-a.md) | accepted | storage |' }, at: `${INDEX}:1` },
  ],
  kept: [
    {
      [`${DECISIONS}0001-a.md`]: decision('1. A'),
      [INDEX]: '| # | Decision |\n| --- | --- |\n| 1 | [A](0001-a.md) | accepted | storage |',
    },
  ],
};

/** Targets of Markdown links and images that lead to a file of this repository. */
const LINK = /(?:\]\(|src(?:set)?=")(?![a-z]+:|#)([^)"#\s]+)/g;

const links: Rule = {
  sentence: 'a link in a document leads to a file that exists',
  check: (project) =>
    checkDocuments(project, (line, path) =>
      [...line.matchAll(LINK)]
        .map((match) => posix.join(posix.dirname(path), match[1]!))
        .filter((file) => !project.files.has(file))
        .map((file) => `There is no ${file}. Fix the link.`),
    ),
  broken: [
    { files: { 'README.md': 'See [it](docs/gone.md).' }, at: 'README.md:1' },
    { files: { 'README.md': '<img src="gone.png">' }, at: 'README.md:1' },
  ],
  kept: [
    {
      'README.md': '[a](LICENSE#x) [b](https://example.com) [c](#here) ![d](resources/a.png)',
      LICENSE: '',
      'resources/a.png': '',
    },
  ],
};

/** A path in code style that begins with a folder of the repository, or the name of a source file. */
const PATH = /^(?:electron|renderer|server|scripts|test|docs|resources)\/[\w./-]+$/;
const SOURCE = /^[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|cjs|vue)$/;

function checkFileNames(project: Project): Violation[] {
  const paths = [...project.files.keys()];
  const sources = new Set(paths.map((path) => posix.basename(path)));
  const exists = (name: string): boolean => {
    if (SOURCE.test(name)) return sources.has(name);
    const folder = name.endsWith('/') ? name : `${name}/`;
    return !PATH.test(name) || project.files.has(name) || paths.some((path) => path.startsWith(folder));
  };
  return checkDocuments(project, (line, path) =>
    path === 'CHANGELOG.md'
      ? []
      : [...line.matchAll(/`([^`]+)`/g)]
          .map(([, name]) => name!)
          .filter((name) => !exists(name))
          .map((name) => `There is no ${name}. Use the present name of the file.`),
  );
}

const fileNames: Rule = {
  sentence: 'a file that a document names exists',
  check: checkFileNames,
  broken: [
    { files: { 'docs/a.md': 'See `server/gone.ts`.', 'server/a.ts': '' }, at: 'docs/a.md:1' },
    { files: { 'docs/a.md': '\nSee `gone.test.ts`.' }, at: 'docs/a.md:2' },
    { files: { 'docs/a.md': 'See `server/features/gone`.' }, at: 'docs/a.md:1' },
  ],
  kept: [
    {
      'docs/a.md':
        'Run `node server/gone.ts`: `server/a.ts`, `a.ts`, `server`, `server/`, `burrow.json`, `noun.*.ts`.',
      'server/a.ts': '',
      'CHANGELOG.md': '`gone.ts`',
    },
  ],
};

/** Maximum lines of a document in the root: longer explanations belong in docs/. */
const DOCUMENT_LINES: Readonly<Record<string, number>> = { 'README.md': 150, 'ARCHITECTURE.md': 120 };

const sizes: Rule = {
  sentence: 'README.md and ARCHITECTURE.md fit on a page',
  check: (project) =>
    Object.entries(DOCUMENT_LINES).flatMap(([path, limit]): Violation[] => {
      const lines = (project.files.get(path) ?? '').trimEnd().split('\n').length;
      const message = `${lines} lines. Reduce it to ${limit}, and explain the rest in docs/.`;
      return lines <= limit ? [] : [{ path, line: limit + 1, message }];
    }),
  broken: [{ files: { 'README.md': 'a\n'.repeat(151) }, at: 'README.md:151' }],
  kept: [{ 'README.md': 'a\n'.repeat(150), 'docs/a.md': 'a\n'.repeat(151) }],
};

/** Reports what `judge` finds in the lines of Markdown files. */
function checkDocuments(project: Project, judge: (line: string, path: string) => string[]): Violation[] {
  return [...project.files].flatMap(([path, text]) =>
    path.endsWith('.md')
      ? text
          .split('\n')
          .flatMap((line, index) => judge(line, path).map((message) => ({ path, line: index + 1, message })))
      : [],
  );
}

export const documentRules: readonly Rule[] = [decisions, index, links, fileNames, sizes];
