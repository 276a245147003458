import { app } from 'electron';

/** True for the first app on this profile. A later one gets false and must end; `onSecondStart` then runs in the first. */
export function setupSingleInstance(onSecondStart: () => void): boolean {
  if (!app.requestSingleInstanceLock()) {
    console.log('Burrow is already running: its window was brought to the front.');
    return false;
  }
  app.on('second-instance', onSecondStart);
  return true;
}
