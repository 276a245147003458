import {
  COMMAND_NAMES,
  commandRow,
  EXIT_CODES,
  optionsOf,
  variableOf,
  type Command,
  type OptionName,
  type OptionRow,
} from './cli-table.ts';

/** The text of `burrow --help`. */
export function helpText(version: string): string {
  const commands = COMMAND_NAMES.map((name): [string, string] => [
    shortUsage(name),
    commandRow(name).summary,
  ]);
  return `Burrow ${version}: product analytics on your own machine.

Usage: burrow [command] [options]

Commands:
${columns(commands)}

Each command has a help of its own: burrow <command> --help

Options of serve (also as environment variables, such as ${variableOf('data-dir')} for --data-dir; options take precedence):
${columns(optionRows('serve'))}

Exit codes:
${columns(EXIT_CODES)}
`;
}

/** The text of `burrow <command> --help`. */
export function commandHelpText(command: Command): string {
  const { summary, about, argument, examples } = commandRow(command);
  const options: (readonly [string, string])[] = [...optionRows(command), ['--help, -h', 'Print this text']];
  const choices =
    argument?.choices === undefined ? '' : `\n${argument.name}: ${argument.choices.join(', ')}\n`;
  const calls = (examples ?? []).map((example) => `  burrow ${example}`).join('\n');
  return `${summary}.${about === undefined ? '' : `\n${about}`}

Usage: ${usage(command)}
${choices}
Options:
${columns(options)}
${calls === '' ? '' : `\nExamples:\n${calls}\n`}`;
}

/** `burrow check [file] [options]`. */
export function usage(command: Command): string {
  return `burrow ${shortUsage(command)} [options]`;
}

function shortUsage(command: Command): string {
  const { argument } = commandRow(command);
  return argument === undefined ? command : `${command} ${argument.name}`;
}

function optionRows(command: Command): [string, string][] {
  return optionsOf(command).map(([name, row]) => [optionUsage(name, row), row.help]);
}

/** `--output <file>, -o`; a variable where there is no option. */
function optionUsage(name: OptionName, { value, short, onlyEnvironment }: OptionRow): string {
  if (onlyEnvironment) return variableOf(name);
  return `--${name}${value === null ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
}

/** The manual page burrow(1), for `man`. */
export function manualPage(version: string): string {
  const commands = COMMAND_NAMES.flatMap((name) => {
    const { summary, about, examples } = commandRow(name);
    const options = optionsOf(name).flatMap(([option, row]) => [
      '.RS',
      ...term(optionUsage(option, row), row.help),
      '.RE',
    ]);
    const calls = (examples ?? []).map((example) => `${troff(`burrow ${example}`)}`);
    return [
      ...term(usage(name), `${summary}.${about === undefined ? '' : ` ${about}`}`),
      ...options,
      ...(calls.length === 0 ? [] : ['.RS', '.PP', 'Examples:', '.PP', '.nf', ...calls, '.fi', '.RE']),
    ];
  });
  return [
    `.TH BURROW 1 "" "Burrow ${troff(version)}" "User Commands"`,
    '.SH NAME',
    'burrow \\- product analytics on your own machine',
    '.SH SYNOPSIS',
    '.B burrow',
    '[command] [options]',
    '.SH DESCRIPTION',
    troff(
      'A server that speaks the PostHog HTTP API on localhost, and commands that reach it by its data folder.',
    ),
    '.SH COMMANDS',
    ...commands,
    '.SH ENVIRONMENT',
    troff(
      `Options of serve are also environment variables: --data-dir is ${variableOf('data-dir')}. Options take precedence.`,
    ),
    ...term('NO_COLOR', 'No colors, when it is set.'),
    ...term('BURROW_DESKTOP', 'The program that the command open starts instead of the browser.'),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => term(code, meaning)),
    '',
  ].join('\n');
}

function term(name: string, text: string): string[] {
  return ['.TP', `.B ${troff(name)}`, troff(text)];
}

/** Text for troff: no dash is a hyphen, and no line a request. */
function troff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^[.']/, '\\&$&');
}
