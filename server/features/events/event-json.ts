import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EventWithPerson } from './event-row.ts';
import { storedEventOf } from './stored-event.ts';

/**
 * Writes the envelope `{"results": […], "next": …}`. The pieces hold one event more than `limit` when there is a next
 * page; its address comes from `nextUrl` and the last event shown.
 */
export async function writeEventsJson(
  pieces: AsyncIterable<EventWithPerson[]>,
  limit: number,
  nextUrl: (last: EventWithPerson) => string,
  out: Writable,
): Promise<void> {
  await pipeline(Readable.from(textsOf(pieces, limit, nextUrl)), out);
}

async function* textsOf(
  pieces: AsyncIterable<EventWithPerson[]>,
  limit: number,
  nextUrl: (last: EventWithPerson) => string,
): AsyncGenerator<string> {
  let shown = 0;
  let next: string | null = null;
  let last: EventWithPerson | null = null;
  yield '{"results":[';
  for await (const rows of pieces) {
    const page = rows.slice(0, limit - shown);
    if (page.length > 0) {
      yield (shown === 0 ? '' : ',') + page.map((row) => JSON.stringify(storedEventOf(row))).join(',');
    }
    shown += page.length;
    last = page.at(-1) ?? last;
    if (page.length < rows.length && last !== null) next = nextUrl(last);
  }
  yield `],"next":${JSON.stringify(next)}}`;
}
