import { app } from 'electron';
import { secondStart } from './links.ts';

/**
 * True for the first app on this profile. A later one gets false and must end; `onSecondStart` then runs in the first, with
 * the arguments and the folder of the later one.
 */
export function setupSingleInstance(onSecondStart: (argv: readonly string[], cwd: string) => void): boolean {
  if (!app.requestSingleInstanceLock({ argv: process.argv, cwd: process.cwd() })) {
    console.log('Burrow is already running: its window was brought to the front.');
    return false;
  }
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const { argv, cwd } = secondStart.catch({ argv: [], cwd: '/' }).parse(data);
    onSecondStart(argv, cwd);
  });
  return true;
}
