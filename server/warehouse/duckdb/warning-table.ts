import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';

/** Cases of one kind from one sender, since they were last saved. */
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

/** The table of ingestion warnings, written on a connection of its own: no commit of events waits for it. */
export interface WarningTable {
  /** Adds cases to the rows of their kind and sender, in one transaction; of each project the newest rows are kept. */
  add(cases: readonly WarningCases[]): Promise<void>;
  /** Empties the samples in which one of these texts is a value, or, when it is long enough to mean it, stands anywhere. */
  forget(projectId: number, texts: readonly string[]): Promise<void>;
  close(): void;
}

/** Shorter texts stand in others by chance. */
const TELLING_LENGTH = 6;

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

/** Opens the table; of each project at most `rowsKept` rows stay, those without new cases for longest go. */
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
          fragments: JSON.stringify(texts.filter((text) => text.length >= TELLING_LENGTH).map(escaped)),
        },
      );
    },
    close: () => connection.closeSync(),
  };
}

/** A text as it stands within JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
