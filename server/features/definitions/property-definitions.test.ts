import { describe, expect, test } from 'vitest';
import {
  capture,
  idOf,
  json,
  listProperties,
  namesOf,
  PROPERTIES,
} from '../../../test/support/app-definitions.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { propertyDefinition } from './definitions.contract.ts';

describe('GET property_definitions/', () => {
  async function openWithProperties(): Promise<TestApp> {
    const app = await openTestApp();
    await capture(
      app,
      { event: 'signup', properties: { plan: 'free', utm_source: 'mail', '$feature/beta': true } },
      { event: 'order', properties: { Plan_price: 9.5, plan: 'team', $browser: 'Firefox' } },
    );
    return app;
  }

  test.each([
    ['', ['$browser', '$feature/beta', '$ip', 'Plan_price', 'plan', 'utm_source']],
    ['search=PLAN', ['plan', 'Plan_price']],
    ['properties=plan,$browser', ['$browser', 'plan']],
    [
      `excluded_properties=${json(['plan', '$ip'])}`,
      ['$browser', '$feature/beta', 'Plan_price', 'utm_source'],
    ],
    ['exclude_core_properties=true', ['Plan_price', 'plan']],
    ['is_feature_flag=true', ['$feature/beta']],
    ['is_feature_flag=false&exclude_core_properties=1', ['Plan_price', 'plan']],
    ['is_numerical=true', ['Plan_price']],
    ['is_numerical=false&exclude_core_properties=1', ['plan']],
    [`event_names=${json(['order'])}&filter_by_event_names=true`, ['$browser', '$ip', 'Plan_price', 'plan']],
    [
      `event_names=${json(['order', 'signup'])}&filter_by_event_names=true&search=plan`,
      ['plan', 'Plan_price'],
    ],
    [`event_names=${json(['order'])}&properties=utm_source,plan`, ['plan', 'utm_source']],
    ['type=person', ['$browser', '$initial_browser', '$initial_utm_source', 'utm_source']],
  ])('with %s returns %j', async (query, wanted) => {
    const app = await openWithProperties();
    expect(namesOf(await listProperties(app, query))).toEqual(wanted);
  });

  test('marks those seen on the requested events', async () => {
    const app = await openWithProperties();
    const list = await listProperties(app, `event_names=${json(['signup'])}&exclude_core_properties=1`);
    expect(list.map(({ name, is_seen_on_filtered_events: isSeen }) => [name, isSeen])).toEqual([
      ['plan', true],
      ['Plan_price', false],
    ]);
  });

  test('returns for each event whether it has had a property', async () => {
    const app = await openWithProperties();
    const names = json(['signup', 'order', 'never']);
    const together = (property: string) =>
      app.ask(`${PROPERTIES}seen_together/?event_names=${names}&property_name=${property}`);
    expect((await together('utm_source')).json).toEqual({ signup: true, order: false, never: false });
    expect((await together('plan')).json).toEqual({ signup: true, order: true, never: false });
    expect((await together('nothing')).json).toEqual({ signup: false, order: false, never: false });
    expect(await app.ask(`${PROPERTIES}seen_together/?property_name=x`)).toMatchObject({
      status: 400,
      json: { code: 'required', attr: 'event_names' },
    });
  });

  test.each([
    ['type=people', 'invalid_choice', 'type'],
    ['type=group', 'required', 'group_type_index'],
    ['type=group&group_type_index=5', 'invalid_input', 'group_type_index'],
    ['group_type_index=0', 'invalid_input', 'group_type_index'],
    ['event_names=signup', 'invalid_input', 'event_names'],
    ['excluded_properties={}', 'invalid_input', 'excluded_properties'],
  ])('with %s is refused', async (query, code, attr) => {
    const app = await openTestApp();
    expect(await app.ask(`${PROPERTIES}?${query}`)).toMatchObject({ status: 400, json: { code, attr } });
  });
});

describe('a single property definition', () => {
  test('is described, verified, hidden and typed; null restores its detected type', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a', properties: { x: 1 } });
    const id = await idOf(app, PROPERTIES, 'x');
    const change = async (body: object) => {
      app.clock.now += 1_000;
      const answer = await app.ask(`${PROPERTIES}${id}/`, { method: 'PATCH', body });
      expect(answer.status).toBe(200);
      return propertyDefinition.parse(answer.json);
    };
    expect(await change({ description: 'How many', tags: ['Count'], verified: true })).toMatchObject({
      description: 'How many',
      tags: ['count'],
      verified: true,
      verified_at: '2026-11-20T09:30:01.000000Z',
      updated_by: null,
      verified_by: null,
    });
    expect(await change({ hidden: true })).toMatchObject({
      hidden: true,
      verified: false,
      description: 'How many',
    });
    expect(await change({ property_type: 'Duration' })).toMatchObject({
      property_type: 'Duration',
      is_numerical: false,
    });
    await capture(app, { event: 'a', properties: { x: 'text' } });
    expect((await app.ask(`${PROPERTIES}${id}/`)).json).toMatchObject({ property_type: 'Duration' });
    expect(await change({ property_type: null })).toMatchObject({ property_type: 'String' });
    expect(
      await app.ask(`${PROPERTIES}${id}/`, { method: 'PATCH', body: { property_type: 'Text' } }),
    ).toMatchObject({
      status: 400,
      json: { code: 'invalid_choice', attr: 'property_type' },
    });
  });

  test('that is deleted is missing until an event has it again; then it is new', async () => {
    const app = await openTestApp();
    await capture(app, { event: 'a', properties: { x: 1 } });
    await capture(app, { event: 'a', properties: { x: 'text' } });
    const id = await idOf(app, PROPERTIES, 'x');
    expect((await app.ask(`${PROPERTIES}${id}/`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(`${PROPERTIES}${id}/`)).status).toBe(404);
    expect((await app.ask(`${PROPERTIES}${id}/`, { method: 'DELETE' })).status).toBe(404);
    await capture(app, { event: 'a', properties: { x: 1 } });
    const [again] = await listProperties(app, `properties=x&event_names=${json(['a'])}`);
    expect(again).toMatchObject({ property_type: 'Numeric', is_seen_on_filtered_events: true });
    expect(again!.id).not.toBe(id);
  });
});
