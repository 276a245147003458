import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../bench/random.mjs';
import { newDataFolder } from '../reliability/data-folder.ts';
import { run } from '../reliability/running.ts';
import { send } from '../reliability/send.ts';
import { shareClickhouseServer } from '../support/clickhouse-server.ts';
import type { RunningServer } from '../support/start-server.ts';

/** `BURROW_RELIABILITY=full` takes all of them, otherwise some. */
const IS_FULL = process.env['BURROW_RELIABILITY'] === 'full';
const KILLS = IS_FULL ? 50 : 6;
const AWAY = IS_FULL ? 20 : 2;

const openServer = shareClickhouseServer();

interface Sent {
  number: number;
  acknowledged: number;
}

/** Sends events, one in ten of which makes two persons one, until the server ends. */
async function sendUntilKilled({ url, projectApiKey }: RunningServer, sent: Sent): Promise<void> {
  for (;;) {
    const first = sent.number;
    sent.number += 20;
    const batch = Array.from({ length: 20 }, (_, at) => {
      const n = first + at;
      return n % 10 === 0
        ? {
            event: '$identify',
            distinct_id: `user-${n}`,
            properties: { $anon_distinct_id: `anon-${n + 1}`, $set: { n } },
          }
        : {
            event: 'seen',
            distinct_id: `${n % 2 === 0 ? 'user' : 'anon'}-${n - (n % 10) + (n % 3)}`,
            properties: { n },
          };
    });
    const body = JSON.stringify({ api_key: projectApiKey, batch });
    try {
      const { status } = await send(`${url}/batch/`, {
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      if (status === 200) sent.acknowledged += 20;
    } catch {
      return;
    }
  }
}

async function ask(server: RunningServer, method: string, path: string, body?: object): Promise<any> {
  const { text } = await send(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return JSON.parse(text);
}

test(`${KILLS} kills while events are streamed, ${AWAY} of them without ClickHouse, lose and double nothing there`, async (context) => {
  const clickhouse = await openServer(context);
  const dataDir = await newDataFolder();
  const random = createRandom(20_261_127);
  const sent: Sent = { number: 0, acknowledged: 0 };
  const options = {
    dataDir,
    env: {
      BURROW_WAREHOUSE: clickhouse.address(`kills_${process.pid}`),
      BURROW_PERSONAL_API_KEY: 'phx_key_of_the_kills',
    },
  };
  for (let n = 0; n < KILLS; n += 1) {
    const server = await run(options);
    const isAway = n % Math.floor(KILLS / AWAY) === 1;
    const before = sent.acknowledged;
    const writing = [sendUntilKilled(server, sent), sendUntilKilled(server, sent)];
    await sleep(200 + random() * 800);
    if (isAway) await clickhouse.kill();
    await sleep(random() * 1_000);
    await expect.poll(() => sent.acknowledged).toBeGreaterThan(before);
    await server.kill();
    await Promise.all(writing);
    if (isAway) await clickhouse.restart();
  }
  const server = await run(options);
  const found = await ask(server, 'POST', '/api/burrow/warehouse/check/');
  expect(found).toMatchObject({ is_equal: true, differences: [] });
  const { results } = await ask(server, 'POST', `/api/projects/${server.projectId}/query/`, {
    query: { kind: 'HogQLQuery', query: 'select count() from events' },
  });
  expect(results[0][0]).toBeGreaterThanOrEqual(sent.acknowledged);
});
