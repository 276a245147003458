import { parseArgs } from 'node:util';
import {
  commandRow,
  isCommand,
  OPTIONS,
  optionsOf,
  variableOf,
  type Command,
  type OptionName,
  type OptionRow,
} from './cli-table.ts';
import { ConfigError } from './lib/config-error.ts';

/** A value as it was given, and where: `--port` or `BURROW_PORT`. */
export interface RawOption {
  value: string | readonly string[];
  source: string;
}

export interface Arguments {
  command: Command;
  /** What a command is given besides options: the file to restore, a statement; null: nothing. */
  argument: string | null;
  options: ReadonlyMap<OptionName, RawOption>;
}

const ROWS: Readonly<Record<string, OptionRow>> = OPTIONS;

const KINDS = Object.fromEntries(
  Object.entries(ROWS).map(([name, { value, short }]) => {
    const type = value === null ? ('boolean' as const) : ('string' as const);
    return [name, short === undefined ? { type } : { type, short }];
  }),
);

/** Splits command line and environment into a command and raw option values. Throws ConfigError. */
export function readArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Arguments {
  const positionals: string[] = [];
  const given = new Map<OptionName, RawOption>();
  let requested: 'help' | 'version' | null = null;
  const { tokens } = parseArgs({
    args: [...argv],
    options: KINDS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, name, value, inlineValue } = token;
    if (rawName === '--help' || rawName === '-h') requested = 'help';
    else if (rawName === '--version' || rawName === '-v') requested ??= 'version';
    else addOption(given, rawName, name, inlineValue || !value?.startsWith('--') ? value : undefined);
  }
  const { command, argument } = commandOf(positionals, requested !== null);
  if (requested === 'version') return { command: 'version', argument: null, options: new Map() };
  if (requested === 'help')
    return { command: 'help', argument: positionals.length === 0 ? null : command, options: new Map() };
  checkOptions(command, given);
  return { command, argument, options: new Map([...optionsOfEnvironment(env), ...given]) };
}

function addOption(
  given: Map<OptionName, RawOption>,
  rawName: string,
  name: string,
  value: string | undefined,
): void {
  const row = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (row === undefined || !(rawName.startsWith('--') || rawName === `-${row.short}`))
    throw new ConfigError(`Unknown option ${rawName}. See burrow --help.`);
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
    const row = ROWS[name]!;
    const source = variableOf(name);
    const value = env[source];
    // Shells and container files set a variable to nothing where they mean to leave it out.
    if (row.onlyArgument || value === undefined || value === '') continue;
    options.set(name, { value: row.repeatable ? [value] : value, source });
  }
  return options;
}

function commandOf(
  positionals: readonly string[],
  isHelp: boolean,
): { command: Command; argument: string | null } {
  const [command = 'serve', ...rest] = positionals;
  if (!isCommand(command)) throw new ConfigError(`Unknown command ${command}. See burrow --help.`);
  const row = commandRow(command).argument;
  const [argument = null, surplus] = row === undefined ? [null, ...rest] : rest;
  if (surplus !== undefined) throw new ConfigError(`Unexpected argument ${surplus}. See burrow --help.`);
  if (isHelp) return { command, argument };
  if (argument === null && row?.required) throw new ConfigError(`${command} requires ${row.required}.`);
  if (command === 'help' && argument !== null && !isCommand(argument))
    throw new ConfigError(`Unknown command ${argument}. See burrow --help.`);
  if (argument !== null && command === 'completion' && !row?.choices?.includes(argument))
    throw new ConfigError(`completion requires ${row?.required}.`);
  return { command, argument };
}

/** Throws ConfigError for an option of other commands, and for a value that is none of its choices. */
function checkOptions(command: Command, given: ReadonlyMap<OptionName, RawOption>): void {
  const known = new Map(optionsOf(command));
  for (const [name, { value, source }] of given) {
    const row = known.get(name);
    if (row === undefined)
      throw new ConfigError(`${command} has no option ${source}. See burrow ${command} --help.`);
    if (row.choices !== undefined && !row.choices.includes(String(value)))
      throw new ConfigError(`${source} must be ${listed(row.choices)}.`);
  }
}

/** `a, b or c`. */
function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
