// @module-tag deep
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flagContext, flagWith } from '../../../test/support/flag-subject.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import {
  createFlagSet,
  evaluateFlag,
  NO_PROPERTIES,
  PROPERTY_OPERATORS,
  type CohortDefinition,
} from '../../conditions/index.ts';
import { timeZone } from '../../lib/time-zone.ts';
import { OPERATORS } from '../../conditions/operators.contract.ts';
import { createCohortBook } from './cohort-book.ts';
import { openConditions } from './cohort-conditions.ts';
import { countMembers, findCohortsOf, listMemberIds, personCondition } from './cohorts.reads.ts';
import { knownOf } from './read-rule.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 30);
const DAY = '2026-03-04';
const TEXTS = [
  '',
  'Free',
  'free',
  'x',
  '.',
  'null',
  'true',
  'TRUE',
  '[1]',
  'Ünï"q\\',
  "it's",
  '$',
  'a\nb',
  '1_000',
  'inf',
  '007',
  '10',
  ' 9 ',
  '+9',
  '.5',
  '5.',
  '1.0',
  '1e1',
  '-3',
  '1e999',
  '0x10',
  'NaN',
  DAY,
  `${DAY}T00:00:00Z`,
  `${DAY}T01:00:00+02:00`,
  `${DAY} 23:59:59.999999`,
  '2026-02-30',
  '1772582400',
  '2026-11-13',
  '2026-11-19T09:30:00Z',
  '2026-09-30',
  '2024-02-29',
  // New York skips 02:30 on the first of these days, and has 01:30 twice on the second.
  '2026-03-08T02:30',
  '2026-03-08 03:30',
  '2026-11-01',
  '2026-11-01T01:30',
  '1999-07-04 12:00',
  '2026-11-20',
  '1.2.3',
  'v1.2.3',
  '1.2',
  '1',
  '1.2.3-beta.2',
  '1.2.3-beta.10',
  '1.2.3-1',
  '1.2.3+build',
  '1.2.4.5',
  '01.02',
  '1.3.0-alpha',
  '2.0.0',
  '0.0.3',
  '0.2.9',
  '1..2',
  '1.2.3-',
  'V2',
  '1.2.3-a..b',
  '99999999999999999999.1.1',
];
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
  { weight: 2, arbitrary: fc.integer({ min: -20, max: 20 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      true,
      false,
      null,
      0.5,
      1.1,
      9,
      10,
      1.2,
      1_772_582_400,
      1_795_132_800,
      [],
      [true],
      ['True', [true]],
      [1, 'x'],
      { k: true },
      {},
      [null],
    ),
  },
);
const KEYS = ['plan', '$plan', 'a.b', 'plan "x"'];
const persons = fc.array(
  fc.dictionary(fc.constantFrom(...KEYS), values, { maxKeys: 3, noNullPrototype: true }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

const scalars = fc.oneof(fc.constantFrom(...TEXTS), fc.integer({ min: -20, max: 20 }), fc.boolean());
const numbers = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom('9', ' 9 ', '+9', '.5', '1e1', 0.5, '007'),
);
const dates = fc.constantFrom(
  DAY,
  `${DAY}T00:00:00Z`,
  `${DAY} 23:59:59.999999`,
  '-7d',
  '1d',
  '3h',
  '-1y',
  '2w',
  '-8m',
  '-0d',
  '2026-11-20',
);
const versions = fc.constantFrom(
  '1.2.3',
  'v1.2.3',
  '1.2',
  '1',
  '1.2.3-beta.2',
  '1.2.3-1',
  '0.0.3',
  '0.2',
  '1.2.4.5',
  '2.0.0',
  'V2',
  '01.02',
);
const wildcards = fc.constantFrom('1.*', '1.2.*', '1.2.3.*', 'v1.*', '0.*', '1.2.3', '1');
const patterns = fc.constantFrom('^free$', '(?i)FREE', '.', '[0-9]+', 'x|true', '', '\\s', '^a.b$', 'null');

const among = (...names: string[]) => fc.constantFrom(...names);
const comparisons = fc.oneof(
  fc.record({
    operator: among('exact', 'is_not'),
    value: fc.oneof(scalars, fc.array(scalars, { maxLength: 3 })),
  }),
  fc.record({
    operator: among(
      'icontains',
      'not_icontains',
      'icontains_multi',
      'not_icontains_multi',
      'starts_with',
      'not_starts_with',
      'ends_with',
      'not_ends_with',
    ),
    value: fc.oneof(scalars, fc.array(scalars, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({ operator: among('regex', 'not_regex'), value: patterns }),
  fc.record({ operator: among('gt', 'gte', 'lt', 'lte'), value: numbers }),
  fc.record({ operator: among('between', 'not_between'), value: fc.tuple(numbers, numbers) }),
  fc.record({ operator: among('is_set', 'is_not_set') }),
  fc.record({ operator: among('is_date_exact', 'is_date_before', 'is_date_after'), value: dates }),
  fc.record({
    operator: among(
      'semver_eq',
      'semver_neq',
      'semver_gt',
      'semver_gte',
      'semver_lt',
      'semver_lte',
      'semver_tilde',
      'semver_caret',
    ),
    value: versions,
  }),
  fc.record({ operator: among('semver_wildcard'), value: wildcards }),
);
const leaf = fc
  .tuple(comparisons, fc.constantFrom(...KEYS), fc.boolean())
  .map(([comparison, key, negation]) => ({ type: 'person', key, negation, ...comparison }));
const membership = (cohorts: number) =>
  fc.record({
    type: fc.constant('cohort'),
    key: fc.constant('id'),
    value: fc.integer({ min: 1, max: cohorts }),
    operator: among('in', 'not_in'),
    negation: fc.boolean(),
  });
const groups = (parts: fc.Arbitrary<object>, minLength: number) =>
  fc.record({ type: among('AND', 'OR'), values: fc.array(parts, { minLength, maxLength: 3 }) });

/** Rules: the first is a fixed list, the second names no other cohort, each later one may name those before it. */
const rules = fc.tuple(
  groups(fc.oneof(leaf, groups(leaf, 1)), 0),
  groups(fc.oneof(leaf, membership(2)), 1),
  groups(fc.oneof(leaf, membership(3), groups(membership(3), 0)), 1),
);

const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata');

let store: Store;
let project = 0;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** Stores the persons under a project of their own; every second one is in the fixed list, some by an id of before a merge. */
async function insert(
  list: readonly Record<string, unknown>[],
): Promise<{ projectId: number; ids: number[] }> {
  const projectId = ++project;
  const ids = list.map((_, at) => projectId * 1000 + at * 2);
  for (const [at, properties] of list.entries()) {
    const id = ids[at]!;
    await store.db.run(
      `INSERT INTO persons_settled VALUES ($projectId, $id, uuid(), now()::TIMESTAMP, $properties, '{}', true)`,
      { projectId, id, properties: JSON.stringify(properties) },
    );
    if (at % 2 === 1) continue;
    const isMerged = at % 4 === 0;
    await store.db.run('INSERT INTO cohort_people VALUES ($projectId, 1, $id)', {
      projectId,
      id: isMerged ? id + 1 : id,
    });
    if (!isMerged) continue;
    await store.db.run('INSERT INTO person_merges VALUES (1, $projectId, $old, $id)', {
      projectId,
      old: id + 1,
      id,
    });
  }
  return { projectId, ids };
}

const knowing = (id: number, tree: object | null) =>
  knownOf({
    id,
    name: `Cohort ${id}`,
    isStatic: tree === null,
    filters: tree === null ? null : { properties: tree },
    projectId: 0,
    description: '',
    groups: [],
    query: null,
    cohortType: null,
    deleted: false,
    version: 1,
    lastCalculation: '',
    lastErrorMessage: null,
    createdBy: null,
    createdAt: '',
  });

/** Whom flags see in a cohort. */
function membersByFlags(
  cohorts: readonly CohortDefinition[],
  cohortId: number,
  list: readonly Record<string, unknown>[],
  timezone: string,
): number[] {
  const properties = [{ key: 'id', type: 'cohort', value: cohortId }];
  const set = createFlagSet([flagWith({ groups: [{ properties }] })], cohorts);
  expect([...set.errors]).toEqual([]);
  const zone = timeZone(timezone);
  return list.flatMap((stored, at) => {
    const person = { ...NO_PROPERTIES, stored };
    const memberOf = new Set(at % 2 === 0 ? [1] : []);
    const { value } = evaluateFlag(set.find('flag')!, flagContext(set, { now: NOW, zone, person, memberOf }));
    return value === true ? [at] : [];
  });
}

describe('F-17 a cohort', () => {
  test('P-1, P-2, P-3, P-4, P-5, P-6, P-7, P-8 has the same members in the store and for flags', async () => {
    await fc.assert(
      fc.asyncProperty(persons, rules, zones, async (list, trees, timezone) => {
        const { projectId, ids } = await insert(list);
        const book = createCohortBook();
        [null, ...trees].forEach((tree, at) => book.put(projectId, knowing(at + 1, tree)));
        const conditions = await openConditions(
          { db: store.db, clock: () => NOW, book, projects: { find: () => ({ timezone }) } },
          projectId,
        );
        const cohortIds = [1, 2, 3, 4];
        const expected = cohortIds.map((id) =>
          membersByFlags(book.definitions(projectId), id, list, timezone),
        );
        for (const [at, id] of cohortIds.entries()) {
          const condition = personCondition((alias, bind) => conditions.of(id, alias, bind)!);
          const found = await listMemberIds(store.analytics, projectId, condition, { limit: 100, offset: 0 });
          const members = found.map((person) => ids.indexOf(person)).toSorted((a, b) => a - b);
          expect(members).toEqual(expected[at]);
        }
        const counts = await countMembers(store.analytics, projectId, cohortIds, conditions);
        expect(cohortIds.map((id) => counts.get(id))).toEqual(expected.map(({ length }) => length));
        const own = await findCohortsOf(store.analytics, projectId, cohortIds, ids[0]!, conditions);
        expect(own).toEqual(cohortIds.filter((_, at) => expected[at]!.includes(0)));
      }),
      { numRuns: 60 },
    );
  }, 300_000);

  test('supports every person operator of flags', () => {
    const others: readonly string[] = ['in', 'not_in', 'min', 'max'];
    expect(OPERATORS.filter((operator) => !others.includes(operator)).toSorted()).toEqual(
      PROPERTY_OPERATORS.toSorted(),
    );
  });
});
