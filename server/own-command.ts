import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path';

interface Start {
  /** The script that Node runs, or the link to it. */
  script: string;
  workingDir: string;
  /** The folders in which the shell looks for commands. */
  searchPath: string;
}

/** How this program is called from where it was started: `burrow` only where the shell finds that, else the script. */
export function ownCommand({ script, workingDir, searchPath }: Start): string {
  if (!script.endsWith('.js'))
    return searchPath.split(delimiter).includes(dirname(script)) ? basename(script) : quoted(script);
  const path = relative(workingDir, script);
  return `node ${quoted(path.startsWith('..') || isAbsolute(path) ? script : path)}`;
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path.replaceAll(/["$`]/g, String.raw`\$&`)}"`;
}
