import type { Statements } from '../../db/db.ts';

/** The value of a setting, or undefined when it was never set. */
export async function findSetting(db: Statements, name: string): Promise<unknown> {
  const row = await db.first<{ value: string }>('SELECT value FROM server_settings WHERE name = $name', {
    name,
  });
  return row === null ? undefined : (JSON.parse(row.value) as unknown);
}

/** `now` in Unix milliseconds. */
export async function saveSetting(
  db: Statements,
  setting: { name: string; value: unknown; now: number },
): Promise<void> {
  await db.run(
    `INSERT INTO server_settings VALUES ($name, $value, epoch_ms($now))
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    { name: setting.name, value: JSON.stringify(setting.value), now: setting.now },
  );
}
