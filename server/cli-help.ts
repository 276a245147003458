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
  ['url', 'Print a new sign-in link for the console of the running server'],
  ['restore <file>', 'Replace the database with a backup; the current database is kept'],
  ['check [file]', 'Verify the database, or a backup'],
  ['help, --help', 'Print this text'],
  ['version, --version', 'Print the version'],
])}

Options (also as environment variables, such as ${variableOf('data-dir')} for --data-dir; options take precedence):
${columns(rows)}

Exit codes:
${columns([
  ['0', 'Success: all accepted events are stored'],
  ['1', 'Failure: port in use, database cannot be opened or is damaged, or an unexpected error'],
  ['2', 'Invalid option or value'],
  ['3', 'The data folder is used by another process'],
])}
`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
}
