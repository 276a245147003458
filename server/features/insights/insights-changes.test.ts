import { describe, expect, test } from 'vitest';
import { makeDashboard, postDashboard } from '../../../test/support/dashboards.ts';
import {
  INSIGHTS,
  insightAt,
  patchInsight,
  postInsight,
  SIGNUPS,
  storeInsight,
} from '../../../test/support/insights.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

describe('M9.9.2 old filters', () => {
  const filters = {
    insight: 'TRENDS',
    events: [{ id: 'signup', type: 'events' }],
    date_from: '-30d',
    display: 'ActionsBar',
  };

  test('are returned, and become the query of the same meaning', async () => {
    const app = await openTestApp();
    const { json } = await postInsight(app, { name: 'Old', filters });
    expect(json).toMatchObject({
      filters,
      query: {
        kind: 'InsightVizNode',
        source: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode', event: 'signup' }],
          dateRange: { date_from: '-30d' },
          trendsFilter: { display: 'ActionsBar' },
        },
      },
    });
  });

  test('follow a change of either form', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app, { filters });
    const retention = { insight: 'RETENTION', period: 'Week' };
    expect((await patchInsight(app, id, { filters: retention })).json).toMatchObject({
      filters: retention,
      query: { source: { kind: 'RetentionQuery' } },
    });
    expect((await patchInsight(app, id, { query: SIGNUPS })).json).toMatchObject({
      filters: {},
      query: SIGNUPS,
    });
    expect((await patchInsight(app, id, { filters: {} })).json).toMatchObject({
      filters: {},
      query: SIGNUPS,
    });
    expect((await patchInsight(app, id, { query: null })).json).toMatchObject({ filters: {}, query: null });
  });

  test('without a meaning are stored unchanged', async () => {
    const app = await openTestApp();
    expect((await postInsight(app, { filters: { insight: 'SESSIONS' } })).json).toMatchObject({
      filters: { insight: 'SESSIONS' },
      query: null,
    });
  });
});

describe('M9.6 a change', () => {
  test('changes sent fields only; PUT too', async () => {
    const app = await openTestApp();
    const made = (await postInsight(app, { name: 'Signups', query: SIGNUPS, tags: ['a'] })).json;
    const answer = await patchInsight(app, made.short_id, {
      favorited: true,
      created_by: 7,
      short_id: 'other',
    });
    expect(answer).toMatchObject({ status: 200, json: { ...made, favorited: true } });
    const put = await app.ask(insightAt(1), { method: 'PUT', body: { tags: [] } });
    expect(put.json).toEqual({ ...made, favorited: true, tags: [] });
  });

  test('of content sets the last modification, of other fields it does not', async () => {
    const app = await openTestApp();
    const made = (await postInsight(app, { name: 'Signups' })).json;
    app.clock.now += 60_000;
    const later = '2026-11-20T09:31:00.000000Z';
    for (const body of [{ favorited: true }, { tags: ['a'] }, { saved: true }, { name: 'Signups' }]) {
      expect((await patchInsight(app, 1, body)).json).toMatchObject({
        last_modified_at: made.last_modified_at,
        updated_at: later,
      });
    }
    expect((await patchInsight(app, 1, { description: 'More' })).json.last_modified_at).toBe(later);
  });

  test('turns a sample into an ordinary insight', async () => {
    const app = await openTestApp();
    const board = (await postDashboard(app, { use_template: 'DEFAULT_APP' })).json;
    const { id } = board.tiles[0].insight;
    expect((await app.ask(insightAt(id))).json).toMatchObject({ is_sample: true, created_by: null });
    expect((await patchInsight(app, id, {})).json).toMatchObject({ is_sample: false, created_by: null });
  });

  test('to deleted hides it, and only restoring shows it again', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app, { name: 'Signups', query: SIGNUPS });
    expect(await patchInsight(app, id, { deleted: true })).toMatchObject({
      status: 200,
      json: { deleted: true },
    });
    expect((await app.ask(insightAt(id))).status).toBe(404);
    expect((await app.ask(INSIGHTS)).json.count).toBe(0);
    for (const body of [{ name: 'a' }, { deleted: true }, { name: ['wrong'] }]) {
      expect((await patchInsight(app, id, body)).status).toBe(404);
    }
    expect((await patchInsight(app, id, { deleted: 'false' })).json).toMatchObject({
      deleted: false,
      query: SIGNUPS,
    });
    expect((await app.ask(INSIGHTS)).json.count).toBe(1);
  });

  test('is logged with the values before and after', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app, { name: 'Signups', query: SIGNUPS });
    const board = await makeDashboard(app);
    await patchInsight(app, id, { name: 'Sign-ups', dashboards: [board] });
    await patchInsight(app, id, { name: 'Sign-ups' });
    await patchInsight(app, id, { deleted: true });
    await patchInsight(app, id, { deleted: false });
    const log = (await app.ask(`${insightAt(id)}activity/`)).json.results;
    expect(log.map((entry: { activity: string }) => entry.activity)).toEqual([
      'restored',
      'deleted',
      'updated',
      'created',
    ]);
    expect(log[2].detail).toMatchObject({ name: 'Sign-ups', short_id: expect.any(String) });
    expect(log[2].detail.changes).toEqual([
      { type: 'Insight', action: 'changed', field: 'name', before: 'Signups', after: 'Sign-ups' },
      { type: 'Insight', action: 'changed', field: 'dashboards', before: [], after: [board] },
    ]);
  });

  test('is never a DELETE', async () => {
    const app = await openTestApp();
    expect(await app.ask(insightAt(7), { method: 'DELETE', key: null })).toMatchObject({
      status: 405,
      text: '',
    });
  });
});
