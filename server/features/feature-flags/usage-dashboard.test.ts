import { describe, expect, test } from 'vitest';
import { createFlag, FLAGS, patchFlag, postFlag } from '../../../test/support/app-flags.ts';
import { createKey } from '../../../test/support/owner-calls.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

const DASHBOARDS = '/api/projects/1/dashboards/';

describe('M9.1/_should_create_usage_dashboard a new flag', () => {
  test('has a dashboard of its calls', async () => {
    const app = await openTestApp();
    const flag = (await postFlag(app, { key: 'new-nav' })).json;
    const { json } = await app.ask(`${DASHBOARDS}${flag.usage_dashboard}/`);
    expect(json).toMatchObject({
      name: 'Generated Dashboard: new-nav Usage',
      creation_mode: 'template',
      created_by: { id: 1 },
      deleted: false,
    });
    const sources = json.tiles.map(({ insight }: any) => insight.query.source);
    expect(sources).toHaveLength(2);
    for (const source of sources) {
      expect(source.series[0]).toMatchObject({
        event: '$feature_flag_called',
        properties: [{ key: '$feature_flag', value: ['new-nav'] }],
      });
      expect(source.breakdownFilter.breakdown).toBe('$feature_flag_response');
    }
  });

  test('renames its dashboard when its key changes, except the parts that were edited', async () => {
    const app = await openTestApp();
    const { id, usage_dashboard } = (await postFlag(app, { key: 'old' })).json;
    const path = `${DASHBOARDS}${usage_dashboard}/`;
    await patchFlag(app, id, { key: 'new' });
    const renamed = (await app.ask(path)).json;
    expect(renamed.name).toBe('Generated Dashboard: new Usage');
    const filters = renamed.tiles.map(
      ({ insight }: any) => insight.query.source.series[0].properties[0].value,
    );
    expect(filters).toEqual([['new'], ['new']]);
    await app.ask(path, { method: 'PATCH', body: { name: 'Navigation' } });
    await patchFlag(app, id, { key: 'newer' });
    expect((await app.ask(path)).json.name).toBe('Navigation');
    await app.ask(path, { method: 'PATCH', body: { deleted: true } });
    expect((await patchFlag(app, id, { key: 'newest' })).json.key).toBe('newest');
  });

  test('has none when it is not requested', async () => {
    const app = await openTestApp();
    expect(
      (await createFlag(app, 'a', { _should_create_usage_dashboard: 'false' })).usage_dashboard,
    ).toBeNull();
    expect((await app.ask(DASHBOARDS)).json.count).toBe(0);
  });

  test('has it also with a key that may only write flags, and ignores its number in the body', async () => {
    const app = await openTestApp();
    const key = await createKey(app, ['feature_flag:write']);
    const body = { key: 'a', usage_dashboard: 99 };
    const flag = (await app.ask(FLAGS, { method: 'POST', key, body })).json;
    expect((await app.ask(`${DASHBOARDS}${flag.usage_dashboard}/`)).status).toBe(200);
  });
});
