import { OPTIONS, variableOf } from './cli-arguments.ts';

/** The text of `burrow --help`. */
export function helpText(version: string): string {
  const rows = Object.entries(OPTIONS).map(([name, option]): [string, string] => {
    if ('onlyEnvironment' in option) return [variableOf(name), option.help];
    return [option.value === null ? `--${name}` : `--${name} ${option.value}`, option.help];
  });
  return `Burrow ${version}: product analytics on your own machine.

Usage: burrow [command] [options]

Commands:
${columns([
  ['serve', 'Start the server (also without a command)'],
  ['url', 'Print a fresh console link of the server that runs on the data folder'],
  ['restore <file>', 'Put a backup in the place of the database; the one before it is kept aside'],
  ['check [file]', 'Read all of the database, or of a backup, and say whether it is whole'],
  ['help, --help', 'Print this text'],
  ['version, --version', 'Print the version'],
])}

Options (each also as environment variable: --data-dir is ${variableOf('data-dir')}; the command line wins):
${columns(rows)}

Exit codes:
${columns([
  ['0', 'Ended as asked: everything accepted is stored'],
  ['1', 'Failed: the port is taken, the database cannot be opened or is damaged, an unexpected error'],
  ['2', 'An option or a value is wrong'],
  ['3', 'Another process uses the data folder'],
])}
`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
}
