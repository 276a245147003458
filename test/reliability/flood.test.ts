import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, makeBatch } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { peakMemory, run } from './running.ts';
import { send, type Answer } from './send.ts';
import { walkEvents } from './stored-events.ts';

const EVENTS_PER_REQUEST = 1000;
const PADDING = 12_000;
/** Bytes in flight, as a multiple of the queue's capacity. */
const OVERLOAD = 3;

interface IngestionReport {
  queue: { events: number; bytes: number; limit_bytes: number };
}

test('more concurrent bytes than the queue limit: the rest is answered 503 with Retry-After, and memory stays bounded', async () => {
  const server = await run({ dataDir: await newDataFolder() });
  const { limit_bytes: limit } = (await readIngestion(server)).queue;
  const oneBody = EVENTS_PER_REQUEST * PADDING;
  const count = Math.ceil((limit * OVERLOAD) / oneBody);
  const batches = Array.from({ length: count }, (_, number) =>
    makeBatch({
      projectApiKey: server.projectApiKey,
      event: 'flood',
      number,
      size: EVENTS_PER_REQUEST,
      padding: PADDING,
    }),
  );

  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());

  const answers = await Promise.all(batches.map(({ body }) => send(`${server.url}/batch/`, { body, agent })));

  const peak = peakMemory(server.pid);

  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length, 'some are refused').toBeGreaterThan(0);
  expect(refused.length, 'some are stored').toBeLessThan(count);
  for (const answer of refused) expectRetryLater(answer);
  const acknowledged = new Set(answers.flatMap(({ status }, number) => (status === 200 ? [number] : [])));
  expectNothingLost(await walkEvents(server, 'flood'), batches, acknowledged);

  const again = await send(`${server.url}/batch/`, { body: batches[0]!.body });
  expect(again.status, 'the queue is free again').toBe(200);
  expect((await readIngestion(server)).queue.bytes).toBe(0);
  // The queue, what parsing it makes of it, and DuckDB's part: without a bound it would be a multiple of the flood.
  expect(peak).toBeLessThan(1_500_000_000);
});

function expectRetryLater({ status, headers, text }: Answer): void {
  expect(status).toBe(503);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(JSON.parse(text)).toMatchObject({ type: 'server_error', attr: null });
}

async function readIngestion(server: RunningServer): Promise<IngestionReport> {
  const url = `${server.url}/api/projects/${server.projectId}/burrow/ingestion/`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${server.personalApiKey}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as IngestionReport;
}
