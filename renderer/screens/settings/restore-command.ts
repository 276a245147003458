/** The command that puts a backup in the place of the database; both are paths on the server's machine. */
export function restoreCommand(file: string, dataDir: string): string {
  return `node dist/server/main.js restore ${quoted(file)} --data-dir ${quoted(dataDir)}`;
}

/** As a shell takes it for one word; Windows and the others agree on double quotes. */
function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path.replaceAll('"', '\\"')}"`;
}
