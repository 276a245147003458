import ts from 'typescript';
import { checkLines, checkNodes, isTest, type Rule } from '../rule.ts';

/** Configuration files of tools, which demand a default export. */
const CONFIG = /(^|\/)[\w.-]+\.config\.[mc]?[jt]s$/;

const namedExports: Rule = {
  sentence: 'exports have names',
  check: (project) =>
    checkNodes(
      project,
      (path) => !CONFIG.test(path) && !path.endsWith('.d.ts'),
      (node) =>
        isDefaultExport(node) ? 'A default export has no name to search for. Export it by name.' : null,
    ),
  broken: [
    { files: { 'server/a.ts': 'export default 1;' }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': 'export default function a() {}' }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': 'const a = 1;\nexport { a as default };' }, at: 'server/a.ts:2' },
  ],
  kept: [{ 'vite.config.ts': 'export default {};' }, { 'server/a.ts': 'export const a = 1;' }],
};

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return node.isExportEquals !== true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return node.kind === ts.SyntaxKind.DefaultKeyword && ts.canHaveModifiers(node.parent);
}

const PROCESS_HOMES =
  /^server\/(main\.ts|entry\.cjs|watch-thread\.ts)$|^(electron|scripts|test|testing)\/|^[^/]+$/;

const process: Rule = {
  sentence:
    'only server/main.ts touches the process: its environment, arguments, signals and exit code; watch-thread.ts measures and ends it',
  check: (project) =>
    checkNodes(
      project,
      (path) => !PROCESS_HOMES.test(path) && !isTest(path),
      (node) => {
        const used =
          (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
          ts.isIdentifier(node.expression) &&
          node.expression.text === 'process';
        const imported = ts.isStringLiteral(node) && /^(node:)?process$/.test(node.text) && isSpecifier(node);
        return used || imported ? 'process belongs to server/main.ts. Take the value as an argument.' : null;
      },
    ),
  broken: [
    { files: { 'server/config.ts': 'const port = process.env.PORT;' }, at: 'server/config.ts:1' },
    { files: { 'server/a.ts': `const a = process['env'];` }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': `import { env } from 'node:process';` }, at: 'server/a.ts:1' },
  ],
  kept: [
    { 'server/main.ts': 'process.exit(2);' },
    { 'server/watch-thread.ts': 'process.memoryUsage.rss();' },
    { 'server/a.ts': 'job.process.run();' },
  ],
};

function isSpecifier(node: ts.Node): boolean {
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
}

const CHANCE_HOMES = /^server\/(lib\/(clock|ids)|main)\.ts$/;

const chance: Rule = {
  sentence: 'in the server, time and randomness are arguments',
  check: (project) =>
    checkNodes(
      project,
      (path) => path.startsWith('server/') && !CHANCE_HOMES.test(path) && !isTest(path),
      (node) => {
        if (
          ts.isNewExpression(node) &&
          isNamed(node.expression, 'Date') &&
          (node.arguments?.length ?? 0) === 0
        ) {
          return 'new Date() reads the clock. Take a Clock as an argument, so that tests decide what now is.';
        }
        if (!ts.isCallExpression(node)) return null;
        const called = node.expression.getText();
        return /^(Date\.now|Math\.random|(crypto\.)?random(UUID|Bytes))$/.test(called)
          ? `${called}() makes tests inexact. Take a Clock or a NewId as an argument, or add a maker to server/lib/ids.ts.`
          : null;
      },
    ),
  broken: [
    { files: { 'server/a.ts': 'const now = Date.now();' }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': 'const now = new Date();' }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': 'const id = randomUUID();' }, at: 'server/a.ts:1' },
  ],
  kept: [
    { 'server/lib/clock.ts': 'export const clock = () => Date.now();' },
    { 'server/a.ts': 'const then = new Date(now); const text = Date.parse(then);' },
  ],
};

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

const ERROR_TYPES = /^(authentication_error|invalid_request|validation_error|throttled_error|server_error)$/;

const errors: Rule = {
  sentence: 'error codes, statuses and texts are only in server/errors.ts',
  check: (project) =>
    checkNodes(
      project,
      (path) => path.startsWith('server/') && path !== 'server/errors.ts' && !isTest(path),
      (node) => {
        if (ts.isNewExpression(node) && isNamed(node.expression, 'ApiError')) {
          return "Throw fail('name') with a row of server/errors.ts.";
        }
        const invented =
          ts.isPropertyAssignment(node) &&
          /^['"]?type['"]?$/.test(node.name.getText()) &&
          ts.isStringLiteralLike(node.initializer) &&
          ERROR_TYPES.test(node.initializer.text);
        return invented
          ? "An error is made outside the table. Add a row to server/errors.ts and throw fail('name')."
          : null;
      },
    ),
  broken: [
    { files: { 'server/a.ts': `throw new ApiError('not_found');` }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': `send({ type: 'validation_error', code: 'x' });` }, at: 'server/a.ts:1' },
  ],
  kept: [
    { 'server/errors.ts': `const row = { type: 'validation_error' };` },
    { 'server/a.ts': `throw fail('required');` },
  ],
};

const SOURCE = /\.([mc]?[jt]s|vue|sql|css|html|ya?ml|sh)$|^\.ci\/|\.md$/;
/** Upper-case words that mean "later"; written in pieces, so that this file keeps its own rule. */
const LATER = ['TO-DO', 'FIX-ME', 'XX-X', 'HA-CK'].map((word) => word.replace('-', ''));
const UNFINISHED = new RegExp(`\\b(${LATER.join('|')})\\b`);

const finished: Rule = {
  sentence: 'no notes are left to do something later',
  check: (project) =>
    checkLines(
      project,
      (path) => SOURCE.test(path) && !path.startsWith('test/fixtures/'),
      (line) =>
        UNFINISHED.test(line) ? 'Do it now, or write an issue and say here why it is as it is.' : null,
    ),
  broken: [{ files: { 'server/a.ts': `const a = 1;\n// ${LATER[0]}: later` }, at: 'server/a.ts:2' }],
  kept: [{ 'server/a.ts': '// The methodology of todos.' }],
};

const SILENCED = /@ts-(ignore|expect-error|nocheck)|(eslint|oxlint)-disable|\bas any\b/;
const SKIPPED = /\b(describe|test|it)\.(only|skip|todo|fails)\b/;

const silence: Rule = {
  sentence: 'no type, lint or test is silenced without its reason on the same line',
  check: (project) =>
    checkLines(
      project,
      (path) => /\.([mc]?[jt]s|vue)$/.test(path) && !path.startsWith('test/house/'),
      (line) => {
        if (SKIPPED.test(line)) return 'A test runs, or it goes.';
        if (
          !SILENCED.test(line) ||
          / -- \S|: \S.* \S/.test(line.replace(/^.*(disable|expect-error|ignore)/, ''))
        )
          return null;
        return 'Mend the cause, or write the reason behind `--` on this line.';
      },
    ),
  broken: [
    { files: { 'server/a.ts': '// @ts-ignore\nf(1);' }, at: 'server/a.ts:1' },
    { files: { 'server/a.ts': 'f(x as any);' }, at: 'server/a.ts:1' },
    { files: { 'server/a.test.ts': `test.only('a', () => {});` }, at: 'server/a.test.ts:1' },
  ],
  kept: [
    { 'server/a.ts': '// @ts-expect-error -- the types of lz-string lag behind\nf(1);' },
    { 'server/a.test.ts': `test('skips a bad line', () => {});` },
  ],
};

const swallowed: Rule = {
  sentence: 'a dropped error of the console or the desktop app has a comment with the reason',
  check: (project) =>
    checkNodes(
      project,
      (path) => /^(renderer|electron)\//.test(path) && !isTest(path),
      (node) =>
        dropsError(node) && !isExplained(node)
          ? 'Somebody may wait for this. Show the failure (showFailure, FailurePanel, useChange), or say in a comment why not.'
          : null,
    ),
  broken: [
    { files: { 'renderer/a.ts': 'try {\n  a();\n} catch {\n  b();\n}' }, at: 'renderer/a.ts:3' },
    { files: { 'renderer/a.ts': 'void a().catch(() => {});' }, at: 'renderer/a.ts:1' },
    { files: { 'renderer/a.ts': 'const found = await a().catch(() => null);' }, at: 'renderer/a.ts:1' },
    { files: { 'electron/a.ts': 'a().then(show, () => undefined);' }, at: 'electron/a.ts:1' },
    { files: { 'electron/a.ts': 'void a().then(ask, ask);' }, at: 'electron/a.ts:1' },
    {
      files: { 'renderer/a.ts': 'try { a(); } catch (error) { if (!(error instanceof B)) throw error; }' },
      at: 'renderer/a.ts:1',
    },
  ],
  kept: [
    { 'renderer/a.ts': 'try { a(); } catch (error) { showFailure(error); }' },
    { 'renderer/a.ts': `try { a(); } catch { problem = 'This file is not JSON.'; }` },
    { 'renderer/a.ts': '// The next poll asks again.\nvoid a().catch(() => {});' },
    {
      'renderer/a.ts': 'try { a(); } catch {\n  // A browser that stores nothing still shows everything.\n}',
    },
    {
      'renderer/a.ts':
        '/** Null for a text that is not JSON. */\nfunction a() { try { b(); } catch { return null; } }',
    },
    { 'renderer/a.ts': 'a().catch((error: unknown) => showFailure(error));\nb().then(show, showFailure);' },
    { 'electron/a.ts': 'const theme = schema.catch(null);' },
  ],
};

/**
 * A catch clause or a handler of a promise that does nothing with the error, apart from passing some of them on. One that
 * throws, or has a sentence of its own to show, drops nothing.
 */
function dropsError(node: ts.Node): boolean {
  if (ts.isCatchClause(node)) {
    const { variableDeclaration: error, block } = node;
    if (error === undefined) return !/\bthrow |(['"`])[^'"`]*\w [^'"`]*\1/.test(block.getText());
    const isPassedOn = (statement: ts.Statement) =>
      ts.isIfStatement(statement) && ts.isThrowStatement(statement.thenStatement) && !statement.elseStatement;
    return block.statements.every(isPassedOn);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name } = node.expression;
  const [first, second] = node.arguments;
  if (name.text === 'catch') return first !== undefined && takesNothing(first);
  if (name.text !== 'then' || second === undefined) return false;
  return takesNothing(second) || second.getText() === first?.getText();
}

function takesNothing(handler: ts.Expression): boolean {
  return (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) && handler.parameters.length === 0;
}

/** The comment is in the handler, above its statement, or above the function around it. */
function isExplained(node: ts.Node): boolean {
  const text = node.getSourceFile().text;
  if (node.getText().includes('//')) return true;
  for (let around: ts.Node = node.parent; !ts.isSourceFile(around); around = around.parent) {
    const isPlace = ts.isStatement(around) && !ts.isBlock(around);
    if (isPlace && ts.getLeadingCommentRanges(text, around.getFullStart())) return true;
    if (ts.isFunctionLike(around) && ts.isStatement(around)) return false;
  }
  return false;
}

const limits: Rule = {
  sentence: 'the server limits time with timeLimit(): Node 20 may forget AbortSignal.timeout()',
  check: (project) =>
    checkNodes(
      project,
      (path) => path.startsWith('server/') && !isTest(path),
      (node) =>
        ts.isPropertyAccessExpression(node) && node.getText() === 'AbortSignal.timeout'
          ? 'Within AbortSignal.any() it never ends once garbage was collected. Use timeLimit() of server/lib.'
          : null,
    ),
  broken: [
    { files: { 'server/a.ts': 'AbortSignal.any([gone, AbortSignal.timeout(5)]);' }, at: 'server/a.ts:1' },
  ],
  kept: [
    { 'server/a.ts': '// AbortSignal.timeout(5)\ntimeLimit(5);' },
    { 'electron/a.ts': 'fetch(url, { signal: AbortSignal.timeout(5) });' },
  ],
};

export const codeRules: readonly Rule[] = [
  namedExports,
  process,
  chance,
  errors,
  finished,
  silence,
  swallowed,
  limits,
];
