import { expect } from 'vitest';
import { v7 } from 'uuid';
import type { RunningServer } from '../support/start-server.ts';
import { send } from './send.ts';
import type { StoredEvent } from './stored-events.ts';

/** A request of several events, each with a uuid and the number of its batch, so that received batches can be identified. */
export interface Batch {
  readonly number: number;
  readonly uuids: readonly string[];
  readonly body: string;
}

export interface BatchOptions {
  projectApiKey: string;
  event: string;
  number: number;
  size: number;
  /** Further bytes in each event. Default 200. */
  padding?: number;
}

export function makeBatch({ projectApiKey, event, number, size, padding = 200 }: BatchOptions): Batch {
  const uuids = Array.from({ length: size }, () => v7());
  const text = 'x'.repeat(padding);
  const batch = uuids.map((uuid, n) => ({
    event,
    distinct_id: `user-${n}`,
    uuid,
    properties: { batch: number, n, text },
  }));
  return { number, uuids, body: JSON.stringify({ api_key: projectApiKey, batch }) };
}

/** Every event of an acknowledged batch is there exactly once; one that was not acknowledged is there whole or not at all. */
export function expectNothingLost(
  stored: readonly StoredEvent[],
  sent: readonly Batch[],
  acknowledged: ReadonlySet<number>,
): void {
  const uuidsOf = new Map<number, string[]>(sent.map(({ number }) => [number, []]));
  for (const { id, properties } of stored) uuidsOf.get(properties['batch'] as number)!.push(id);
  for (const { number, uuids } of sent) {
    const found = uuidsOf.get(number)!;
    if (found.length > 0 || acknowledged.has(number)) {
      expect(found.toSorted(), `events of batch ${number}`).toEqual(uuids.toSorted());
    }
  }
}

/** What was sent, and the numbers of the batches that were acknowledged. */
export interface Sent {
  batches: Batch[];
  acknowledged: Set<number>;
}

/** Sends one more batch and notes it; returns the status. */
export async function sendNext(
  { url, projectApiKey }: RunningServer,
  sent: Sent,
  batchOptions: Pick<BatchOptions, 'event' | 'size' | 'padding'>,
): Promise<number> {
  const number = sent.batches.length;
  const batch = makeBatch({ projectApiKey, number, ...batchOptions });
  sent.batches.push(batch);
  const { status } = await send(`${url}/batch/`, { body: batch.body });
  if (status === 200) sent.acknowledged.add(number);
  return status;
}
