import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';

/** Occurrences of a warning type from one sender since the last save. */
export interface WarningCases {
  projectId: number;
  type: string;
  source: string;
  lib: string;
  libVersion: string;
  count: number;
  /** Unix milliseconds. */
  firstSeen: number;
  lastSeen: number;
  /** JSON text of an object. */
  sample: string;
}

/** The table of ingestion warnings, written on its own connection so that commits of events never wait for it. */
export interface WarningTable {
  /**
   * Adds occurrences to the rows of their type and sender, in one transaction; keeps the newest rows of each project.
   */
  add(cases: readonly WarningCases[]): Promise<void>;
  /**
   * Clears samples that contain one of these texts as a value, or anywhere when the text is long enough to be
   * distinctive.
   */
  forget(projectId: number, texts: readonly string[]): Promise<void>;
  close(): void;
}

/** Shorter texts may match by chance. */
const MIN_SUBSTRING_LENGTH = 6;

const SHAPE = JSON.stringify([
  {
    projectId: 'INTEGER',
    type: 'VARCHAR',
    source: 'VARCHAR',
    lib: 'VARCHAR',
    libVersion: 'VARCHAR',
    count: 'BIGINT',
    firstSeen: 'BIGINT',
    lastSeen: 'BIGINT',
    sample: 'VARCHAR',
  },
]);

const ADD = `
  MERGE INTO ingestion_warnings AS kept
  USING (SELECT unnest(from_json($cases, '${SHAPE}'), max_depth := 2)) AS came
  ON kept.project_id = came.projectId AND kept.type = came.type AND kept.source = came.source
    AND kept.lib = came.lib AND kept.lib_version = came.libVersion
  WHEN MATCHED THEN UPDATE SET
    count = kept.count + came.count, last_seen = epoch_ms(came.lastSeen), sample = came.sample
  WHEN NOT MATCHED THEN INSERT VALUES (came.projectId, came.type, came.source, came.lib, came.libVersion,
    came.count, epoch_ms(came.firstSeen), epoch_ms(came.lastSeen), came.sample)`;

/**
 * Opens the table. Each project keeps at most `rowsKept` rows; those without new occurrences for longest are deleted.
 */
export function openWarningTable(connection: DuckDBConnection, rowsKept: number): WarningTable {
  const trim = `DELETE FROM ingestion_warnings WHERE rowid IN (
    SELECT rowid FROM ingestion_warnings
    QUALIFY row_number() OVER (PARTITION BY project_id ORDER BY last_seen DESC, rowid DESC) > ${rowsKept})`;

  async function isFull(): Promise<boolean> {
    const rows = await connection.runAndReadAll('SELECT count(*)::INTEGER FROM ingestion_warnings');
    return Number(rows.value(0, 0)) > rowsKept;
  }

  return {
    add: (cases) =>
      inTransaction(connection, async () => {
        await connection.run(ADD, { cases: JSON.stringify(cases) });
        if (await isFull()) await connection.run(trim);
      }),
    async forget(projectId, texts) {
      await connection.run(
        `UPDATE ingestion_warnings SET sample = '{}' WHERE project_id = $projectId AND (
           list_has_any(json_extract_string(sample, '$.*'), from_json($texts, '["VARCHAR"]'))
           OR len(list_filter(from_json($fragments, '["VARCHAR"]'), lambda text: contains(sample, text))) > 0)`,
        {
          projectId,
          texts: JSON.stringify(texts),
          fragments: JSON.stringify(texts.filter((text) => text.length >= MIN_SUBSTRING_LENGTH).map(escaped)),
        },
      );
    },
    close: () => connection.closeSync(),
  };
}

/** A text with the escapes of JSON, without quotes. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
