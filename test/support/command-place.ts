import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { burrow } from './run-burrow.ts';
import { startServer, type RunningServer } from './start-server.ts';

/** Runs what ends a part of a test, at its end or later. */
export type Later = (work: () => Promise<void>) => void;

export async function newFolder(later: Later = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-commands-'));
  later(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Place {
  server: RunningServer;
  dataDir: string;
  /** Outside of the data folder. */
  folder: string;
  run(...args: string[]): ReturnType<typeof burrow>;
}

/** A server, and commands for its data folder; both end with the test, or later. */
export async function openPlace(later: Later = onTestFinished): Promise<Place> {
  const folder = await newFolder(later);
  const dataDir = join(folder, 'data');
  const server = await startServer({ dataDir });
  later(async () => void (await server.kill()));
  const run: Place['run'] = (...args) => burrow(args, { BURROW_DATA_DIR: dataDir });
  return { server, dataDir, folder, run };
}

export type Sent = { event: string; distinct_id?: string; timestamp?: string; properties?: string };

/** Sends events whose properties are JSON text. */
export async function send(server: RunningServer, events: readonly Sent[]): Promise<void> {
  const batch = events.map(({ properties = '{}', ...event }) =>
    JSON.stringify({ distinct_id: 'u1', ...event }).replace(/\}$/, `,"properties":${properties}}`),
  );
  const body = `{"api_key":"${server.projectApiKey}","batch":[${batch.join(',')}]}`;
  const headers = { 'Content-Type': 'application/json' };
  expect((await fetch(`${server.url}/batch/`, { method: 'POST', headers, body })).status).toBe(200);
}
