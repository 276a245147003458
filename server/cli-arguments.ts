import { parseArgs } from 'node:util';

export type Command = 'serve' | 'url' | 'restore' | 'check' | 'help' | 'version';

/** An option that Burrow cannot take; `message` is a sentence that names it. The process ends with exit code 2. */
export class ConfigError extends Error {}

interface OptionRow {
  /** The name of the value in the help; null: a switch. */
  value: string | null;
  help: string;
  repeatable?: boolean;
  /** Only as environment variable: command lines are readable by every user of the machine. */
  onlyEnvironment?: boolean;
}

/** Every option, in the order of the help. */
export const OPTIONS = {
  port: { value: '<number>', help: 'Port to listen on; 0 selects any free port (default 2877)' },
  host: { value: '<address>', help: 'Address to listen on (default 127.0.0.1, this machine only)' },
  'data-dir': {
    value: '<folder>',
    help: "Folder of the database (default: the system's application data folder)",
  },
  ephemeral: { value: null, help: 'Keep all data in memory; nothing is stored on disk' },
  json: {
    value: null,
    help: 'Print one JSON line with the URL and the keys when ready; with check, its result',
  },
  'max-body': { value: '<size>', help: 'Maximum size of an ingestion request (default 20971520 bytes)' },
  'memory-limit': { value: '<size>', help: 'Memory limit of DuckDB (default 25% of RAM, up to 2GB)' },
  'allowed-host': {
    value: '<name>',
    help: 'Additional host name for the console and management API; can be repeated',
    repeatable: true,
  },
  'trust-proxy': { value: null, help: 'Trust X-Forwarded-Host and X-Forwarded-Proto' },
  'geoip-file': { value: '<file>', help: 'City .mmdb for GeoIP (default: the built-in country file)' },
  flags: {
    value: '<file>',
    help: 'Flag file to import at startup, exported by Burrow or a PostHog API response',
  },
  'rate-limits': {
    value: null,
    help: 'Rate limits: those of PostHog for personal API keys, and one per project API key',
  },
  'log-level': { value: '<level>', help: 'debug, info, warn or error (default info)' },
  fast: {
    value: '<on|off>',
    help: 'off: no fast paths (docs/threads.md), to compare results and speed (default on)',
    onlyEnvironment: true,
  },
  'project-api-key': {
    value: '<key>',
    help: 'Project API key of the first project, used at first start',
    onlyEnvironment: true,
  },
  'personal-api-key': {
    value: '<key>',
    help: 'Personal API key of the owner, used at first start',
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
    throw new ConfigError(`Unknown option ${rawName}. See burrow --help.`);
  }
  if (row.onlyEnvironment)
    throw new ConfigError(`${rawName} can only be set with the environment variable ${variableOf(name)}.`);
  if (row.value !== null && (value === undefined || value === ''))
    throw new ConfigError(`${rawName} needs a value.`);
  const known = name as OptionName;
  const earlier = given.get(known);
  if (earlier !== undefined && !row.repeatable) throw new ConfigError(`${rawName} is set more than once.`);
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
  if (!COMMANDS.includes(command)) throw new ConfigError(`Unknown command ${command}. See burrow --help.`);
  if (surplus !== undefined) throw new ConfigError(`Unexpected argument ${surplus}. See burrow --help.`);
  return { command: command as Command, file };
}
