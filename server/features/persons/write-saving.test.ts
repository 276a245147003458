import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourcesOf, sourcesText, type PersonState, type Properties } from './person-state.ts';
import { createWrittenNames, initialName, isWorthWriting, PERSON_PROPERTIES } from './write-saving.ts';

const names = [...PERSON_PROPERTIES, ...PERSON_PROPERTIES.map(initialName), 'plan', '__proto__'];
const properties = fc.dictionary(
  fc.constantFrom(...names),
  fc.constantFrom<unknown>(null, 'Chrome', 'Safari', 3, ''),
  { noNullPrototype: false },
);
const change = fc.record({
  set: fc.option(properties),
  setOnce: fc.option(properties),
  unset: fc.constantFrom(null, ['plan']),
});

function personWith(id: number, has: Properties): PersonState {
  return {
    projectId: 1,
    id,
    uuid: '',
    createdAt: 0,
    properties: has,
    sources: {},
    size: 0,
    isIdentified: false,
    distinctIds: null,
  };
}

test('an event that says nothing new by the noted names is never worth writing', () => {
  const event = fc.constantFrom('$pageview', '$identify', '$set', 'signed up');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), properties, change, event, (id, has, update, name) => {
      const written = createWrittenNames();
      written.note(personWith(id, has));
      if (written.sayNothingNew(id, name, update)) expect(isWorthWriting(name, has, update)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('a page view of a browser that was seen before says nothing new, whatever its page and its size', () => {
  const written = createWrittenNames();
  const set = { $browser: 'Chrome', $current_url: '/', $viewport_width: 800, utm_source: null };
  const setOnce = { $initial_browser: 'Chrome', $initial_current_url: '/' };
  written.note(personWith(7, { ...set, ...setOnce }));
  const again = {
    set: { ...set, $current_url: '/pricing', $viewport_width: 900 },
    setOnce: { ...setOnce, $initial_current_url: '/pricing' },
    unset: null,
  };
  expect(written.sayNothingNew(7, '$pageview', again)).toBe(true);
  expect(written.sayNothingNew(8, '$pageview', again)).toBe(false);
  expect(written.sayNothingNew(7, '$pageview', { ...again, set: { ...again.set, utm_source: 'mail' } })).toBe(
    false,
  );
  expect(written.sayNothingNew(7, '$pageview', { ...again, set: { ...again.set, $os: 'Linux' } })).toBe(
    false,
  );
  written.forget(7);
  expect(written.sayNothingNew(7, '$pageview', again)).toBe(false);
});

test('what set a property is stored and read again, also as versions before stored it', () => {
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
