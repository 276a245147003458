import { expect, test } from 'vitest';
import { putRule } from '../../../test/support/access-rules.ts';
import { addMember, removeMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const QUERY = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'opened' }] };

/** A dashboard of the owner with one insight, and a link to it that a plain member turned on. */
async function openWithLinkOfMember() {
  const app = await openTestApp();
  const lin = await addMember(app, 'lin@local.test');
  const { id } = (await app.ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Weekly' } })).json;
  const insight = await addInsight(app, 'First', id);
  const link = await lin.ask(`${P}dashboards/${id}/sharing/`, { method: 'PATCH', body: { enabled: true } });
  expect(link.status).toBe(200);
  const look = async () => {
    const { status, json } = await app.ask(`/shared/${link.json.access_token}.json`, { key: null });
    if (status !== 200) return status;
    return json.dashboard.tiles.map(
      (tile: { insight: { name: string } | null }) => tile.insight?.name ?? null,
    );
  };
  return { app, lin, id: id as number, insight, look };
}

async function addInsight(app: TestApp, name: string, dashboard: number): Promise<number> {
  const body = { name, query: QUERY, dashboards: [dashboard] };
  const answer = await app.ask(`${P}insights/`, { method: 'POST', body });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

test('A-10 a link hides an insight that is hidden from its creator, also one that was added later', async () => {
  const { app, lin, id, insight, look } = await openWithLinkOfMember();
  expect(await look()).toEqual(['First']);
  const hide = { access_level: 'none', organization_member: lin.membershipId };
  await putRule(app, `insights/${insight}/access_controls/`, hide);
  expect((await look()).filter(Boolean)).toEqual([]);
  const second = await addInsight(app, 'Second', id);
  expect((await look()).filter(Boolean)).toEqual(['Second']);
  await putRule(app, `insights/${second}/access_controls/`, hide);
  expect((await look()).filter(Boolean)).toEqual([]);
});

test('A-10 a link is a 404 once its dashboard is hidden from its creator, or its creator has left', async () => {
  const { app, lin, id, look } = await openWithLinkOfMember();
  const rule = { organization_member: lin.membershipId };
  await putRule(app, `dashboards/${id}/access_controls/`, { ...rule, access_level: 'none' });
  expect(await look()).toBe(404);
  await putRule(app, `dashboards/${id}/access_controls/`, { ...rule, access_level: null });
  expect(await look()).toEqual(['First']);
  await removeMember(app, lin);
  expect(await look()).toBe(404);
});
