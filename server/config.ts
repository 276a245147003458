import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { readArguments, type RawOption } from './cli-arguments.ts';
import { commandRow, OPTIONS, type Command, type OptionName } from './cli-table.ts';
import { byteSize, flag, nameList, wholeNumber } from './cli-values.ts';
import { ConfigError } from './lib/config-error.ts';
import { readWarehouseAddress, type WarehouseAddress } from './lib/warehouse-address.ts';
import { timeZone } from './lib/time-zone.ts';

/** What the person who starts Burrow decided; read once, never changed. */
export interface Config {
  readonly command: Command;
  /** What the command is given besides options, a file as its absolute path; null: nothing. */
  readonly argument: string | null;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Absolute path; it need not exist yet. */
  readonly dataDir: string;
  readonly ephemeral: boolean;
  readonly json: boolean;
  /** The end of standard input ends the server. */
  readonly exitWithStdin: boolean;
  /** Bytes of one request to the ingestion door. */
  readonly maxBody: number;
  /** Bytes that DuckDB may use. */
  readonly memoryLimit: number;
  /** Host names, lower-case and without port, that the console and the management API answer besides their own. */
  readonly allowedHosts: readonly string[];
  readonly trustProxy: boolean;
  /** Absolute path of a city .mmdb that decides before what is set at run time; null: none was named. */
  readonly geoipFile: string | null;
  /** Absolute path of a flag file to start with; null: none was named. */
  readonly flagsFile: string | null;
  /** ClickHouse beside the file: it receives what is stored, and answers questions; null: there is none. */
  readonly warehouse: WarehouseAddress | null;
  readonly rateLimits: boolean;
  /** Off: no fast paths (docs/threads.md); results are the same. */
  readonly fast: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Become the first project's token and the owner's key at first start; null: a random token, no key. */
  readonly projectApiKey: string | null;
  readonly personalApiKey: string | null;
  /** Where options come from that are not at their default: `--port`, `BURROW_PORT` or `settings.json`. */
  readonly sources: Readonly<Partial<Record<OptionName, string>>>;
  readonly call: CallOptions;
}

/** Options of one call of a command, beside those of the server. */
export interface CallOptions {
  readonly project: number | null;
  readonly event: string | null;
  readonly all: boolean;
  readonly events: readonly string[] | null;
  readonly properties: readonly { name: string; value: string }[];
  /** Times as they were written. */
  readonly from: string | null;
  readonly to: string | null;
  readonly format: string | null;
  /** Absolute path; null: standard output. */
  readonly output: string | null;
  readonly force: boolean;
  readonly allowWrites: boolean;
  readonly kind: (typeof OPTIONS.kind.choices)[number] | null;
  readonly size: (typeof OPTIONS.size.choices)[number] | null;
  readonly seed: number | null;
  readonly live: boolean;
  readonly rate: number | null;
  readonly script: (typeof OPTIONS.script.choices)[number] | null;
  /** Local time of a day, as 14:00. */
  readonly at: string | null;
  readonly remove: boolean;
  /** As it was written. */
  readonly mapping: string | null;
  readonly timezone: string | null;
  readonly dryRun: boolean;
  /** Names of environment variables, because every user of the machine can read a command line. */
  readonly projectKeyEnv: string | null;
  readonly personalKeyEnv: string | null;
  readonly fromHost: string | null;
  readonly keyEnv: string | null;
  readonly hostProject: number | null;
  readonly resume: boolean;
  readonly print: boolean;
  readonly noColor: boolean;
  readonly man: boolean;
}

/** What the defaults depend on. */
export interface Machine {
  platform: NodeJS.Platform;
  homeDir: string;
  workingDir: string;
  /** Bytes of memory. */
  totalMemory: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const GIGABYTE = 1_000_000_000;
const DEFAULT_PORT = 2877;
/** In the data folder; written by the desktop app. */
export const SETTINGS_FILE = 'settings.json';
/** With `--event` these are as many filters as the stream of events takes. */
const MAX_PROPERTIES = 19;
const secret = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 printable ASCII characters without spaces');

const SCHEMA = z.object({
  port: wholeNumber(0, 65_535).optional(),
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  'data-dir': z.string().optional(),
  ephemeral: flag.default(false),
  json: flag.default(false),
  'exit-with-stdin': flag.default(false),
  'max-body': byteSize(1_000, 1_000 * GIGABYTE).default(20_971_520),
  'memory-limit': byteSize(64_000_000, 1_000_000 * GIGABYTE).optional(),
  'allowed-host': nameList.default([]),
  'trust-proxy': flag.default(false),
  'geoip-file': z.string().optional(),
  flags: z.string().optional(),
  warehouse: z
    .string()
    .transform((text, context) => {
      const address = readWarehouseAddress(text);
      if (typeof address !== 'string') return address;
      context.addIssue({ code: 'custom', message: address });
      return z.NEVER;
    })
    .optional(),
  'rate-limits': flag.default(false),
  fast: flag.default(true),
  'log-level': z
    .enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error')
    .default('info'),
  'project-api-key': secret.regex(/^(?!ph[xas]_)/, 'must not be a personal API key').optional(),
  'personal-api-key': secret.regex(/^(?!ph[cas]_)/, 'must not be a project API key').optional(),
  project: wholeNumber(1, 2_147_483_647).optional(),
  event: z.string().optional(),
  all: flag.default(false),
  events: z.string().optional(),
  property: z
    .array(z.string().regex(/^[^=]+=/, 'must be a name and a value, such as plan=pro'))
    .max(MAX_PROPERTIES, `can be repeated up to ${MAX_PROPERTIES} times`)
    .default([]),
  from: z.string().optional(),
  to: z.string().optional(),
  format: z.string().optional(),
  output: z.string().optional(),
  force: flag.default(false),
  'allow-writes': flag.default(false),
  kind: z.enum(OPTIONS.kind.choices).optional(),
  size: z.enum(OPTIONS.size.choices).optional(),
  seed: wholeNumber(0, 4_294_967_295).optional(),
  live: flag.default(false),
  rate: wholeNumber(1, 6000).optional(),
  script: z.enum(OPTIONS.script.choices).optional(),
  at: z
    .string()
    .regex(/^([01]?\d|2[0-3]):[0-5]\d$/, 'must be a time such as 14:00')
    .optional(),
  remove: flag.default(false),
  mapping: z.string().optional(),
  timezone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').optional(),
  'dry-run': flag.default(false),
  'project-key-env': z.string().optional(),
  'personal-key-env': z.string().optional(),
  'from-host': z.string().optional(),
  'key-env': z.string().optional(),
  'host-project': wholeNumber(1, 2_147_483_647).optional(),
  resume: flag.default(false),
  print: flag.default(false),
  'no-color': flag.default(false),
  man: flag.default(false),
});

function isTimeZone(name: string): boolean {
  try {
    return timeZone(name).name === name;
  } catch {
    return false;
  }
}

/** What the desktop app has set for a data folder, by option; it is read for `serve` only. */
export type SettingsReader = (dataDir: string) => Readonly<Record<string, unknown>>;

/**
 * Reads the arguments behind the program's name, `BURROW_…` of the environment, and the settings of the data folder, in
 * this order: the first that has an option wins. Throws ConfigError that names the option, the variable or the file, and
 * never shows the value of a key.
 */
export function readConfig(
  argv: readonly string[],
  env: Environment,
  machine: Machine,
  settingsOf: SettingsReader = () => ({}),
): Config {
  const { command, argument, options: given } = readArguments(argv, env);
  const dataDir = absolute(textOf(given.get('data-dir')) ?? defaultDataDir(env, machine), machine);
  const isEphemeral = flag.safeParse(textOf(given.get('ephemeral')) ?? 'off').data === true;
  const isKept = command === 'serve' && !isEphemeral;
  const options = new Map([...(isKept ? optionsOfSettings(settingsOf(dataDir)) : []), ...given]);
  const parsed = SCHEMA.safeParse(valuesOf(options));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const source = options.get(issue.path[0] as OptionName)?.source ?? String(issue.path[0]);
    throw new ConfigError(`${source} ${issue.message}.`);
  }
  const read = parsed.data;
  if (read.ephemeral && NEED_FOLDER.includes(command))
    throw new ConfigError(`${command} needs a data folder and cannot be used with --ephemeral.`);
  return Object.freeze({
    command,
    argument:
      argument !== null && commandRow(command).argument?.isFile ? absolute(argument, machine) : argument,
    port: portOf(env, 'BURROW_KEPT_PORT') ?? read.port ?? portOf(env, 'BURROW_FREE_PORT') ?? DEFAULT_PORT,
    host: read.host,
    dataDir,
    ephemeral: read.ephemeral,
    json: read.json,
    exitWithStdin: read['exit-with-stdin'],
    maxBody: read['max-body'],
    memoryLimit: read['memory-limit'] ?? Math.floor(Math.min(machine.totalMemory / 4, 2 * GIGABYTE)),
    allowedHosts: Object.freeze(read['allowed-host']),
    trustProxy: read['trust-proxy'],
    geoipFile: read['geoip-file'] === undefined ? null : absolute(read['geoip-file'], machine),
    flagsFile: read.flags === undefined ? null : absolute(read.flags, machine),
    warehouse: read.warehouse ?? null,
    rateLimits: read['rate-limits'],
    fast: read.fast,
    logLevel: read['log-level'],
    projectApiKey: read['project-api-key'] ?? null,
    personalApiKey: read['personal-api-key'] ?? null,
    sources: Object.freeze(
      Object.fromEntries([...options].map(([name, { source }]) => [name, source.split(':')[0]!])),
    ),
    call: callOptionsOf(read, machine),
  });
}

/** Commands that work on a database, or reach the server of one, by its folder. */
const NEED_FOLDER: readonly Command[] = [
  'open',
  'url',
  'tail',
  'query',
  'export',
  'demo',
  'graduate',
  'import',
  'backup',
  'warehouse',
  'mcp',
  'restore',
  'check',
];

function callOptionsOf(read: z.output<typeof SCHEMA>, machine: Machine): CallOptions {
  return Object.freeze({
    project: read.project ?? null,
    event: read.event ?? null,
    all: read.all,
    events: namesOf(read.events),
    properties: read.property.map((text) => {
      const end = text.indexOf('=');
      return { name: text.slice(0, end), value: text.slice(end + 1) };
    }),
    from: read.from ?? null,
    to: read.to ?? null,
    format: read.format ?? null,
    output: read.output === undefined || read.output === '-' ? null : absolute(read.output, machine),
    force: read.force,
    allowWrites: read['allow-writes'],
    kind: read.kind ?? null,
    size: read.size ?? null,
    seed: read.seed ?? null,
    live: read.live,
    rate: read.rate ?? null,
    script: read.script ?? null,
    at: read.at ?? null,
    remove: read.remove,
    mapping: read.mapping ?? null,
    timezone: read.timezone ?? null,
    dryRun: read['dry-run'],
    projectKeyEnv: read['project-key-env'] ?? null,
    personalKeyEnv: read['personal-key-env'] ?? null,
    fromHost: read['from-host'] ?? null,
    keyEnv: read['key-env'] ?? null,
    hostProject: read['host-project'] ?? null,
    resume: read.resume,
    print: read.print,
    noColor: read['no-color'],
    man: read.man,
  });
}

/** null: no name was given. */
function namesOf(text: string | undefined): readonly string[] | null {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  return given.length === 0 ? null : Object.freeze(given);
}

/** The options that the settings of a data folder may have; its place and its keys are not among them. */
const SETTABLE = [
  'port',
  'host',
  'memory-limit',
  'max-body',
  'allowed-host',
  'rate-limits',
  'log-level',
] as const;

/** Why an option cannot have this value, such as "must be on or off"; null when it can. */
export function settingProblem(name: (typeof SETTABLE)[number], value: string): string | null {
  return SCHEMA.shape[name].safeParse(value).error?.issues[0]?.message ?? null;
}

function optionsOfSettings(settings: Readonly<Record<string, unknown>>): [OptionName, RawOption][] {
  return Object.entries(settings).map(([name, value]) => {
    const known = SETTABLE.find((option) => option === name);
    const source = `${SETTINGS_FILE}: ${name}`;
    if (known === undefined) throw new ConfigError(`${SETTINGS_FILE} has the unknown option ${name}.`);
    const texts = Array.isArray(value) ? value.map(String) : String(value);
    return [known, { value: known === 'allowed-host' ? [texts].flat() : texts, source }];
  });
}

/**
 * A port that the desktop app has chosen: a free one, which only counts where no port is set, or the one of the server
 * before, which its windows still show.
 */
function portOf(env: Environment, name: 'BURROW_FREE_PORT' | 'BURROW_KEPT_PORT'): number | null {
  const port = Number(env[name]);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null;
}

function textOf(option: RawOption | undefined): string | undefined {
  return option === undefined ? undefined : String(option.value);
}

function valuesOf(options: ReadonlyMap<OptionName, RawOption>): Record<string, string | readonly string[]> {
  return Object.fromEntries([...options].map(([name, option]) => [name, option.value]));
}

/** Where the operating system keeps the data of applications (XDG Base Directory, Apple's and Windows' conventions). */
function defaultDataDir(env: Environment, { platform, homeDir }: Machine): string {
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] || win32.join(homeDir, 'AppData', 'Roaming'), 'Burrow');
  }
  if (platform === 'darwin') return posix.join(homeDir, 'Library', 'Application Support', 'Burrow');
  const xdg = env['XDG_DATA_HOME'];
  // The specification: a relative path in this variable is invalid and to be ignored.
  const base = xdg !== undefined && posix.isAbsolute(xdg) ? xdg : posix.join(homeDir, '.local', 'share');
  return posix.join(base, 'burrow');
}

function absolute(path: string, { platform, workingDir }: Machine): string {
  return (platform === 'win32' ? win32 : posix).resolve(workingDir, path);
}
