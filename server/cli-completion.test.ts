import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { completionScript } from './cli-completion.ts';
import { COMMAND_NAMES, optionsOf } from './cli-table.ts';

/** The reason to skip a test of a shell that is not here. */
function missing(shell: string): [boolean, string] {
  return [spawnSync(shell, ['--version']).status !== 0, `${shell} is missing: apt-get install ${shell}`];
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('bash', () => {
  beforeEach(({ skip }) => skip(...missing('bash')));

  /** What bash offers for a command line whose last word is being typed. */
  function complete(words: readonly string[], cwd = tmpdir()): string[] {
    const script = `${completionScript('bash')}
      registered=$(complete -p burrow)
      [[ $registered == *'-F _burrow burrow' ]] || exit 1
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _burrow
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '--noprofile', '-c', script, 'bash', ...words];
    const { stdout, stderr, status } = spawnSync('bash', args, { encoding: 'utf8', cwd });
    expect([status, stderr]).toEqual([0, '']);
    return stdout.split('\n').filter((word) => word !== '');
  }

  test('offers commands, and the options of the command that was typed', () => {
    expect(complete(['burrow', ''])).toEqual(COMMAND_NAMES);
    expect(complete(['burrow', 'ex'])).toEqual(['export']);
    expect(complete(['burrow', '--rate'])).toEqual(['--rate-limits']);
    for (const name of COMMAND_NAMES) {
      const options = optionsOf(name).filter(([, { onlyEnvironment }]) => !onlyEnvironment);
      expect(complete(['burrow', name, '--'])).toEqual([
        ...options.map(([option]) => `--${option}`),
        '--help',
      ]);
    }
  });

  test('offers the choices of a value, behind a space and behind an equals sign', () => {
    expect(complete(['burrow', 'export', '--format', ''])).toEqual(['jsonl', 'csv', 'parquet']);
    expect(complete(['burrow', 'query', '--format', '=', 'j'])).toEqual(['json', 'jsonl']);
    expect(complete(['burrow', 'query', '--format', '='])).toEqual(['table', 'json', 'csv', 'jsonl']);
    expect(complete(['burrow', 'open', 'in'])).toEqual(['insights', 'ingestion']);
    expect(complete(['burrow', 'help', 'q'])).toEqual(['query']);
  });

  test('offers files and folders, also with spaces in their names, and nothing for other values', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'my backup.duckdb'), '');
    expect(complete(['burrow', 'restore', 'my'], folder)).toEqual(['my backup.duckdb']);
    expect(complete(['burrow', 'export', '-o', 'my'], folder)).toEqual(['my backup.duckdb']);
    expect(complete(['burrow', 'tail', '--data-dir', 'my'], folder)).toEqual([]);
    expect(complete(['burrow', 'tail', '--event', ''], folder)).toEqual([]);
  });
});

describe('zsh', () => {
  test('the script describes each command and option', () => {
    const script = completionScript('zsh');
    expect(script).toContain(`'tail:Print events of the running server as they arrive'`);
    expect(script).toContain(
      `'(-o --output)'{-o,--output=}'[File to write (default: standard output)]:file:_files'`,
    );
    expect(script).toContain(':format:(jsonl csv parquet)');
  });

  test('zsh parses it', ({ skip }) => {
    skip(...missing('zsh'));
    const file = join(newFolder(), '_burrow');
    writeFileSync(file, completionScript('zsh'));
    const { status, stderr } = spawnSync('zsh', ['-n', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('fish', () => {
  test('the script describes each command and option', () => {
    const script = completionScript('fish');
    expect(script).toContain(`-a tail -d 'Print events of the running server as they arrive'`);
    expect(script).toContain(`-l output -s o -r -F -d 'File to write (default: standard output)'`);
  });

  test('fish offers commands and choices', ({ skip }) => {
    skip(...missing('fish'));
    const complete = (line: string): string[] => {
      const script = `${completionScript('fish')}\ncomplete -C '${line}'`;
      const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
      return stdout.split('\n').flatMap((offer) => (offer === '' ? [] : [offer.split('\t', 1)[0]!]));
    };
    expect(complete('burrow t')).toEqual(['tail']);
    expect(complete('burrow export --format ')).toEqual(['csv', 'jsonl', 'parquet']);
  });
});
