/** The argument of the app that names a data folder; BURROW_DATA_DIR is of less account. */
export const DATA_DIR = '--data-dir';

/** The folder that the arguments name, or null. */
export function dataDirOf(argv: readonly string[]): string | null {
  const index = argv.findIndex((argument) => argument.split('=')[0] === DATA_DIR);
  if (index === -1) return null;
  const inline = argv[index]!.slice(DATA_DIR.length + 1);
  return inline || argv[index + 1] || null;
}

/** The arguments without the one that names a data folder. */
export function withoutDataDir(argv: readonly string[]): string[] {
  return argv.filter(
    (argument, index) => argument.split('=')[0] !== DATA_DIR && argv[index - 1] !== DATA_DIR,
  );
}

/** Of a process's arguments those that are links or files: neither switches nor what Electron itself was started with. */
export function targetsOf(argv: readonly string[], isPackaged: boolean): string[] {
  const values = withoutDataDir(argv.slice(1)).filter(
    (argument) => !argument.startsWith('-') && argument !== '',
  );
  return isPackaged ? values : values.slice(1);
}
