import { parseArgs } from 'node:util';

export type Command = 'serve' | 'url' | 'restore' | 'check' | 'help' | 'version';

/** An option that Burrow cannot take; `message` is a sentence that names it. The process ends with exit code 2. */
export class ConfigError extends Error {}

interface OptionRow {
  /** What stands for the value in the help; null: a switch. */
  value: string | null;
  help: string;
  repeatable?: boolean;
  /** Only as environment variable: command lines are readable by every user of the machine. */
  onlyEnvironment?: boolean;
}

/** Every option, in the order of the help. */
export const OPTIONS = {
  port: { value: '<number>', help: 'Port to listen on; 0 takes any free one (default 2877)' },
  host: { value: '<address>', help: 'Address to listen on (default 127.0.0.1, this machine only)' },
  'data-dir': {
    value: '<folder>',
    help: "Where the database lives (default: the system's application data folder)",
  },
  ephemeral: { value: null, help: 'Keep nothing on disk' },
  json: {
    value: null,
    help: 'Print one JSON line with the URL and the keys when ready; with check, its result',
  },
  'max-body': { value: '<size>', help: 'Largest request to the ingestion door (default 20971520 bytes)' },
  'memory-limit': { value: '<size>', help: 'Memory for DuckDB (default a quarter of the RAM, at most 2GB)' },
  'allowed-host': {
    value: '<name>',
    help: 'Further host name for console and management API; may be repeated',
    repeatable: true,
  },
  'trust-proxy': { value: null, help: 'Believe X-Forwarded-Host and X-Forwarded-Proto' },
  'geoip-file': { value: '<file>', help: 'City .mmdb for GeoIP (default: the built-in country file)' },
  flags: { value: '<file>', help: 'Flag file to start with, of Burrow or an answer of PostHog' },
  'rate-limits': {
    value: null,
    help: "Limits: PostHog's for personal keys, and a bucket for each project token",
  },
  'log-level': { value: '<level>', help: 'debug, info, warn or error (default info)' },
  'project-api-key': {
    value: '<key>',
    help: 'Token of the first project, at first start',
    onlyEnvironment: true,
  },
  'personal-api-key': {
    value: '<key>',
    help: "The owner's personal key, at first start",
    onlyEnvironment: true,
  },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

/** A value as it was given, and where: `--port` or `BURROW_PORT`. */
export interface RawOption {
  value: string | readonly string[];
  source: string;
}

export interface Arguments {
  command: Command;
  /** The file that a command names; null: it names none. */
  file: string | null;
  options: ReadonlyMap<OptionName, RawOption>;
}

const COMMANDS: readonly string[] = [
  'serve',
  'url',
  'restore',
  'check',
  'help',
  'version',
] satisfies Command[];
const ROWS: Readonly<Record<string, OptionRow>> = OPTIONS;

const KINDS = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [
    name,
    { type: row.value === null ? 'boolean' : 'string' } as const,
  ]),
);

/** The environment variable of an option: `data-dir` -> `BURROW_DATA_DIR`. */
export function variableOf(option: string): string {
  return `BURROW_${option.toUpperCase().replaceAll('-', '_')}`;
}

/** Splits command line and environment into a command and raw option values. Throws ConfigError. */
export function readArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Arguments {
  const options = optionsOfEnvironment(env);
  const positionals: string[] = [];
  let asked: Command | null = null;
  const { tokens } = parseArgs({
    args: [...argv],
    options: KINDS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<OptionName, RawOption>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.rawName === '--help' || token.rawName === '-h') asked = 'help';
    else if (token.rawName === '--version' || token.rawName === '-v') asked ??= 'version';
    else
      addOption(
        given,
        token.rawName,
        token.inlineValue || !token.value?.startsWith('--') ? token.value : undefined,
      );
  }
  for (const [name, option] of given) options.set(name, option);
  const { command, file } = commandOf(positionals);
  return { command: asked ?? command, file, options };
}

function addOption(given: Map<OptionName, RawOption>, rawName: string, value: string | undefined): void {
  const name = rawName.replace(/^--/, '');
  const row = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (row === undefined || !rawName.startsWith('--')) {
    throw new ConfigError(`${rawName} is not an option of burrow. See burrow --help.`);
  }
  if (row.onlyEnvironment)
    throw new ConfigError(`${rawName} is read only from the variable ${variableOf(name)}.`);
  if (row.value !== null && (value === undefined || value === ''))
    throw new ConfigError(`${rawName} needs a value.`);
  const known = name as OptionName;
  const earlier = given.get(known);
  if (earlier !== undefined && !row.repeatable) throw new ConfigError(`${rawName} is given twice.`);
  const text = value ?? 'true';
  const list = [...((earlier?.value as string[] | undefined) ?? []), text];
  given.set(known, { value: row.repeatable ? list : text, source: rawName });
}

function optionsOfEnvironment(env: Readonly<Record<string, string | undefined>>): Map<OptionName, RawOption> {
  const options = new Map<OptionName, RawOption>();
  for (const name of Object.keys(OPTIONS) as OptionName[]) {
    const source = variableOf(name);
    const value = env[source];
    // Shells and container files set a variable to nothing where they mean to leave it out.
    if (value === undefined || value === '') continue;
    options.set(name, { value: ROWS[name]!.repeatable ? [value] : value, source });
  }
  return options;
}

function commandOf(positionals: readonly string[]): Pick<Arguments, 'command' | 'file'> {
  const [command = 'serve', ...rest] = positionals;
  const [file = null, surplus] = command === 'restore' || command === 'check' ? rest : [undefined, ...rest];
  if (!COMMANDS.includes(command))
    throw new ConfigError(`${command} is not a command of burrow. See burrow --help.`);
  if (surplus !== undefined) throw new ConfigError(`${surplus} is one argument too many. See burrow --help.`);
  return { command: command as Command, file };
}
