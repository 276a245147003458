import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject, type TestContext } from 'vitest';

/** Rows with their columns' types, as ClickHouse writes both. */
export interface ClickhouseRows {
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface Clickhouse {
  /** Runs a statement; `params` are the texts of its `{name:String}`. Throws with the message of ClickHouse. */
  run(sql: string, params?: Readonly<Record<string, string>>): Promise<ClickhouseRows>;
}

/**
 * One ClickHouse for all tests of a file. A test that cannot have it is skipped, which fails where
 * nothing may be skipped.
 */
export function shareClickhouse(): (context: TestContext) => Promise<Clickhouse> {
  let starting: Promise<{ clickhouse: Clickhouse; stop: () => void } | null> | null = null;
  afterAll(async () => {
    (await starting)?.stop();
  });
  return async ({ skip }) => {
    const started = await (starting ??= start());
    if (started === null) return skip('ClickHouse (npm chdb) cannot be installed on this machine.');
    return started.clickhouse;
  };
}

async function start(): Promise<{ clickhouse: Clickhouse; stop: () => void } | null> {
  const module = inject('clickhouse');
  if (module === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'burrow-judge-'));
  const child = fork(new URL('clickhouse-process.mjs', import.meta.url));
  const send = sender(child);
  const stop = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  await send({ module, folder });
  const clickhouse: Clickhouse = {
    async run(sql, params) {
      const text = await send({ sql, params });
      if (text === '') return { types: [], rows: [] };
      const { meta, data } = JSON.parse(text) as { meta: { type: string }[]; data: unknown[][] };
      return { types: meta.map(({ type }) => type), rows: data };
    },
  };
  return { clickhouse, stop };
}

function sender(child: ChildProcess): (message: object) => Promise<string> {
  const waiting = new Map<number, { resolve: (text: string) => void; reject: (error: Error) => void }>();
  let sent = 0;
  child.on('message', ({ id, text, failure }: { id: number; text: string; failure?: string }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) asked?.resolve(text);
    else asked?.reject(new Error(failure));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`ClickHouse ended (code ${code}).`));
    waiting.clear();
  });
  return (message) =>
    new Promise((resolve, reject) => {
      sent += 1;
      waiting.set(sent, { resolve, reject });
      child.send({ id: sent, ...message });
    });
}
