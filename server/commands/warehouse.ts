import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { WarehouseCheckJson, WarehouseJson } from '../features/warehouse/index.ts';
import { signIn, type ServerClient } from './server-client.ts';
import { CommandError, counted, shown, sizeText, write, type Terminal } from './terminal.ts';

const PATH = '/api/burrow/warehouse/';
/** Milliseconds between two looks at the copy. */
const LOOK_MS = 500;

/** Shows how the stream to ClickHouse is doing, waits until everything is copied, or compares both. */
export async function warehouse({ dataDir, argument, json }: Config, terminal: Terminal): Promise<void> {
  const client = await signIn(dataDir, terminal);
  try {
    if (argument === 'copy') await copied(client, terminal);
    if (argument === 'copy' || argument === 'check') return await check(client, json, terminal);
    const status = await statusOf(client);
    await write(terminal, json ? `${JSON.stringify(status)}\n` : `${linesOf(status).join('\n')}\n`);
  } finally {
    await client.close();
  }
}

async function statusOf(client: ServerClient): Promise<WarehouseJson> {
  const { warehouse: status } = (await client.json(PATH)) as { warehouse: WarehouseJson | null };
  if (status === null)
    throw new CommandError(
      'This server has no warehouse. Start it with --warehouse clickhouse://user@host:8123/database.',
    );
  return status;
}

/** Shows the progress on standard error until nothing is left to copy. */
async function copied(client: ServerClient, { stderr, signal }: Terminal): Promise<void> {
  let shownLine = '';
  for (;;) {
    const { state, problem, copy_rows_left: left, copy_rows: all } = await statusOf(client);
    if (state === 'refused') throw new CommandError(problem ?? 'The warehouse was refused.');
    const percent = all === 0 ? 100 : Math.floor(((all - left) / all) * 100);
    const line =
      state === 'away'
        ? `${problem ?? ''} The copy goes on when it answers.`
        : `Copied ${percent}% (${counted(left, 'row')} left)`;
    if (line !== shownLine) stderr.write(`${line}\n`);
    shownLine = line;
    if (left === 0 && state === 'streaming') return;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

async function check(client: ServerClient, isJson: boolean, terminal: Terminal): Promise<void> {
  const found = (await client.json(`${PATH}check/`, { method: 'POST' })) as WarehouseCheckJson;
  if (isJson) await write(terminal, `${JSON.stringify(found)}\n`);
  else if (found.is_equal)
    await write(terminal, `Equal: ${counted(found.rows, 'row')} of the file are in ClickHouse.\n`);
  else
    for (const { table, project, month, file, warehouse: there } of found.differences)
      await write(
        terminal,
        `${table} of project ${project}${month === null ? '' : `, ${month}`}: ${counted(file.rows, 'row')} in the file, ${there.rows} in ClickHouse${file.rows === there.rows ? ', with other contents' : ''}\n`,
      );
  if (!found.is_equal) throw new CommandError('The file and ClickHouse differ.');
}

function linesOf(status: WarehouseJson): string[] {
  const { host, database, state, problem, answers, bytes, rows, waiting_events: events } = status;
  return [
    `ClickHouse at ${shown(host)}, database ${database}: ${state}`,
    ...(problem === null ? [] : [problem]),
    answers ? 'Questions are answered by ClickHouse.' : 'Questions are answered by the file.',
    ...(status.copy_rows_left > 0
      ? [`${counted(status.copy_rows_left, 'row')} of ${status.copy_rows} left to copy`]
      : []),
    `${counted(events, 'event')} wait${events === 1 ? 's' : ''} to be sent${status.waiting_since === null ? '' : `, since ${status.waiting_since}`}`,
    ...(bytes === null || rows === null ? [] : [`${counted(rows, 'event')} there, ${sizeText(bytes)}`]),
  ];
}
