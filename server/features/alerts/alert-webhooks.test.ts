import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { storeInsight } from '../../../test/support/insights.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { createAlertWebhooks } from './alert-webhooks.ts';
import type { WebhookOutcome } from './alert-row.ts';
import type { WebhookBody } from './alerts.contract.ts';

const ALERTS = '/api/projects/1/alerts/';
const OUTGOING = '/api/burrow/outgoing/';

/** A receiver that answers with these statuses, the last one from then on. */
async function openReceiver(...statuses: number[]) {
  const received: { path: string; headers: object; body: unknown }[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    req.on('end', () => {
      const status = statuses[Math.min(received.length, statuses.length - 1)]!;
      received.push({ path: req.url!, headers: req.headers, body: JSON.parse(text) });
      res.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { received, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/hook?secret=1` };
}

/** A receiver that takes requests and never answers. */
async function openSilentReceiver() {
  let count = 0;
  const server = createServer(() => void count++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { calls: () => count, host, url: `http://${host}/hook` };
}

const turn = (app: TestApp, isOn: boolean) =>
  app.ask(`${OUTGOING}alert_webhooks/`, { method: 'PUT', body: { is_on: isOn } });

async function createAlert(app: TestApp, url: string): Promise<string> {
  const query = {
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup', name: 'signup' }] },
  };
  const body = {
    insight: await storeInsight(app, { name: 'Signups', query }),
    name: 'Few signups',
    subscribed_users: [],
    condition: { type: 'absolute_value' },
    threshold: { configuration: { type: 'absolute', bounds: { lower: 3 } } },
    webhook_url: url,
  };
  const answer = await app.ask(ALERTS, { method: 'POST', body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.id;
}

const read = async (app: TestApp, id: string) => (await app.ask(`${ALERTS}${id}/`)).json;
const outcomeOf = async (app: TestApp, id: string) =>
  (await read(app, id)).checks[0].triggered_metadata.webhook as WebhookOutcome | null;

/** An alert whose webhook is on its way to a receiver that never answers. */
async function openUnanswered() {
  const app = await openTestApp();
  const { calls, host, url } = await openSilentReceiver();
  await turn(app, true);
  const id = await createAlert(app, url);
  await app.app.features.alertChecks.runDue();
  await expect.poll(calls).toBe(1);
  return { app, id, calls, host };
}

/** What the list of outgoing calls says of webhooks. */
async function webhooksOf(app: TestApp): Promise<unknown> {
  const { results } = (await app.ask(OUTGOING)).json as { results: { purpose: string }[] };
  return results.find(({ purpose }) => purpose === 'alert_webhooks');
}

describe('A-12 the webhook of an alert', () => {
  test('is sent with exactly the documented body, once an owner has turned webhooks on', async () => {
    const app = await openTestApp();
    const { received, host, url } = await openReceiver(200);
    await turn(app, true);
    const id = await createAlert(app, url);
    await app.app.features.alertChecks.runDue();
    await expect.poll(() => received.length).toBe(1);
    const { insight } = await read(app, id);
    expect(received).toEqual([
      {
        path: '/hook?secret=1',
        headers: {
          'content-type': 'application/json',
          'content-length': expect.any(String),
          'user-agent': 'Burrow/0.0.0-test',
          host,
          connection: 'close',
        },
        body: {
          type: 'alert_firing',
          alert_id: id,
          alert_name: 'Few signups',
          project_id: 1,
          insight_id: insight.short_id,
          insight_name: 'Signups',
          state: 'Firing',
          value: 0,
          breaches: ['signup is 0 (2026-11-19), less than the lower bound of 3.'],
          checked_at: '2026-11-20T09:30:00.000Z',
        },
      },
    ]);
    await expect.poll(() => outcomeOf(app, id)).toEqual({ host, attempts: 1, status: 200, problem: null });
    expect(await webhooksOf(app)).toEqual({
      purpose: 'alert_webhooks',
      is_on: true,
      last_call: { at: '2026-11-20T09:30:00.000Z', host, status: 200, problem: null },
    });
  });

  test('is not sent before webhooks are turned on, nor after they are turned off', async () => {
    const app = await openTestApp();
    const { received, url } = await openReceiver(200);
    const id = await createAlert(app, url);
    await app.app.features.alertChecks.runDue();
    expect(await outcomeOf(app, id)).toBeNull();
    await turn(app, true);
    await turn(app, false);
    app.clock.now += 86_400_000;
    await app.app.features.alertChecks.runDue();
    expect(await outcomeOf(app, id)).toBeNull();
    expect(received).toEqual([]);
    expect(await webhooksOf(app)).toEqual({ purpose: 'alert_webhooks', is_on: false, last_call: null });
  });

  test('is turned on by the owner alone, and the activity log says so', async () => {
    const app = await openTestApp();
    const ann = await addMember(app, 'ann@example.com', 8);
    const body = { is_on: true };
    expect((await ann.ask(`${OUTGOING}alert_webhooks/`, { method: 'PUT', body })).status).toBe(403);
    expect((await ann.ask(OUTGOING)).json.results[0].is_on).toBe(false);
    expect((await turn(app, true)).json).toEqual({ purpose: 'alert_webhooks', is_on: true, last_call: null });
    expect((await app.ask(`${OUTGOING}other/`, { method: 'PUT', body })).status).toBe(404);
    expect(
      await app.store.db.all(`SELECT scope FROM activity_log WHERE contains(detail, 'outgoing_')`),
    ).toEqual([{ scope: 'Organization' }]);
  });

  test('that is answered with a redirect is not sent again, and the history says why', async () => {
    const app = await openTestApp();
    const { received, host, url } = await openReceiver(302);
    await turn(app, true);
    const id = await createAlert(app, url);
    await app.app.features.alertChecks.runDue();
    const problem = 'It answered with a redirect (302), which Burrow does not follow.';
    await expect.poll(() => outcomeOf(app, id)).toEqual({ host, attempts: 1, status: null, problem });
    expect(received).toHaveLength(1);
  });

  test('whose receiver fails is sent again', async () => {
    const app = await openTestApp();
    const { received, host, url } = await openReceiver(503, 200);
    await turn(app, true);
    const id = await createAlert(app, url);
    await app.app.features.alertChecks.runDue();
    await expect
      .poll(() => outcomeOf(app, id), { timeout: 10_000 })
      .toEqual({ host, attempts: 2, status: 200, problem: null });
    expect(received[0]!.body).toEqual(received[1]!.body);
  });

  test('has its outcome in the history, also if the last call of the server could not be kept', async () => {
    const app = await openTestApp();
    const { received, host, url } = await openReceiver(200);
    await turn(app, true);
    const id = await createAlert(app, url);
    const { db } = app.store;
    const run = db.run.bind(db);
    vi.spyOn(db, 'run').mockImplementation(async (text, params) => {
      if (JSON.stringify(params ?? null).includes('outgoing_alert_webhooks_last')) throw new Error('No room');
      return await run(text, params);
    });
    await app.app.features.alertChecks.runDue();
    await expect.poll(() => outcomeOf(app, id)).toEqual({ host, attempts: 1, status: 200, problem: null });
    expect(received).toHaveLength(1);
  });
});

test('A-12 a webhook that was on its way when Burrow was killed is not sent again, and the history says so', async () => {
  const { app, id, calls, host } = await openUnanswered();
  expect(await outcomeOf(app, id)).toMatchObject({ attempts: 0, problem: 'No answer yet.' });
  // A kill leaves the rows as they are; this is what the next start does.
  await app.app.features.alertChecks.start();
  const problem = 'Burrow ended before an answer came.';
  const lost = { host, attempts: 0, status: null, problem };
  expect(await outcomeOf(app, id)).toEqual(lost);
  expect(calls()).toBe(1);
});

test('A-12 the app closes although a receiver of a webhook does not answer, and the history says so', async () => {
  const { app, id, host } = await openUnanswered();
  await app.app.features.alertChecks.close();
  const problem = 'Burrow was closed before it arrived.';
  expect(await outcomeOf(app, id)).toEqual({ host, attempts: 1, status: null, problem });
});

describe('A-12 a webhook on its way', () => {
  const BODY = { type: 'alert_firing' } as WebhookBody;

  test('is given up after three repetitions, and on an answer that will not change', async () => {
    const statuses = [500, 429, 503, 500, 404];
    const send = async () => {
      const status = statuses.shift()!;
      return { status, problem: `It answered with status ${status}.`, isFinal: status === 404 };
    };
    const webhooks = createAlertWebhooks({
      outgoing: { send },
      onFailure: (error) => expect.fail(String(error)),
      pausesMs: [1, 1, 1],
    });
    const ends: WebhookOutcome[] = [];
    const end = async (outcome: WebhookOutcome) => void ends.push(outcome);
    webhooks.send('http://a.example.com/x', BODY, end);
    await expect.poll(() => ends.length).toBe(1);
    webhooks.send('http://b.example.com/x', BODY, end);
    await expect.poll(() => ends.length).toBe(2);
    expect(ends).toEqual([
      { host: 'a.example.com', attempts: 4, status: 500, problem: 'It answered with status 500.' },
      { host: 'b.example.com', attempts: 1, status: 404, problem: 'It answered with status 404.' },
    ]);
    await webhooks.close();
  });

  test('is given up when Burrow is closed, which the history says', async () => {
    const send = async () => ({ status: 500, problem: 'It answered with status 500.', isFinal: false });
    const webhooks = createAlertWebhooks({
      outgoing: { send },
      onFailure: (error) => expect.fail(String(error)),
      pausesMs: [60_000],
    });
    const ends: WebhookOutcome[] = [];
    webhooks.send('http://a.example.com/x', BODY, async (outcome) => void ends.push(outcome));
    await webhooks.close();
    expect(ends).toMatchObject([{ attempts: 1, problem: 'Burrow was closed before it arrived.' }]);
  });

  test('does not hold up the closing of Burrow, even if it never ends', async () => {
    const webhooks = createAlertWebhooks({
      outgoing: { send: () => new Promise(() => undefined) },
      onFailure: (error) => expect.fail(String(error)),
      closeLimitMs: 1,
    });
    webhooks.send('http://a.example.com/x', BODY, async () => undefined);
    await webhooks.close();
  });

  test('has an outcome when Burrow itself fails to send it', async () => {
    const failures: unknown[] = [];
    const webhooks = createAlertWebhooks({
      outgoing: {
        send: async () => {
          throw new Error('No room');
        },
      },
      onFailure: (error) => failures.push(error),
    });
    const ends: WebhookOutcome[] = [];
    webhooks.send('http://a.example.com/x', BODY, async (outcome) => void ends.push(outcome));
    await webhooks.close();
    expect(ends).toEqual([
      { host: 'a.example.com', attempts: 0, status: null, problem: 'Burrow failed to send it.' },
    ]);
    expect(failures).toEqual([new Error('No room')]);
  });
});
