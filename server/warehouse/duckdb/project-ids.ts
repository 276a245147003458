import type { DuckDBConnection } from '@duckdb/node-api';

/** Finds the project of a token in the thread of the database, where events are taken in. */
export interface ProjectIds {
  /** The project's id, or undefined when the token was not known at the last read. */
  find(token: string): number | undefined;
  /** Reads the projects anew; callers that come while a read has not begun share it. */
  refresh(): Promise<void>;
  close(): void;
}

/** Reads the tokens of all projects. */
export async function openProjectIds(connection: DuckDBConnection): Promise<ProjectIds> {
  let ids = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    next = null;
    const rows = await connection.runAndReadAll('SELECT api_token, id FROM projects');
    ids = new Map(rows.getRows().map(([token, id]) => [token as string, id as number]));
  }

  function refresh(): Promise<void> {
    // A read under way may have begun before the project was made, so the caller waits for the one after it.
    next ??= running = running.then(read, read);
    return next;
  }

  await refresh();
  return { find: (token) => ids.get(token), refresh, close: () => connection.closeSync() };
}
