import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { isStoredExactly, walkEvents } from './stored-events.ts';

/** `--max-body`: a body of that many bytes is refused, one byte less is not. */
const MAX_BODY = 20_971_520;

/** As many minimal events with uuids as fit into a body of one byte below the limit. */
function makeLargeBody(projectApiKey: string, event: string): { body: string; events: number } {
  const head = `{"api_key":"${projectApiKey}","batch":[`;
  const tail = '],"padding":""}';
  const items: string[] = [];
  let length = head.length + tail.length;
  for (let n = 0; ; n += 1) {
    const item = `{"event":"${event}","distinct_id":"u","uuid":"${v7()}","properties":{"n":${n}}}`;
    if (length + item.length + 1 > MAX_BODY - 1) break;
    items.push(item);
    length += item.length + (items.length > 1 ? 1 : 0);
  }
  const padding = ' '.repeat(MAX_BODY - 1 - length);
  return { body: `${head}${items.join(',')}${padding}${tail}`, events: items.length };
}

test('a body just under the size limit with more than 150,000 events is stored completely', async () => {
  const server = await run({ dataDir: await newDataFolder() });
  const { body, events } = makeLargeBody(server.projectApiKey, 'large');
  expect(Buffer.byteLength(body)).toBe(MAX_BODY - 1);
  expect(events).toBeGreaterThan(150_000);

  expect((await send(`${server.url}/batch/`, { body })).status).toBe(200);

  const numbers = (await walkEvents(server, 'large')).map(({ properties }) => properties['n'] as number);
  expect(numbers.length).toBe(events);
  expect(new Set(numbers).size).toBe(events);
});

test.each([
  ['kept', true],
  ['closed after it', false],
])(
  'a body half over the limit is answered 413 that the client can read, on a connection %s',
  async (_, keepAlive) => {
    const server = await run({ dataDir: await newDataFolder() });
    const agent = new Agent({ keepAlive });
    onTestFinished(() => agent.destroy());
    const answer = await send(`${server.url}/batch/`, { body: Buffer.alloc(MAX_BODY * 1.5, 'a'), agent });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'payload_too_large' });
  },
);

test('killed in the middle of such a request, the server has all of its events or none', async () => {
  const dataDir = await newDataFolder();
  let server = await run({ dataDir });
  const whole = makeLargeBody(server.projectApiKey, 'whole');
  const before = performance.now();
  expect((await send(`${server.url}/batch/`, { body: whole.body })).status).toBe(200);
  const duration = performance.now() - before;

  for (const share of [0.2, 0.5, 0.8, 1]) {
    const event = `killed-at-${share}`;
    const { body, events } = makeLargeBody(server.projectApiKey, event);
    const answer = send(`${server.url}/batch/`, { body }).then(
      ({ status }) => status,
      () => null,
    );
    await sleep(duration * share);
    await server.kill();
    const isAcknowledged = (await answer) === 200;

    server = await run({ dataDir });
    const isAbsent = await isStoredExactly(server, event, 0);
    if (isAbsent) expect(isAcknowledged, `${event} was acknowledged`).toBe(false);
    else expect(await isStoredExactly(server, event, events), `${event} is whole`).toBe(true);
  }
  expect(await isStoredExactly(server, 'whole', whole.events)).toBe(true);
});
