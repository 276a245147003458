import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { openEnvelope, type JsonObject } from '../capture/envelope.ts';
import { normalizeEvent } from '../capture/normalize.ts';
import { forEachPersonValue, withDerived } from '../capture/person-properties.ts';
import { readUsualJson } from '../capture/fast/usual-json.ts';
import { sourcesOf, sourcesText, type Properties } from './person-state.ts';
import { createWrittenNames, initialName, isWorthWriting, PERSON_PROPERTIES } from './write-saving.ts';

const names = [...PERSON_PROPERTIES, ...PERSON_PROPERTIES.map(initialName), '$is_server', 'plan'];
const values = fc.constantFrom<unknown>(null, 'Chrome', 'Safari', 3, '', true, ['x']);
const properties = fc.dictionary(fc.constantFrom(...names), values, { noNullPrototype: true });
const derivable = fc.dictionary(fc.constantFrom(...PERSON_PROPERTIES, '$is_server'), values, {
  noNullPrototype: true,
});

/** What follows from an event with these properties, by the bytes of a request. */
function derivedFrom(event: string, sent: Properties): EventRow {
  const bytes = Buffer.from(
    JSON.stringify({
      api_key: 'phc_x',
      event,
      distinct_id: 'ann',
      properties: { ...sent, $process_person_profile: true, page: 1 },
    }),
  );
  const envelope = openEnvelope({ json: readUsualJson(bytes), form: {} }, { kind: 'capture', search: '' });
  const context = {
    projectId: 1,
    now: 0,
    clientIp: '',
    anonymizesIps: false,
    source: '/capture/',
    lookup: () => null,
    newId: () => 'id',
  };
  return normalizeEvent(envelope.items[0] as JsonObject, envelope, context).event!;
}

test('person updates derived from raw properties equal those derived from parsed ones', () => {
  const event = fc.constantFrom('$pageview', '$set', '$exception', 'signed up');
  fc.assert(
    fc.property(derivable, event, (sent, name) => {
      const from = { event: name, isAnonymous: false, location: null };
      const expected = withDerived(null, { ...from, forEachValue: (take) => forEachPersonValue(sent, take) });
      expect(derivedFrom(name, sent).derived?.joinedWith(null) ?? null).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('an event without new values is never written', () => {
  const event = fc.constantFrom('$pageview', '$identify', '$set', 'signed up');
  let skipped = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), properties, derivable, event, (id, has, sent, name) => {
      const written = createWrittenNames();
      // As after an event of the same names, in half of the runs.
      const before = id % 2 === 0 ? { ...has, ...afterOne(sent) } : has;
      written.note({ id, properties: before });
      const { derived } = derivedFrom(name, sent);
      if (derived === null || !written.sayNothingNew(id, name, derived)) return;
      skipped++;
      const update = derived.joinedWith(null);
      expect(update !== null && isWorthWriting(name, before, update)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
  expect(skipped).toBeGreaterThan(20);
});

/** What a person has after an event with these properties and other values. */
function afterOne(sent: Properties): Properties {
  const other = Object.keys(sent).map((name) => [name, sent[name] === null ? null : 'Opera'] as const);
  const once = other.filter(([, value]) => value !== null).map(([name, value]) => [initialName(name), value]);
  return { ...Object.fromEntries(other), ...(Object.fromEntries(once) as Properties) };
}

test('a pageview of a known browser has no new values, for any page and viewport', () => {
  const written = createWrittenNames();
  const first = { $browser: 'Chrome', $current_url: '/', $viewport_width: 800, utm_source: null };
  const saysNothing = (id: number, more: Properties): boolean =>
    written.sayNothingNew(id, '$pageview', derivedFrom('$pageview', { ...first, ...more }).derived!);
  const { set, setOnce } = derivedFrom('$pageview', first).derived!.joinedWith(null)!;
  written.note({ id: 7, properties: { ...set, ...setOnce } });
  expect(saysNothing(7, { $current_url: '/pricing', $viewport_width: 900 })).toBe(true);
  expect(saysNothing(8, {})).toBe(false);
  expect(saysNothing(7, { utm_source: 'mail' })).toBe(false);
  expect(saysNothing(7, { $os: 'Linux' })).toBe(false);
  written.forget(7);
  expect(saysNothing(7, {})).toBe(false);
});

test('property sources are stored and read back, also in the format of earlier versions', () => {
  const source = fc.record({
    event: fc.string(),
    by: fc.constantFrom('$set' as const, '$set_once' as const),
    at: fc.string(),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), source), (sources) => {
      expect({ ...sourcesOf(sourcesText(sources)) }).toEqual({ ...sources });
      expect({ ...sourcesOf(JSON.stringify(sources)) }).toEqual({ ...sources });
    }),
  );
});
