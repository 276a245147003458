import { describe, expect, test } from 'vitest';
import { EVENTS, iso, list, send, settle } from '../../../test/support/app-events.ts';
import { encoded, names, openWithFour } from '../../../test/support/four-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { personUuid } from '../persons/person-uuid.ts';

describe('M7.1 person_id', () => {
  async function openWithMerged(): Promise<{ app: TestApp; idOf(distinctId: string): Promise<number> }> {
    const app = await openTestApp();
    await send(app, [
      { event: 'a', distinct_id: 'anon', timestamp: iso(1) },
      { event: 'b', distinct_id: 'lin', timestamp: iso(2) },
      { event: 'x', distinct_id: 'other', timestamp: iso(3) },
      {
        event: 'p',
        distinct_id: 'nobody',
        timestamp: iso(4),
        properties: { $process_person_profile: false },
      },
    ]);
    const idOf = async (distinctId: string): Promise<number> => {
      const row = await app.store.db.first<{ id: number }>(
        'SELECT person_id AS id FROM person_distinct_ids WHERE distinct_id = $distinctId',
        { distinctId },
      );
      return row!.id;
    };
    return { app, idOf };
  }

  test('M7.1/person_id an integer or a UUID', async () => {
    const { app, idOf } = await openWithMerged();
    expect(await names(app, `person_id=${await idOf('lin')}`)).toBe('b');
    expect(await names(app, `person_id=${personUuid(1, 'lin')}`)).toBe('b');
    expect(await names(app, `person_id=${personUuid(1, 'lin').toUpperCase()}`)).toBe('b');
  });

  test('M7.1/person_id follows merges immediately, in both directions', async () => {
    const { app, idOf } = await openWithMerged();
    const old = await idOf('anon');
    const merge = { $anon_distinct_id: 'anon' };
    await send(app, [{ event: '$identify', distinct_id: 'lin', timestamp: iso(5), properties: merge }]);
    for (const person of [old, await idOf('lin'), personUuid(1, 'anon'), personUuid(1, 'lin')]) {
      expect(await names(app, `person_id=${person}`)).toBe('$identifyba');
    }
    await settle(app);
    expect(await names(app, `person_id=${old}&limit=1`)).toBe('$identifyba');
  });

  test('M7.1/person_id a placeholder is found by its UUID, and shows no person', async () => {
    const { app } = await openWithMerged();
    const { results } = await list(app, `?person_id=${personUuid(1, 'nobody')}`);
    expect(results).toMatchObject([{ event: 'p', person: '' }]);
  });

  test.each(['999', '99999999999999', '0190f0c1-2222-7000-8000-0000000000ff', 'lin', `1' OR '1'='1`])(
    'M7.1/person_id %j matches no events',
    async (person) => {
      const { app } = await openWithMerged();
      expect(await names(app, `person_id=${encodeURIComponent(person)}`)).toBe('');
    },
  );
});

describe('M7.1 properties', () => {
  test('M7.1/properties a list of filters, all of which must match; without a type they are on the event', async () => {
    const app = await openWithFour();
    expect(await names(app, encoded('properties', [{ key: 'plan', value: 'pro' }]))).toBe('d');
    expect(await names(app, encoded('properties', [{ key: '$browser', value: 'Firefox' }]))).toBe('da');
    expect(await names(app, encoded('properties', [{ key: 'plan', operator: 'is_not_set' }]))).toBe('ca');
    expect(await names(app, encoded('properties', [{ key: 'seats', operator: 'gt', value: 5 }]))).toBe('da');
    const both = [
      { key: '$browser', value: 'Firefox' },
      { key: 'seats', operator: 'lt', value: '9' },
    ];
    expect(await names(app, encoded('properties', both))).toBe('a');
    expect(await names(app, encoded('properties', []))).toBe('dcba');
  });

  test('M7.1/properties a group', async () => {
    const app = await openWithFour();
    const group = {
      type: 'OR',
      values: [
        {
          type: 'AND',
          values: [
            { key: 'plan', value: ['free', 'pro'] },
            { key: 'seats', value: 3 },
          ],
        },
        { key: 'seats', type: 'event', operator: 'between', value: [5, 8] },
      ],
    };
    expect(await names(app, encoded('properties', group))).toBe('ba');
  });

  test('M7.1/properties sent several times, and kept in next', async () => {
    const app = await openWithFour();
    const firefox = [{ key: '$browser', value: 'firefox' }];
    const search = encoded('properties', firefox, { key: 'seats', operator: 'is_set' });
    expect(await names(app, `${search}&limit=1`)).toBe('da');
    expect(await names(app, `${encoded('properties', firefox, [{ key: 'plan', value: 'pro' }])}`)).toBe('d');
  });

  test('M7.1/properties of the current person, also after a merge', async () => {
    const app = await openTestApp();
    await send(app, [
      { event: 'a', distinct_id: 'anon', timestamp: iso(1) },
      { event: 'x', distinct_id: 'other', timestamp: iso(2) },
      { event: 'p', distinct_id: 'no', timestamp: iso(3), properties: { $process_person_profile: false } },
    ]);
    await settle(app);
    const identify = { $anon_distinct_id: 'anon', $set: { plan: 'Pro', since: '2026-03-04T10:00:00Z' } };
    await send(app, [{ event: 'i', distinct_id: 'lin', timestamp: iso(4) }]);
    await send(app, [{ event: '$identify', distinct_id: 'lin', timestamp: iso(5), properties: identify }]);
    const person = (filter: object): string => encoded('properties', [{ type: 'person', ...filter }]);
    expect(await names(app, person({ key: 'plan', value: 'pro' }))).toBe('$identifyia');
    expect(await names(app, person({ key: 'plan', operator: 'is_not', value: 'pro' }))).toBe('px');
    expect(await names(app, person({ key: 'plan', operator: 'is_not_set' }))).toBe('px');
    expect(await names(app, person({ key: 'since', operator: 'is_date_before', value: '2026-03-05' }))).toBe(
      '$identifyia',
    );
  });

  test('M7.1/properties of a group, whose dates are compared as dates', async () => {
    const app = await openTestApp();
    const groups = { $groups: { company: 'acme' } };
    const acme = {
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { since: '2026-03-04T23:00:00-05:00' },
    };
    await send(app, [
      { event: '$groupidentify', timestamp: iso(1), properties: acme },
      { event: 'a', timestamp: iso(2), properties: groups },
      { event: 'b', timestamp: iso(3) },
    ]);
    const group = (filter: object): string =>
      `event=a&${encoded('properties', [{ type: 'group', group_type_index: 0, key: 'since', ...filter }])}`;
    expect(await names(app, group({ operator: 'is_date_exact', value: '2026-03-05' }))).toBe('a');
    expect(await names(app, group({ operator: 'gt', value: '2026-03-05T03:00:00Z' }))).toBe('a');
    // After a day means after its first moment, as in flags.
    expect(await names(app, group({ operator: 'is_date_after', value: '2026-03-05' }))).toBe('a');
    expect(await names(app, group({ operator: 'is_date_after', value: '2026-03-06' }))).toBe('');
    const key = { type: 'group', group_type_index: 0, key: '$group_key' };
    expect(await names(app, encoded('properties', [{ ...key, value: 'Acme' }]))).toBe('a');
    expect(await names(app, encoded('properties', [{ ...key, operator: 'is_not', value: 'acme' }]))).toBe(
      'b$groupidentify',
    );
  });

  test('M7.1/properties of the element that was clicked', async () => {
    const app = await openTestApp();
    const $elements = [{ tag_name: 'button', $el_text: 'Buy now' }, { tag_name: 'form' }];
    await send(app, [
      { event: 'a', timestamp: iso(1), properties: { $elements } },
      { event: 'b', timestamp: iso(2) },
    ]);
    const element = (filter: object): string => encoded('properties', [{ type: 'element', ...filter }]);
    expect(await names(app, element({ key: 'text', operator: 'icontains', value: 'BUY' }))).toBe('a');
    expect(await names(app, element({ key: 'tag_name', value: ['form'] }))).toBe('a');
    expect(await names(app, element({ key: 'text', operator: 'is_not', value: 'Buy now' }))).toBe('b');
  });

  test.each([
    ['M7.1/properties what is not JSON', 'properties=%7B', null],
    [
      'M7.1/properties an unknown operator',
      encoded('properties', [{ key: 'a', value: 1, operator: 'x' }]),
      'properties__0__operator',
    ],
    [
      'M7.1/properties a bad pattern',
      encoded('properties', [{ key: 'a', value: '(', operator: 'regex' }]),
      'properties',
    ],
    [
      'M7.1/properties a cohort that is not there',
      encoded('properties', [{ key: 'id', value: 1, type: 'cohort' }]),
      'properties',
    ],
    ['M7.1/properties HogQL', encoded('properties', [{ key: '1', type: 'hogql' }]), 'properties'],
  ])('%s is refused', async (_, search, attr) => {
    const { ask } = await openTestApp();
    expect(await ask(`${EVENTS}?${search}`)).toMatchObject({
      status: 400,
      json: { type: 'validation_error', attr },
    });
  });
});
