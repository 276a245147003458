import type { DuckDBConnection } from '@duckdb/node-api';

/** Finds the project of a token in the store thread, where events are ingested. */
export interface ProjectIds {
  /** The project's id, or undefined when the token was not known at the last read. */
  find(token: string): number | undefined;
  /** Events of the project are answered and shown, and not stored. */
  isInspectOnly(projectId: number): boolean;
  /** The addresses of senders are not stored with the events of the project. */
  anonymizesIps(projectId: number): boolean;
  /** Reloads the projects; callers that arrive before a queued read starts share it. */
  refresh(): Promise<void>;
  close(): void;
}

/** Reads the tokens of all projects. */
export async function openProjectIds(connection: DuckDBConnection): Promise<ProjectIds> {
  let ids = new Map<string, number>();
  let inspectOnly = new Set<number>();
  let anonymizing = new Set<number>();
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    next = null;
    const read = await connection.runAndReadAll(
      `SELECT api_token, id, json_extract(settings, '$.inspect_only')::BOOLEAN,
         json_extract_string(settings, '$.api.anonymize_ips') = 'true' FROM projects`,
    );
    const rows = read.getRows() as [string, number, boolean | null, boolean | null][];
    ids = new Map(rows.map(([token, id]) => [token, id]));
    inspectOnly = new Set(rows.filter(([, , isInspectOnly]) => isInspectOnly === true).map(([, id]) => id));
    anonymizing = new Set(rows.filter(([, , , isAnonymizing]) => isAnonymizing === true).map(([, id]) => id));
  }

  function refresh(): Promise<void> {
    // A running read may have started before the project was created, so the caller waits for the next one.
    next ??= running = running.then(read, read);
    return next;
  }

  await refresh();
  return {
    find: (token) => ids.get(token),
    isInspectOnly: (projectId) => inspectOnly.has(projectId),
    anonymizesIps: (projectId) => anonymizing.has(projectId),
    refresh,
    close: () => connection.closeSync(),
  };
}
