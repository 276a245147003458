import { execFile } from 'node:child_process';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const LIMIT_MS = 2_000;
/** The two programs that ask the session bus a question; desktops have one of them. */
const QUESTIONS: readonly (readonly [program: string, ...args: string[]])[] = [
  [
    'gdbus',
    'call',
    '--session',
    '--dest=org.freedesktop.DBus',
    '--object-path=/org/freedesktop/DBus',
    '--method=org.freedesktop.DBus.NameHasOwner',
    WATCHER,
  ],
  [
    'dbus-send',
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/org/freedesktop/DBus',
    'org.freedesktop.DBus.NameHasOwner',
    `string:${WATCHER}`,
  ],
];

/**
 * Whether the desktop shows icons of the tray. On Linux Electron's Tray never fails: where nothing shows icons, as in
 * plain GNOME, it is invisible, and created too early it stays so. Hence the bus is queried first.
 */
export async function hasTrayHost(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (const [program, ...args] of QUESTIONS) {
    const answer = await outputOf(program, args);
    if (answer !== null) return answer.includes('true');
  }
  return false;
}

/** What a program printed, or null when it could not be run. */
function outputOf(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: LIMIT_MS }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    );
  });
}
