import { expect, test } from 'vitest';
import {
  ALL_EVENTS,
  changesFromText,
  changesToText,
  columnLabel,
  eventsQueryOf,
  exploreLink,
  expressionOf,
  PERSON_COLUMN,
  propertyColumn,
  sentQuery,
} from './events-query.ts';

const AMOUNT = { type: 'event' as const, key: 'amount', operator: 'gte', value: '1000' };

test('a stored list of events of PostHog is read with its columns, events and dates', () => {
  const source = {
    kind: 'EventsQuery',
    select: ['*', 'event', 'person', 'timestamp'],
    event: 'invoice paid',
    properties: [AMOUNT],
    after: '-7d',
  };
  expect(eventsQueryOf({ kind: 'DataTableNode', source })).toEqual({
    ...ALL_EVENTS,
    select: ['event', PERSON_COLUMN, 'timestamp'],
    events: ['invoice paid'],
    properties: [AMOUNT],
    after: '-7d',
  });
});

test('what adds events up, and what lists something else, is not read', () => {
  expect(eventsQueryOf({ kind: 'EventsQuery', select: ['event', 'count()'] })).toBeNull();
  expect(eventsQueryOf({ kind: 'HogQLQuery', query: 'SELECT 1' })).toBeNull();
  expect(eventsQueryOf(null)).toBeNull();
});

test('fields of another form than a query has are left out', () => {
  const odd = {
    kind: 'EventsQuery',
    select: ['event'],
    events: 'x',
    properties: 'y',
    orderBy: [1],
    after: 3,
  };
  expect(eventsQueryOf(odd)).toEqual({ ...ALL_EVENTS, select: ['event'] });
  expect(changesFromText('{"events":[1],"after":"-1d"}', ALL_EVENTS)).toEqual({
    ...ALL_EVENTS,
    after: '-1d',
  });
  for (const text of ['', 'x', '3', 'null', undefined]) expect(changesFromText(text, ALL_EVENTS)).toBeNull();
});

test('an address holds what differs from the saved view, also that something was removed', () => {
  const saved = { ...ALL_EVENTS, events: ['a'], before: '2026-11-02', properties: [AMOUNT] };
  const now = { ...saved, events: [], before: null };
  const text = changesToText(now, saved);
  expect(text).toBe('{"events":[],"before":null}');
  expect(changesFromText(text, saved)).toEqual(now);
  expect(changesToText(saved, saved)).toBeUndefined();
});

test('a query is sent without what is empty', () => {
  expect(sentQuery({ ...ALL_EVENTS, events: ['a'] })).toEqual({
    kind: 'EventsQuery',
    select: ALL_EVENTS.select,
    events: ['a'],
    after: '-30d',
    orderBy: ['timestamp DESC'],
  });
});

test('a link has only what is not the usual', () => {
  expect(exploreLink(7, {})).toEqual({ name: 'explore', params: { projectId: 7 } });
  expect(exploreLink(7, { events: ['a'] })).toEqual({
    name: 'explore',
    params: { projectId: 7 },
    query: { q: '{"events":["a"]}' },
  });
});

test('a column is called by its label, else by its property, whatever that is named', () => {
  expect(columnLabel('properties.$lib -- Library')).toBe('Library');
  expect(columnLabel('timestamp')).toBe('Time');
  for (const name of ['plan', '$geoip_city_name', 'discount code', 'a`b\\c']) {
    expect(columnLabel(propertyColumn('event', name))).toBe(name);
    expect(columnLabel(propertyColumn('person', name))).toBe(name);
  }
  expect(columnLabel('upper(event)')).toBe('upper(event)');
  expect(expressionOf('upper(event) -- Big')).toBe('upper(event)');
});
