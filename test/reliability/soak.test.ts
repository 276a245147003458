// @module-tag soak
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestStore } from '../support/store.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { peakMemory, run } from './running.ts';
import { send } from './send.ts';

/** Two hours in the full budget; `SOAK_MINUTES=5 npm run test:deep -- --only soak` tries it out. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 120);
const EVENTS_PER_SECOND = 850;
const BATCHES_PER_SECOND = 10;
const MIB = 1_048_576;
const MEMORY_LIMIT = 512 * MIB;
/** The watch interrupts queries at the limit plus 300 MB; what DuckDB does not count comes on top. */
const MOST_MEMORY = MEMORY_LIMIT + 400 * MIB;
/** Growth of resident memory in the second half, by the hour, beyond which a server that runs for weeks would end. */
const MOST_GROWTH = 64 * MIB;
const MOST_STDERR_BYTES = 64 * 1024;

interface Sample {
  readonly hours: number;
  readonly resident: number;
  readonly handles: number;
}

test(
  'a server under hours of ingestion, with dashboards, retention and backups, has bounded memory, file, handles and log',
  { timeout: (MINUTES + 30) * 60_000 },
  async () => {
    const dataDir = await newDataFolder();
    const server = await run({ dataDir, args: ['--memory-limit', '512MB'] });
    const { url, pid, projectId, projectApiKey, personalApiKey } = server;
    const ask = async (path: string, body: unknown, method = 'POST') => {
      const headers = { Authorization: `Bearer ${personalApiKey}`, 'Content-Type': 'application/json' };
      const answer = await send(`${url}/api/${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      expect([path, answer.status < 300]).toEqual([path, true]);
      return JSON.parse(answer.text === '' ? 'null' : answer.text) as Record<string, any>;
    };
    await ask(`projects/${projectId}/burrow/retention/`, { max_days: 30 }, 'PUT');

    const started = Date.now();
    const end = started + MINUTES * 60_000;
    const samples: Sample[] = [];
    let acknowledged = 0;
    const until = async (everyMs: number, act: () => Promise<void> | void): Promise<void> => {
      while (Date.now() < end) {
        const next = Date.now() + everyMs;
        await act();
        await sleep(Math.max(0, Math.min(next, end) - Date.now()));
      }
    };
    const sample = (): void => {
      samples.push({
        hours: (Date.now() - started) / 3_600_000,
        resident: Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024,
        handles: readdirSync(`/proc/${pid}/fd`).length,
      });
    };
    let number = 0;
    await Promise.all([
      until(1000 / BATCHES_PER_SECOND, async () => {
        const batch = Array.from({ length: EVENTS_PER_SECOND / BATCHES_PER_SECOND }, () =>
          eventOf((number += 1)),
        );
        const body = JSON.stringify({ api_key: projectApiKey, batch });
        const { status } = await send(`${url}/batch/`, { body });
        expect(status).toBe(200);
        acknowledged += batch.filter(({ event }) => event === 'page viewed').length;
      }),
      until(5_000, async () => {
        for (const query of DASHBOARD)
          await ask(`projects/${projectId}/query/`, { query, refresh: 'force_blocking' });
      }),
      until(15 * 60_000, async () => void (await ask('burrow/backup/', {}))),
      until(5_000, sample),
    ]);

    const { results } = await ask(`projects/${projectId}/query/`, {
      query: { kind: 'HogQLQuery', query: `select count() from events where event = 'page viewed'` },
    });
    expect(results).toEqual([[acknowledged]]);
    expect(peakMemory(pid)).toBeLessThan(MOST_MEMORY);
    const second = samples.slice(samples.length / 2);
    if (MINUTES >= 60) expect(growthPerHour(second)).toBeLessThan(MOST_GROWTH);
    expect(second.at(-1)!.handles).toBeLessThan(second[0]!.handles + 20);
    expect(server.stderr().length).toBeLessThan(MOST_STDERR_BYTES);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    // What is free in the file is less than what is used, a day of deletions apart.
    const store = await openTestStore({ path: join(dataDir, DATABASE) });
    const size = (await store.db.first<{ used: bigint; total: bigint }>(
      'SELECT used_blocks AS used, total_blocks AS total FROM pragma_database_size()',
    ))!;
    await store.close();
    expect(Number(size.total)).toBeLessThan(2 * Number(size.used) + 100);
  },
);

/** Every twentieth is from before what retention keeps. */
function eventOf(number: number): { event: string; [field: string]: unknown } {
  const age = number % 20 === 0 ? 60 * 86_400_000 : 0;
  return {
    event: age > 0 ? 'imported' : 'page viewed',
    distinct_id: `user-${number % 5_000}`,
    timestamp: new Date(Date.now() - age).toISOString(),
    properties: {
      $current_url: `https://app.example.com/projects/${number % 300}`,
      $browser: ['Chrome', 'Firefox', 'Safari'][number % 3],
      plan: ['free', 'pro', 'team'][(number % 7) % 3],
      amount: number % 1000,
    },
  };
}

const DASHBOARD = [
  {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'page viewed', math: 'dau' }],
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
    dateRange: { date_from: '-7d' },
  },
  {
    kind: 'FunnelsQuery',
    series: [
      { kind: 'EventsNode', event: 'page viewed' },
      { kind: 'EventsNode', event: 'page viewed' },
    ],
    dateRange: { date_from: '-7d' },
  },
  { kind: 'HogQLQuery', query: 'select properties.$browser, count() from events group by 1 order by 2 desc' },
];

/** Slope of the line through the samples, by least squares, in bytes an hour. */
function growthPerHour(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [time, memory] = [
    mean(samples.map(({ hours }) => hours)),
    mean(samples.map(({ resident }) => resident)),
  ];
  const over = samples.reduce((sum, one) => sum + (one.hours - time) * (one.resident - memory), 0);
  const under = samples.reduce((sum, one) => sum + (one.hours - time) ** 2, 0);
  return over / under;
}
