import { expect, test } from 'vitest';
import { idOfPerson } from '../../../test/support/app-persons.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import type { StoreState } from './event-store.ts';
import { readCounter } from './change-counter.ts';

const P = '/api/projects/1/';

/** The version of a project's data. */
const versionOf = (app: TestApp, projectId: number): Promise<number> =>
  app.store.service('capture').call<number>({ kind: 'store.changes', projectId });

async function openWithTwoProjects() {
  const app = await openTestApp();
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Other' },
  });
  const { id, api_token: token } = made.json as { id: number; api_token: string };
  const grows = async (change: () => Promise<unknown>): Promise<{ own: boolean; other: boolean }> => {
    const before = [await versionOf(app, 1), await versionOf(app, id)];
    await change();
    const after = [await versionOf(app, 1), await versionOf(app, id)];
    return { own: after[0]! > before[0]!, other: after[1]! > before[1]! };
  };
  return { app, id, token, grows };
}

test('a change in one project increases the version of its data only', async () => {
  const { app, token, grows } = await openWithTwoProjects();
  const own = { own: true, other: false };
  expect(await grows(() => sendEvents(app, [{ $set: { plan: 'pro' } }]))).toEqual(own);
  expect(await grows(() => sendEvents(app, [{}], token))).toEqual({ own: false, other: true });
  const groupIdentify = {
    event: '$groupidentify',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 5 } },
  };
  expect(await grows(() => sendEvents(app, [groupIdentify]))).toEqual(own);
  const person = await idOfPerson(app, 'u1');
  const body = { key: 'plan', value: 'free' };
  expect(
    await grows(() => app.ask(`${P}persons/${person}/update_property/`, { method: 'POST', body })),
  ).toEqual(own);
  const list = { name: 'List', is_static: true, csv: 'distinct_id\nu1' };
  expect(await grows(() => app.ask(`${P}cohorts/`, { method: 'POST', body: list }))).toEqual(own);
  expect(await grows(() => app.ask(`${P}persons/${person}/`, { method: 'DELETE' }))).toEqual(own);
});

test('reads change no version', async () => {
  const { app, grows } = await openWithTwoProjects();
  await sendEvents(app, [{}]);
  const asked = () => Promise.all([app.ask(`${P}events/`), app.ask(`${P}persons/`), app.ask(`${P}cohorts/`)]);
  expect(await grows(asked)).toEqual({ own: false, other: false });
});

test('types change only with a new property, a wider type, a group type and an edit', async () => {
  const { app, id } = await openWithTwoProjects();
  const stateOf = (projectId = 1): Promise<StoreState> =>
    app.store.service('capture').call<StoreState>({ kind: 'store.state', projectId });
  const changesTypes = async (change: () => Promise<unknown>): Promise<boolean> => {
    const [before, other] = [await stateOf(), await stateOf(id)];
    await change();
    const after = await stateOf();
    // A reader of an earlier state is notified that it is not the latest, without a request.
    expect(readCounter(before.changeCounter)).toBeGreaterThan(before.markedAt);
    expect((await stateOf(id)).typeChanges).toBe(other.typeChanges);
    return after.typeChanges > before.typeChanges;
  };
  const send = (properties: Record<string, unknown>, event = 'seen') =>
    changesTypes(() => sendEvents(app, [{ event, properties }]));

  expect(await send({ amount: 1 })).toBe(true);
  expect(await send({ amount: 2 })).toBe(false);
  expect(await send({ amount: 'many' })).toBe(true);
  expect(await send({ amount: 'few' }, 'another event')).toBe(false);
  const groups = { $group_type: 'company', $group_key: 'acme' };
  expect(await send(groups, '$groupidentify')).toBe(true);
  expect(await send(groups, '$groupidentify')).toBe(false);
  expect(await send({ amount: 'few', $groups: { team: 'blue' } })).toBe(true);
  const definition = (await app.ask(`${P}property_definitions/?search=amount`)).json.results[0] as {
    id: string;
  };
  const body = { property_type: 'Numeric' };
  const path = `${P}property_definitions/${definition.id}/`;
  expect(await changesTypes(() => app.ask(path, { method: 'PATCH', body }))).toBe(true);
});

test('the state of a project is valid while the counter is unchanged', async () => {
  const app = await openTestApp();
  const state = await app.store.service('capture').call<StoreState>({ kind: 'store.state', projectId: 1 });
  await app.ask(`${P}query/`, { method: 'POST', body: { query: { kind: 'HogQLQuery', query: 'SELECT 1' } } });
  expect(readCounter(state.changeCounter)).toBe(state.markedAt);
});
