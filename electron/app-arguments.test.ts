import { expect, test } from 'vitest';
import { dataDirOf, targetsOf, withoutDataDir } from './app-arguments.ts';

test('of a command line only what is neither a switch nor the app itself is opened', () => {
  const link = 'burrow://live';
  expect(targetsOf(['/usr/bin/electron', '--no-sandbox', '/opt/app', link, '--hidden'], false)).toEqual([
    link,
  ]);
  expect(targetsOf(['/opt/Burrow/burrow', '--hidden', link], true)).toEqual([link]);
  expect(targetsOf(['/usr/bin/electron', '.'], false)).toEqual([]);
});

test.each([
  [['--data-dir', '/d', '--hidden'], '/d', ['--hidden']],
  [['--hidden', '--data-dir=/d'], '/d', ['--hidden']],
  [['--data-dir'], null, []],
  [['--hidden'], null, ['--hidden']],
])('the data folder of %j is %j, and is no link or file', (args, folder, rest) => {
  expect(dataDirOf(args)).toBe(folder);
  expect(withoutDataDir(args)).toEqual(rest);
  expect(targetsOf(['/opt/Burrow/burrow', ...args], true)).toEqual([]);
});
