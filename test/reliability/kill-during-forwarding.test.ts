// @module-tag deep
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { newDataFolder } from './data-folder.ts';

const KILLS = 6;
const EVENTS = 20_000;
const BATCH = 500;

/** Passes requests on, and calls `onArrived` after the receiver has stored one and before its answer goes back. */
async function openProxy(target: RunningServer, onArrived: () => Promise<void>): Promise<string> {
  const server = createServer((req, res) => {
    const { method, url: path, headers } = req;
    const onward = request(
      { host: '127.0.0.1', port: target.port, method, path, headers },
      (answer: IncomingMessage) => {
        answer.resume().on('end', () => void onArrived().then(() => res.writeHead(answer.statusCode!).end()));
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(server: RunningServer, path: string, method = 'GET', body?: object): Promise<any> {
  const headers = { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' };
  const answer = await fetch(server.url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return await answer.json();
}

async function idsOf(server: RunningServer): Promise<number[][]> {
  const query = {
    kind: 'HogQLQuery',
    query: 'select count(), count(distinct uuid), count(distinct toInt(properties.n)) from events',
  };
  return (await ask(server, '/api/projects/1/query/', 'POST', { query, refresh: 'force_blocking' })).results;
}

test('M9.14/once a sender that is killed between the answer and its note loses nothing and doubles nothing', async () => {
  const receiver = await startServer();
  onTestFinished(async () => void (await receiver.stop()));
  const dataDir = await newDataFolder();
  let sender = await startServer({ dataDir });
  onTestFinished(async () => void (await sender.kill()));
  let kills = 0;
  let arrived = 0;
  const url = await openProxy(receiver, async () => {
    arrived++;
    if (kills >= KILLS || arrived % 3 !== 0) return;
    kills++;
    await sender.kill();
    sender = await startServer({ dataDir });
  });
  await ask(sender, '/api/burrow/outgoing/forwarding/', 'PUT', { is_on: true });
  await ask(sender, '/api/projects/1/burrow/forwarding/', 'PUT', {
    host: url,
    api_key: receiver.projectApiKey,
  });
  for (let from = 0; from < EVENTS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, n) => ({
      event: 'seen',
      distinct_id: `u${n % 50}`,
      properties: { n: from + n },
    }));
    const body = JSON.stringify({ api_key: sender.projectApiKey, batch });
    // What meets a killed sender is sent again, as an SDK does; it was not answered, so none of it may be stored.
    for (;;) {
      const answer = await fetch(`${sender.url}/batch/`, { method: 'POST', body }).catch(() => null);
      if (answer?.status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await expect
    .poll(async () => (await ask(sender, '/api/projects/1/burrow/forwarding/').catch(() => null))?.state, {
      timeout: 120_000,
      interval: 500,
    })
    .toBe('up_to_date');
  expect(kills).toBe(KILLS);
  const sent = await idsOf(sender);
  expect(await idsOf(receiver)).toEqual(sent);
  expect(sent[0]![2]).toBe(EVENTS);
});
