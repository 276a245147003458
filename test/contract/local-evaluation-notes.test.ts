import fc from 'fast-check';
import { PostHog } from 'posthog-node';
import { expect, test, vi } from 'vitest';
import {
  localEvaluations,
  type LocalDefinitions,
  type NamedCohort,
} from '../../server/features/feature-flags/local-evaluation.ts';

// What the list of flags says about local evaluation is compared with what posthog-node does with the same definitions.

type Flag = LocalDefinitions['flags'][number];

const FLAG: Omit<Flag, 'key'> = {
  active: true,
  ensure_experience_continuity: false,
  bucketing_identifier: null,
  filters: {},
};

/** A flag that is on for all who pass these properties. */
const flagOn = (key: string, properties: readonly object[], more: Partial<Flag> = {}): Flag => ({
  ...FLAG,
  key,
  filters: { groups: [{ properties, rollout_percentage: 100 }] },
  ...more,
});

/** What a caller passes who passes everything that flags here ask for. */
const PROPERTIES = {
  text: 'abc',
  version: '1.2.3',
  date: '2026-01-01',
  $device_id: 'device-1',
};

/** Evaluates all flags by posthog-node, only locally: returns the keys with a value, and those with a warning. */
async function askSdk(definitions: LocalDefinitions): Promise<{ decided: string[]; warned: string[] }> {
  const warnings: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  vi.spyOn(console, 'error').mockReturnValue();
  const body = JSON.stringify({ ...definitions, property_matching_version: 2 });
  const client = new PostHog('phc_notes', {
    host: 'http://127.0.0.1:9',
    personalApiKey: 'phx_notes',
    disableGeoip: true,
    fetch: () => Promise.resolve(new Response(body, { status: 200 }) as never),
  });
  try {
    await client.reloadFeatureFlags();
    const values = await client.getAllFlags('ada', {
      onlyEvaluateLocally: true,
      personProperties: PROPERTIES,
      groups: { company: 'acme' },
      groupProperties: { company: PROPERTIES },
    });
    const warned = warnings.flatMap((text) => [...text.matchAll(/\bflag-\d+\b/g)].map(([key]) => key));
    return { decided: Object.keys(values), warned };
  } finally {
    vi.restoreAllMocks();
    await client.shutdown();
  }
}

const GROUP_TYPES = { '0': 'company' };
const NO_COHORTS = new Map<number, NamedCohort>();

function noted(definitions: LocalDefinitions, cohorts = NO_COHORTS): string[] {
  return [...localEvaluations(definitions, cohorts)].flatMap(([key, { works }]) => (works ? [key] : []));
}

const scalar = fc.oneof(
  fc.constantFrom('true', 'a', '', '1', 'é', '\ud800', '2026-01-01', '-7d', '-10000d', '30d', '-1q', 'soon'),
  fc.constantFrom('1.2.3', 'v1', '1.02.3', '1.2.3-rc.1+5', '1.*', '1.2.*', '*', '1.', '.1', 'x.1', ' v2.0 '),
  fc.constantFrom(0, 1, 1.5, -0, 1e21, true, false, null),
  fc.string({ maxLength: 6 }),
);
const PATTERN_PIECES = [
  'a', 'é', '.', '^', '$', '|', '(', ')', '(?:', '(?=', '(?<n>', '*', '+', '?', '{', '}', '{2}', '{1,}', '{,2}', '{2,3}+',
  '[', ']', '[a-z]', '[^x]', '[]', '[^]', '[[:alpha:]]', '[a&&b]', '[a--b]', '[\\d]', '[\\b]', '[\\-a]', '[a-\\d]', '[\\ ]',
  '\\', '\\d', '\\p{L}', '\\x41', '\\xg', '\\u0041', '\\.', '\\1', '\\<', '\\Q', '()', '(?:)', '**', '?+', '\\n', '-', '&&',
]; // prettier-ignore
const pattern = fc
  .array(fc.constantFrom(...PATTERN_PIECES), { maxLength: 6 })
  .map((pieces) => pieces.join(''));

const comparison = fc.oneof(
  fc.record({
    key: fc.constant('text'),
    operator: fc.constantFrom('exact', 'is_not', 'icontains', 'not_icontains', 'starts_with', 'ends_with', 'gt', 'lte',
      'is_set', 'is_not_set', 'between', 'not_between', 'icontains_multi', 'in', 'not_in', 'anything', undefined), // prettier-ignore
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  }),
  fc.record({
    key: fc.constant('text'),
    operator: fc.constantFrom('regex', 'not_regex'),
    value: pattern,
  }),
  fc.record({
    key: fc.constant('version'),
    operator: fc.constantFrom('semver_eq', 'semver_neq', 'semver_gt', 'semver_lte', 'semver_tilde', 'semver_caret',
      'semver_wildcard'), // prettier-ignore
    value: scalar,
  }),
  fc.record({
    key: fc.constant('date'),
    operator: fc.constantFrom('is_date_before', 'is_date_after', 'is_date_exact'),
    value: scalar,
  }),
);

test('of flags with one comparison, posthog-node evaluates exactly those that are noted as working', async () => {
  const properties = fc.sample(comparison, { numRuns: 3_000, seed: 20_261_120 });
  const definitions = {
    flags: properties.map((property, index) => flagOn(`flag-${index}`, [{ ...property, type: 'person' }])),
    group_type_mapping: GROUP_TYPES,
    cohorts: {},
  };
  const { decided } = await askSdk(definitions);
  const works = new Set(noted(definitions));
  const sdk = new Set(decided);
  const differ = definitions.flags.filter(({ key }) => works.has(key) !== sdk.has(key));
  expect(differ.map(({ key, filters }) => [works.has(key), JSON.stringify(filters)])).toEqual([]);
  expect(works.size).toBeGreaterThan(500);
  expect(definitions.flags.length - works.size).toBeGreaterThan(500);
});

const person = (key: string, operator = 'exact', value: unknown = 'abc') => ({
  key,
  operator,
  value,
  type: 'person',
});
const inCohort = (id: number) => ({ key: 'id', type: 'cohort', operator: 'in', value: id });
const needs = (...chain: string[]) => ({
  key: chain.at(-1) ?? 'none',
  type: 'flag',
  operator: 'flag_evaluates_to',
  value: true,
  dependency_chain: chain,
});
const COHORTS = {
  '1': { type: 'AND', values: [person('text')] },
  '2': { type: 'OR', values: [{ type: 'AND', values: [person('text'), inCohort(1)] }] },
  '4': { type: 'OR', values: [person('text', 'exact', 'x'), inCohort(3)] },
  '5': { type: 'OR', values: [person('text', 'exact', 'x'), { type: 'AND', values: [person('text')] }] },
  '6': { type: 'AND', values: [{ type: 'behavioral', key: '$pageview', value: 'performed_event' }] },
};
const NAMES = new Map(
  ['', 'texts', 'nested', 'listed', 'holds listed', 'mixed', 'active'].map((name, id) => [
    id,
    { name, isStatic: id === 3 },
  ]),
);

test.each<[string, Partial<Flag> & { properties?: object[] }, RegExp | null, string[]]>([
  ['one for all persons', {}, null, []],
  ['one with a property', { properties: [person('text')] }, null, ['text']],
  ['one of a device', { bucketing_identifier: 'device_id' }, null, ['$device_id']],
  [
    'one of groups',
    {
      filters: {
        aggregation_group_type_index: 0,
        groups: [{ properties: [{ ...person('text'), type: 'group', group_type_index: 0 }] }],
      },
    },
    null,
    ['text'],
  ],
  ['a cohort by properties', { properties: [inCohort(1)] }, null, ['text']],
  ['a cohort of a cohort', { properties: [inCohort(2)] }, null, ['text']],
  ['a flag that works', { properties: [needs('base')] }, null, ['version']],
  [
    'one that is off',
    { active: false, ensure_experience_continuity: true, properties: [inCohort(3)] },
    null,
    [],
  ],
  ['experience continuity', { ensure_experience_continuity: true }, /experience continuity/, []],
  [
    'an unknown group type',
    { filters: { aggregation_group_type_index: 3, groups: [{}] } },
    /group type without any events/,
    [],
  ],
  ['a static cohort', { properties: [inCohort(3)] }, /the static cohort 'listed'/, []],
  ['a cohort that names a static one', { properties: [inCohort(4)] }, /the static cohort 'listed'/, ['text']],
  ['a cohort of mixed parts', { properties: [inCohort(5)] }, /cohort 'mixed', which mixes/, ['text']],
  ['a behavioural cohort', { properties: [inCohort(6)] }, /behavioral conditions/, ['$pageview']],
  ['a cohort that is not there', { properties: [inCohort(9)] }, /id 9/, []],
  ['a flag that is not there', { properties: [needs('gone')] }, /'gone', which does not exist/, []],
  ['a circle of flags', { properties: [needs()] }, /cannot be evaluated/, []],
  [
    'a flag that does not work',
    { properties: [needs('sticky')] },
    /'sticky', which does not work with local evaluation/,
    [],
  ],
  ['a flag behind one that does not work', { properties: [needs('sticky', 'behind')] }, /'sticky'/, []],
  [
    'a comparison that SDKs do not know',
    { properties: [person('text', 'between', ['1', '2'])] },
    /operator between for 'text'/,
    ['text'],
  ],
])(
  '%s: the note equals the behavior of posthog-node, with the reason',
  async (_name, { properties, ...more }, reason, reads) => {
    const flag = flagOn('flag-1', properties ?? [], more);
    const definitions = {
      flags: [
        flag,
        flagOn('base', [person('version', 'semver_gt', '1.0.0')]),
        flagOn('sticky', [], { ensure_experience_continuity: true }),
        flagOn('behind', [needs('sticky')]),
      ],
      group_type_mapping: GROUP_TYPES,
      cohorts: COHORTS,
    };
    const note = localEvaluations(definitions, NAMES).get('flag-1')!;
    const { decided } = await askSdk(definitions);
    expect([note.works, decided.includes('flag-1')]).toEqual([reason === null, reason === null]);
    if (reason === null) expect(note.reason).toBeNull();
    else expect(note.reason).toMatch(reason);
    expect(note.properties).toEqual(reads);
  },
);

test('an early access feature does not work: posthog-node evaluates it without the enrollment', async () => {
  const flag = flagOn('flag-1', [], { filters: { feature_enrollment: true, groups: [] } });
  const definitions = { flags: [flag], group_type_mapping: {}, cohorts: {} };
  expect((await askSdk(definitions)).decided).toEqual(['flag-1']);
  expect(localEvaluations(definitions, NO_COHORTS).get('flag-1')).toMatchObject({
    works: false,
    reason: expect.stringContaining('early access'),
  });
});

test('in any combination, flags noted as working are evaluated, and those with a posthog-node warning are noted as not working', async () => {
  const property = fc.oneof(
    comparison.map((one) => ({ ...one, type: 'person' })),
    fc.integer({ min: 1, max: 7 }).map(inCohort),
    fc.subarray(['base', 'sticky', 'behind', 'gone'], { maxLength: 2 }).map((chain) => needs(...chain)),
  );
  const flag = fc.record({
    properties: fc.array(property, { maxLength: 3 }),
    ensure_experience_continuity: fc.constantFrom(false, false, false, true),
    active: fc.constantFrom(true, true, true, false),
    bucketing_identifier: fc.constantFrom(null, 'distinct_id', 'device_id'),
  });
  const definitions = {
    flags: [
      flagOn('base', [person('version', 'semver_gt', '1.0.0')]),
      flagOn('sticky', [], { ensure_experience_continuity: true }),
      flagOn('behind', [needs('sticky')]),
      ...fc
        .sample(flag, { numRuns: 2_000, seed: 20_261_120 })
        .map(({ properties, ...more }, index) => flagOn(`flag-${index}`, properties, more)),
    ],
    group_type_mapping: GROUP_TYPES,
    cohorts: COHORTS,
  };
  const { decided, warned } = await askSdk(definitions);
  const works = new Set(noted(definitions, NAMES));
  const sdk = new Set(decided);
  expect(
    definitions.flags.filter(({ key }) => works.has(key) && !sdk.has(key)).map((one) => JSON.stringify(one)),
  ).toEqual([]);
  expect(warned.filter((key) => works.has(key))).toEqual([]);
  expect(works.size).toBeGreaterThan(100);
  expect(warned.length).toBeGreaterThan(100);
});
