import { expect, test } from 'vitest';
import {
  DASHBOARDS,
  dashboardAt,
  makeDashboard,
  makeInsight,
  tilesOf,
} from '../../../test/support/dashboards.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

test('a member cannot add a hidden insight to another dashboard, where a link would show it', async () => {
  const app = await openTestApp();
  const member = await addMember(app, 'lin@local.test');
  const hidden = await makeInsight(app, { name: 'Salaries' });
  const id = await makeDashboard(app, [{ insight: hidden }, { insight: await makeInsight(app) }]);
  const tileId = (await tilesOf(app, id)).find(({ insight }) => insight?.id === hidden)!.id;
  const body = { access_level: 'none', organization_member: member.membershipId };
  await app.ask(`/api/projects/1/insights/${hidden}/access_controls/`, { method: 'PUT', body });

  const whole = await member.ask(DASHBOARDS, { method: 'POST', body: { use_dashboard: id } });
  const mine: number = whole.json.id;
  const move = { tile: { id: tileId }, toDashboard: mine };
  const moved = await member.ask(dashboardAt(id, 'move_tile/'), { method: 'PATCH', body: move });
  const copy = { fromDashboardId: id, tileId };
  const copied = await member.ask(dashboardAt(mine, 'copy_tile/'), { method: 'POST', body: copy });
  expect([whole.status, moved.status, copied.status]).toEqual([201, 404, 404]);
  expect((await tilesOf(app, mine)).map(({ insight }) => insight?.name)).toEqual(['Signups']);
  expect(await tilesOf(app, id)).toHaveLength(2);
});
