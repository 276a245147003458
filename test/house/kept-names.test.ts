import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { channels, pageChannels } from '../../electron/channels.ts';
import { OPTIONS, variableOf, type OptionRow } from '../../server/cli-table.ts';
import { ERRORS } from '../../server/errors.ts';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { OPERATORS } from '../../server/conditions/operators.contract.ts';
import { shareTestApp } from '../support/test-app.ts';
import { readProject, type Project } from './project.ts';

/**
 * Names on the wire and on disk, by what they name: none is renamed, because other programs and stored files say them. New
 * ones are added by `BURROW_RECORD=1 npx vitest run test/house/kept-names.test.ts`. A removed one is deleted by hand, in a
 * commit that says why.
 */
const FILE = new URL('./kept-names.json', import.meta.url);
const KINDS = [
  'columns',
  'project settings',
  'server settings',
  'preferences',
  'desktop settings',
  'console paths',
  'console parameters',
  'IPC channels',
  'options',
  'environment',
  'routes',
  'route parameters',
  'operators',
  'warning types',
  'drop reasons',
  'error codes',
  'scopes',
] as const;
type Names = Record<(typeof KINDS)[number], readonly string[]>;

const open = shareTestApp();
const stored = (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}) as Partial<Names>;
let found: Names;

beforeAll(async () => {
  const all = {
    ...(await namesOfServer()),
    ...namesInSource(readProject(fileURLToPath(new URL('../../', import.meta.url)))),
  };
  found = Object.fromEntries(
    KINDS.map((kind) => [kind, [...new Set(all[kind])].toSorted()]),
  ) as unknown as Names;
  if (process.env['BURROW_RECORD'] !== '1') return;
  for (const kind of KINDS) stored[kind] = [...new Set([...(stored[kind] ?? []), ...found[kind]])].toSorted();
  writeFileSync(FILE, `${JSON.stringify(stored, null, 2)}\n`);
});

describe.each(KINDS)('%s', (kind) => {
  test('have stable names', () => {
    expect(found[kind].length).toBeGreaterThan(0);
    expect(stored[kind]?.filter((name) => !found[kind].includes(name))).toEqual([]);
  });

  test('are all in kept-names.json', () => {
    const added = found[kind].filter((name) => stored[kind]?.includes(name) !== true);
    expect(added, 'BURROW_RECORD=1 npx vitest run test/house/kept-names.test.ts adds them').toEqual([]);
  });
});

type ServerKind =
  | 'columns'
  | 'project settings'
  | 'IPC channels'
  | 'options'
  | 'routes'
  | 'route parameters'
  | 'operators'
  | 'error codes'
  | 'scopes';

/** What the running server and the tables in its code say. */
async function namesOfServer(): Promise<Pick<Names, ServerKind>> {
  const app = await open.forAll();
  const columns = await app.store.db.all<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'main'`,
  );
  const { paths } = (await app.ask('/openapi.json')).json as OpenApiDocument;
  // /api/environments/ is another name of every path of a project.
  const named = Object.entries(paths).filter(([path]) => !path.startsWith('/api/environments/'));
  const operations = named.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const scopes = operations.flatMap(({ operation }) => {
    const { 'x-required-scopes': required = [], 'x-also-required-scopes': also = [] } = operation;
    return [...required, ...also];
  });
  return {
    columns: columns.map(({ name }) => name),
    'project settings': Object.keys((await app.ask('/api/projects/1/')).json),
    'IPC channels': [...Object.keys(channels), ...Object.keys(pageChannels)],
    options: Object.keys(OPTIONS),
    routes: operations.map(({ name }) => name),
    'route parameters': operations.flatMap(({ name, operation }) =>
      operation.parameters
        .filter((parameter) => parameter.in !== 'path')
        .map((parameter) => `${name} ${parameter.name}`),
    ),
    operators: OPERATORS,
    'error codes': Object.values(ERRORS).map(({ status, type, code }) => `${status} ${type} ${code}`),
    scopes,
  };
}

/** What only the text of the code says. */
function namesInSource({ files }: Project): Omit<Names, ServerKind> {
  const code = [...files].filter(
    ([path]) =>
      /^(server|electron|renderer|scripts)\/.*\.(ts|mjs|vue|cjs|js)$/.test(path) && !/\.test\.ts$/.test(path),
  );
  const texts = (within: RegExp, pattern: RegExp): string[] =>
    code.flatMap(([path, text]) =>
      within.test(path) ? [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]) : [],
    );
  /** The texts of a type `name` that is a union of texts, in any file. */
  const union = (name: string): string[] =>
    texts(/^server\//, new RegExp(`export type ${name} =([^]*?);\\n\\n`, 'g')).flatMap((body) =>
      [...body.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]!),
    );
  /** The fields of an interface or a schema, in the block that begins with this text. */
  const fields = (within: RegExp, start: string): string[] =>
    texts(within, new RegExp(`${start}\\n([^]*?)\\n\\}`, 'g')).flatMap((body) =>
      [...body.matchAll(/^  (\w+)\??:/gm)].map((match) => match[1]!),
    );
  return {
    'server settings': [
      ...texts(/^server\//, /const \w*SETTING(?:_\w+)? = '([^']+)'/g),
      ...texts(/^server\//, /server_settings WHERE name = '([a-z_]+)'/g),
      ...texts(/^server\//, /settings\.(?:find|save)\('([^']+)'/g),
    ],
    preferences: [
      ...texts(/^renderer\//, /'(burrow\.[\w.-]+)'/g),
      ...texts(/^renderer\//, /`(burrow\.[\w.-]+)/g),
      ...fields(/^renderer\/stores\//, 'interface Preferences \\{'),
    ],
    'desktop settings': fields(/^electron\//, 'const shellState = z.object\\(\\{'),
    'console paths': texts(/^renderer\/(router|screens)/, /path: '(\/[^']*)'/g),
    'console parameters': [
      ...texts(/^renderer\//, /\bquery\[?\.?'?(?:\['|\.)?([a-z_]+)'\]/g),
      ...texts(/^renderer\//, /\bqueryValue(?:<[^(]*>)?\('(\w+)'/g),
      ...texts(/^renderer\//, /\{ ([^{}]*) \}(?: =|: typeof) route\.query\b/g).flatMap((taken) =>
        [...taken.matchAll(/(?:^|, )([a-z_]+)/g)].map((match) => match[1]!),
      ),
      ...texts(/^renderer\//, /usePagedList\(\{([^]*?)load[:(]/g)
        .flatMap((list) => /filters: \{([^]*?)\},?(?:\n| $)/.exec(list)?.[1] ?? [])
        .flatMap((filters) => [...filters.matchAll(/(\w+): (?:\[|[A-Z']|'')/g)])
        .map((match) => match[1]!),
    ],
    environment: [
      ...Object.entries<OptionRow>(OPTIONS).flatMap(([option, { onlyArgument }]) =>
        onlyArgument ? [] : [variableOf(option)],
      ),
      ...texts(/./, /\bBURROW_[A-Z][A-Z_]*[A-Z]\b/g),
    ],
    'warning types': union('WarningType'),
    'drop reasons': union('DropReason'),
  };
}
