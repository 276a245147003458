import { expect, test } from 'vitest';
import { actorOf, actorNounOf } from './actors.ts';

const PERSON = { type: 'person', id: 'p1', name: 'lin@local.test' } as const;

test('a person is linked by its id and called by its name', () => {
  expect(actorOf([PERSON], 7)).toEqual({
    key: 'p1',
    noun: 'person',
    name: 'lin@local.test',
    detail: '',
    properties: {},
    to: { name: 'person', params: { projectId: 7, personId: 'p1' } },
  });
  const properties = { name: 'Lin Ota', email: 'lin@local.test' };
  expect(actorOf([{ ...PERSON, properties }], 7)).toMatchObject({
    name: 'Lin Ota',
    detail: 'lin@local.test',
  });
});

test('a person without a name is called by a distinct ID rather than by its own', () => {
  const nameless = { type: 'person' as const, id: 'p1', name: 'p1', distinct_ids: ['u_48213'] };
  expect(actorOf([nameless], 7)).toMatchObject({ name: 'u_48213', detail: '' });
});

test('a session is linked to its page and shows whose it is', () => {
  expect(actorOf([{ type: 'session', id: 's1', session_id: 's1' }, PERSON], 7)).toEqual({
    key: 's1 p1',
    noun: 'session',
    name: 's1',
    detail: 'lin@local.test',
    properties: {},
    to: { name: 'session', params: { projectId: 7, sessionId: 's1' } },
  });
});

test('a group is called by its name and linked, one that was never identified by its key, without a link', () => {
  const acme = { type: 'group', id: 'acme', group_key: 'acme', group_type_index: 0 } as const;
  expect(actorOf([{ ...acme, properties: { name: 'Acme Inc.' } }], 7)).toEqual({
    key: 'acme',
    noun: 'group',
    name: 'Acme Inc.',
    detail: '',
    properties: { name: 'Acme Inc.' },
    to: { name: 'group', params: { projectId: 7, typeIndex: 0, groupKey: 'acme' } },
  });
  const zoo = { key: 'zoo', noun: 'group', name: 'zoo', detail: '', properties: {}, to: null };
  expect(actorOf([{ id: 'zoo', group_type_index: 0 }], 7)).toEqual(zoo);
});

test('the noun of a point follows what its query counts', () => {
  const funnel = (more: object) =>
    actorNounOf({ kind: 'FunnelsActorsQuery', source: { kind: 'FunnelsQuery', ...more } });
  const bySession = { funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' } };
  expect(funnel({})).toBe('person');
  expect(funnel(bySession)).toBe('session');
  expect(funnel({ funnelsFilter: { funnelAggregateByHogQL: 'person_id' } })).toBe('person');
  expect(funnel({ ...bySession, aggregation_group_type_index: 0 })).toBe('group');
  const series = [
    { kind: 'EventsNode', math: 'unique_group', math_group_type_index: 0 },
    { kind: 'EventsNode', math: 'total', math_group_type_index: 0 },
    { kind: 'EventsNode' },
  ];
  const trend = (place: number) =>
    actorNounOf({ kind: 'InsightActorsQuery', series: place, source: { kind: 'TrendsQuery', series } });
  expect([0, 1, 2].map(trend)).toEqual(['group', 'person', 'person']);
});
