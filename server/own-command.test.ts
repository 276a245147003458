import { expect, test } from 'vitest';
import { ownCommand } from './own-command.ts';

const at = (script: string, workingDir = '/src/burrow') =>
  ownCommand({ script, workingDir, searchPath: '/usr/bin:/usr/local/bin' });

test.each([
  ['in the clone', at('/src/burrow/dist/server/main.js'), 'node dist/server/main.js'],
  ['elsewhere', at('/opt/burrow/dist/server/main.js'), 'node /opt/burrow/dist/server/main.js'],
  ['with a space', at('/opt/my burrow/main.js'), 'node "/opt/my burrow/main.js"'],
  ['as a command of the shell', at('/usr/local/bin/burrow'), 'burrow'],
  ['by npx', at('/src/burrow/node_modules/.bin/burrow'), '/src/burrow/node_modules/.bin/burrow'],
])('started %s, the program has the name of an existing command', (_, command, expected) => {
  expect(command).toBe(expected);
});
