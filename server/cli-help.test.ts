import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandHelpText, helpText, manualPage } from './cli-help.ts';
import { COMMAND_NAMES, commandRow, optionsOf } from './cli-table.ts';

test('the help lists every command with its argument', () => {
  const text = helpText('1.2.3');
  for (const name of COMMAND_NAMES) expect(text).toMatch(new RegExp(`^ {2}${name}\\b.*  [A-Z]`, 'm'));
  expect(text).toContain('  query <HogQL>');
});

test.each(COMMAND_NAMES)(
  'the help of %s has its usage, its options and examples that start with it',
  (name) => {
    const text = commandHelpText(name);
    expect(text).toContain(`Usage: burrow ${name}`);
    expect(text).toContain(commandRow(name).summary);
    for (const [option, { onlyEnvironment }] of optionsOf(name))
      if (!onlyEnvironment) expect(text).toContain(`--${option}`);
    for (const example of commandRow(name).examples ?? []) expect(example.split(' ')[0]).toBe(name);
    expect(text.split('\n').every((line) => line === line.trimEnd())).toBe(true);
  },
);

test('the manual page has every command and option, and the exit codes', () => {
  const page = manualPage('1.2.3');
  for (const name of COMMAND_NAMES) {
    expect(page).toContain(`.B burrow ${name}`);
    for (const [option, { onlyEnvironment }] of optionsOf(name))
      if (!onlyEnvironment)
        expect(page).toContain(String.raw`.B \-\-${option.replaceAll('-', String.raw`\-`)}`);
  }
  expect(page).toContain('.SH EXIT STATUS');
});

test('groff sets the manual page without a warning', ({ skip }) => {
  skip(spawnSync('groff', ['--version']).status !== 0, 'groff is missing: apt-get install groff');
  const { stdout, stderr, status } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou'], {
    input: manualPage('1.2.3'),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('burrow export [folder|archive.zip] [options]');
  expect(stdout).toContain('--output <file>, -o');
});
