import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  drop,
  ENVELOPE,
  type Item,
  NEW_ID,
  normalize,
  NOW,
  stored,
  UUID,
} from '../../../test/support/normalize-item.ts';
import { ApiError } from '../../errors.ts';
import { textOfJson } from '../../warehouse/duckdb/json-slice.ts';
import { type DroppedEvent, normalizeEvent } from './normalize.ts';

describe('3.4 events that are answered 200 and not stored', () => {
  const lib = { $lib: 'web', $lib_version: '1' };
  test.each<[string, Item, DroppedEvent['reason']]>([
    ['no name', { distinct_id: 'u' }, 'missing_event_name'],
    ['a null name', { event: null, distinct_id: 'u' }, 'missing_event_name'],
    ['an empty name', { event: '', distinct_id: 'u' }, 'missing_event_name'],
    ['a blank name', { event: ' \t', distinct_id: 'u' }, 'missing_event_name'],
    ['a name that is a number', { event: 12, distinct_id: 'u' }, 'missing_event_name'],
    ['neither name nor id', {}, 'missing_event_name'],
    ['no id', { event: 'a' }, 'missing_distinct_id'],
    ['an empty id', { event: 'a', distinct_id: '' }, 'empty_distinct_id'],
    ['a blank id', { event: 'a', distinct_id: ' \n' }, 'empty_distinct_id'],
    ['a null id', { event: 'a', $distinct_id: null }, 'empty_distinct_id'],
    ['an id that is an empty array', { event: 'a', distinct_id: [] }, 'empty_distinct_id'],
    ['an id that is an empty object', { event: 'a', distinct_id: {} }, 'empty_distinct_id'],
    ['only empty ids', { event: 'a', distinct_id: '', $distinct_id: {} }, 'empty_distinct_id'],
    ['the name $performance_event', { event: '$performance_event', distinct_id: 'u' }, 'performance_event'],
  ])('%s', (_, item, reason) => {
    expect(drop({ ...item, properties: lib })).toEqual({
      reason,
      event: typeof item.event === 'string' ? item.event : '',
      lib: 'web',
      libVersion: '1',
    });
  });
  test('an empty id in the properties counts as an empty id', () => {
    expect(drop({ event: 'a', properties: { distinct_id: '' } })?.reason).toBe('empty_distinct_id');
  });
  test('$$heatmap, $exception and unknown $ events are ordinary events', () => {
    for (const event of ['$$heatmap', '$exception', '$$client_ingestion_warning', '$x']) {
      expect(stored({ event }).event).toBe(event);
    }
  });
});

describe('1.7 errors that make the whole request malformed', () => {
  test.each<[string, Item]>([
    ['properties that are a list', { properties: [] }],
    ['properties that are text', { properties: '{}' }],
    ['properties that are a number', { properties: 0 }],
    ['a uuid that is none', { uuid: 'abc' }],
    ['a uuid that is a number', { uuid: 1 }],
    ['an offset that is text', { offset: '1' }],
    ['an offset with a fraction', { offset: 1.5 }],
    ['a bad uuid even without a name', { event: '', uuid: 'abc' }],
  ])('%s', (_, item) => {
    expect(() => normalize({ event: 'a', distinct_id: 'u', ...item })).toThrow(
      expect.objectContaining({ status: 400, row: expect.objectContaining({ code: 'invalid_payload' }) }),
    );
  });
  test.each(['properties', 'distinct_id', '$set'])('%s nested too deep', (field) => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const item = JSON.parse(`{"event":"a","distinct_id":"u","${field}":${deep}}`) as Item;
    expect(() =>
      normalizeEvent(item, ENVELOPE, {
        projectId: 1,
        now: NOW,
        clientIp: '',
        anonymizesIps: false,
        source: '/batch',
        lookup: () => null,
        newId: () => NEW_ID,
      }),
    ).toThrow(ApiError);
  });
  test('elements nested too deep are accepted', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const item = JSON.parse(
      `{"event":"a","distinct_id":"u","properties":{"$elements":[{"attr__x":${deep}}]}}`,
    ) as Item;
    const { event } = normalizeEvent(item, ENVELOPE, {
      projectId: 1,
      now: NOW,
      clientIp: '',
      anonymizesIps: false,
      source: '/batch',
      lookup: () => null,
      newId: () => NEW_ID,
    });
    expect(event?.elementsChain).toBe(':attr__x=""nth-child="0"nth-of-type="0"');
  });
});

test('any item is an event, a drop or a malformed request', () => {
  const key = fc.constantFrom(
    'event',
    'distinct_id',
    '$distinct_id',
    'uuid',
    'timestamp',
    'offset',
    'sent_at',
    'properties',
    '$set',
    '$set_once',
    '$unset',
    '$elements',
    '$elements_chain',
    '$ip',
    '$process_person_profile',
    'capture_internal',
    '$lib',
    '$ignore_sent_at',
    '__proto__',
    'toJSON',
    'constructor',
  );
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', UUID, '2026-01-01'));
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 1 }), text, fc.boolean());
  const object = fc.dictionary(
    key,
    fc.oneof(leaf, fc.array(fc.dictionary(key, leaf, { maxKeys: 2 }), { maxLength: 2 })),
  );
  const item = fc
    .tuple(fc.dictionary(key, fc.oneof(leaf, object)), fc.option(text), fc.option(text), fc.option(object))
    .map(([rest, event, id, properties]) => {
      const named = { event: event ?? rest.event, distinct_id: id ?? rest.distinct_id };
      return { ...rest, ...named, properties: properties ?? rest.properties } as Item;
    });
  const seen = new Set<string>();
  fc.assert(
    fc.property(item, fc.string({ unit: 'binary' }), fc.option(fc.integer()), (sent, clientIp, sentAt) => {
      try {
        const { event, dropped } = normalize(sent, { sentAt }, clientIp);
        seen.add(dropped?.reason ?? 'stored');
        if (event === undefined) return;
        expect(event.uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        expect(event.event.trim()).not.toBe('');
        expect(event.distinctId.trim()).not.toBe('');
        expect(Number.isInteger(event.timestamp)).toBe(true);
        for (const column of [
          event.event,
          event.distinctId,
          textOfJson(event.properties),
          event.elementsChain ?? '',
          event.lib,
        ]) {
          expect(column.isWellFormed()).toBe(true);
        }
        expect([...event.event].length).toBeLessThanOrEqual(200);
        expect([...event.distinctId].length).toBeLessThanOrEqual(200);
        expect(JSON.parse(textOfJson(event.properties))).toBeTypeOf('object');
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        expect(error.row.code).toBe('invalid_payload');
        seen.add('refused');
      }
    }),
    { numRuns: 1000 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['stored', 'refused', 'missing_event_name', 'empty_distinct_id']),
  );
});
