import { expect, test } from 'vitest';
import { autostartEntry, launcherOf } from './autostart-entry.ts';

function execOf(command: string[]): string {
  return /^Exec=(.*)$/m.exec(autostartEntry(command))![1]!;
}

test('the program and its arguments are quoted each', () => {
  expect(execOf(['/opt/Burrow/burrow', '--hidden'])).toBe('"/opt/Burrow/burrow" "--hidden"');
  expect(execOf(['/opt/My Apps/burrow'])).toBe('"/opt/My Apps/burrow"');
});

test.each([
  ['a"b', '"a\\\\"b"'],
  ['a$b', '"a\\\\$b"'],
  ['a`b', '"a\\\\`b"'],
  ['a\\b', '"a\\\\\\\\b"'],
  ['100%', '"100%%"'],
])('%j is escaped for the quotes and for the file', (argument, written) => {
  expect(execOf([argument])).toBe(written);
});

test('an entry has what desktops look for', () => {
  expect(autostartEntry(['burrow'])).toMatch(/^\[Desktop Entry\]\nType=Application\n/);
  expect(autostartEntry(['burrow'])).toContain('\nX-GNOME-Autostart-enabled=true\n');
});

test('a program of a package is started by its launcher, any other by itself', () => {
  expect(launcherOf('/opt/Burrow/burrow-desktop.bin')).toBe('/opt/Burrow/burrow-desktop');
  expect(launcherOf('/usr/lib/electron/electron')).toBe('/usr/lib/electron/electron');
});
