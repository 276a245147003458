import fc from 'fast-check';
import type {
  CohortDefinition,
  CohortTree,
  FlagCondition,
  FlagDefinition,
  FlagFilters,
  FlagProperty,
  Properties,
} from '../../server/conditions/index.ts';
import { flagDefinition } from './flag-subject.ts';

/**
 * Flags and cohorts that use every field of a definition, and matching subjects. `sound` properties exist on every
 * subject and can be read by every SDK; `doubtful` ones may be missing or unreadable, and are used only by conditions
 * that then do not match here either, so that an SDK that skips such a condition has the same result.
 */
interface Kind {
  readonly key: string;
  readonly value: fc.Arbitrary<unknown>;
  readonly filter: fc.Arbitrary<{ operator: string; value?: unknown }>;
}

const of = <T>(...values: T[]) => fc.constantFrom(...values);

function filters(operators: readonly string[], value: fc.Arbitrary<unknown>): Kind['filter'] {
  return fc.record({ operator: fc.constantFrom(...operators), value });
}

const EQUAL = ['exact', 'is_not'];
const PARTS = ['icontains', 'not_icontains', 'starts_with', 'not_starts_with', 'ends_with', 'not_ends_with'];
const PATTERNS = ['regex', 'not_regex'];
const ORDERS = ['gt', 'gte', 'lt', 'lte'];
const VERSIONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'tilde', 'caret'].map((name) => `semver_${name}`);
const anyList = (value: fc.Arbitrary<unknown>) => fc.array(value, { minLength: 1, maxLength: 4 });
const oneOrMany = (value: fc.Arbitrary<unknown>) => fc.oneof(value, anyList(value));
const isSet = filters(['is_set', 'is_not_set'], of('is_set'));

const plan = of('free', 'Pro', 'TEAM', 'x.y', '', 'true', 'pro plus');
const version = of('1.2.3', 'v2.0', '3', '1.10.0+build.7', '0.0.4', '0.3.9', '1.2', '2.0.1.5');
const moment = fc
  .date({ min: new Date('2024-06-01'), max: new Date('2027-06-01'), noInvalidDate: true })
  .chain((date) =>
    of(date.toISOString(), date.toISOString().slice(0, 10), `${date.toISOString().slice(0, 19)}+02:00`),
  );
const span = fc
  .tuple(fc.nat(40), of('h', 'd', 'w', 'm', 'y'), of('-', ''))
  .map(([n, unit, sign]) => `${sign}${n}${unit}`);
const number = fc.oneof(
  fc.integer({ min: -20, max: 120 }),
  of(0.5, 12.25),
  of('42', ' 7 ', '1e2', '-3.5', '007'),
);

const SOUND: readonly Kind[] = [
  {
    key: 'plan',
    value: plan,
    filter: fc.oneof(
      filters(EQUAL, oneOrMany(of<unknown>('FREE', 'pro', 'team', 'X.Y', '', true, 'none'))),
      filters(PARTS, of('r', 'P', 'am', '', 'x.')),
      filters(PATTERNS, of('^[a-z]+$', 'ro|ea', '\\.', 'e{2}', '', '(', '[z-a]', 'x.y$', '^(?:P|f)')),
      isSet,
    ),
  },
  {
    key: 'email',
    value: fc
      .tuple(of('ann', 'Bob.b', 'c+d'), of('example.com', 'EXAMPLE.org', 'shop.example'))
      .map((parts) => parts.join('@')),
    filter: fc.oneof(
      filters(PARTS, of('@example.com', 'ANN', 'example', 'b@')),
      filters(PATTERNS, of('@example\\.(com|org)$', '^[^@]+@shop', '\\+', '^\\w+@', 'a{1,2}n+')),
    ),
  },
  {
    key: 'age',
    value: number,
    filter: fc.oneof(
      filters(ORDERS, number),
      filters(PARTS, of('4', '1')),
      filters(PATTERNS, of('^\\d+$', '^-')),
    ),
  },
  {
    key: 'score',
    value: of<unknown>(0.5, 12.25, -3.125, '0.5'),
    filter: fc.oneof(filters(EQUAL, oneOrMany(of<unknown>(0.5, '12.25', 'x'))), filters(ORDERS, number)),
  },
  {
    key: 'beta',
    value: of<unknown>(true, false, 'true', 'False', 'yes'),
    filter: fc.oneof(
      filters(
        EQUAL,
        fc.oneof(oneOrMany(of<unknown>(true, false, 'true', 'FALSE', 'banana')), fc.constant([])),
      ),
      filters(PARTS, of('TRU', 'a')),
    ),
  },
  {
    key: 'nothing',
    value: fc.constant(null),
    filter: fc.oneof(
      filters([...EQUAL, ...PARTS], of('null', 'NU', 'x')),
      filters(PATTERNS, of('^null$', 'x')),
      filters(ORDERS, fc.constant(3)),
      filters(VERSIONS, fc.constant('1.0.0')),
      filters(['is_date_before', 'is_date_after'], fc.constant('2026-01-01')),
      isSet,
    ),
  },
  {
    key: 'signup',
    value: moment,
    filter: filters(['is_date_before', 'is_date_after'], fc.oneof(moment, span)),
  },
  {
    key: 'version',
    value: version,
    filter: fc.oneof(
      filters(VERSIONS, version),
      filters(['semver_wildcard'], of('1.*', '1.2.*', 'v0.3.*', '2.*')),
    ),
  },
  {
    key: 'tags',
    value: of<unknown>(['a', 'B'], [], [true], { a: 'x', B: ['y'] }),
    filter: filters(EQUAL, of<unknown>('["a","B"]', '{"B":["y"],"a":"x"}', [])),
  },
  {
    key: 'distinct_id',
    value: fc.constant(undefined),
    filter: filters([...PARTS, ...PATTERNS], of('1', 'user', '7')),
  },
];

const DOUBTFUL: readonly Kind[] = [
  {
    key: 'maybe_text',
    value: of('a', 'É', undefined),
    filter: fc.oneof(
      filters(['exact', 'icontains', 'is_set', 'starts_with'], of('A', 'b')),
      filters(['regex'], of('^a', '[a-z]')),
    ),
  },
  {
    key: 'maybe_version',
    value: of('1.2.3', 'latest', undefined),
    filter: filters(['semver_eq', 'semver_gt', 'semver_caret'], of('1.2.3', '1.0.0')),
  },
  {
    key: 'maybe_date',
    value: of<unknown>('2026-01-01', 'soon', true, undefined),
    filter: filters(['is_date_after', 'is_date_before'], of('2025-01-01', '-3m')),
  },
  {
    key: 'maybe_number',
    value: of(5, undefined),
    filter: fc.oneof(filters(ORDERS, of(4, 6)), filters(['exact'], fc.constant('6'))),
  },
];

const GROUP: readonly Kind[] = [
  {
    key: 'plan',
    value: plan,
    filter: fc.oneof(filters(EQUAL, oneOrMany(of('pro', 'team'))), filters(PARTS, of('r'))),
  },
  { key: 'seats', value: number, filter: filters(ORDERS, number) },
  { key: '$group_key', value: fc.constant(undefined), filter: filters(PARTS, of('1', 'acme-2', '9')) },
];

/** Types of groups by their index. */
export const GROUP_TYPES = ['company', 'project'] as const;

function properties(kinds: readonly Kind[], type: string): fc.Arbitrary<FlagProperty> {
  return fc.oneof(
    ...kinds.map(({ key, filter }) => filter.map((rest): FlagProperty => ({ key, type, ...rest }))),
  );
}

/** The number of created cohorts; the last is static. */
const COHORTS = 6;
export const STATIC_COHORT = COHORTS;

/** A cohort refers only to those before it. */
function cohort(id: number): fc.Arbitrary<CohortDefinition> {
  const named = fc
    .record({
      value: fc.integer({ min: 1, max: Math.max(1, id - 1) }),
      operator: of('in', 'not_in', undefined),
    })
    .map((rest): FlagProperty => ({ key: 'id', type: 'cohort', ...rest }));
  const leaf = fc
    .tuple(
      id > 1
        ? fc.oneof({ weight: 4, arbitrary: properties(SOUND, 'person') }, named)
        : properties(SOUND, 'person'),
      of(undefined, true, false),
    )
    .map(([property, negation]): FlagProperty => ({ ...property, negation }));
  const group = (
    values: fc.Arbitrary<CohortTree | FlagProperty>,
    maxLength: number,
  ): fc.Arbitrary<CohortTree> =>
    fc.record({
      type: of('AND' as const, 'OR' as const),
      values: fc.array(values, { minLength: 1, maxLength }),
    });
  const leaves = group(leaf, 3);
  const tree = fc.oneof(leaves, group(leaves, 2), group(group(leaves, 2), 2));
  return tree.map((values) => ({ id, name: `cohort ${id}`, isStatic: false, properties: values }));
}

export const cohorts: fc.Arbitrary<CohortDefinition[]> = fc
  .tuple(...Array.from({ length: COHORTS - 1 }, (_, n) => cohort(n + 1)))
  .map((dynamic) => [...dynamic, { id: STATIC_COHORT, name: 'list', isStatic: true, properties: null }]);

const percentage = fc.oneof(of(null, 0, 100), fc.integer({ min: 1, max: 99 }), of(33.3, 0.5, 99.99));
const VARIANTS = ['control', 'test', 'third'];

/** A property of another flag, which is chosen when it is known which there are. */
const DEPENDENCY = 'chosen later';
const dependency: fc.Arbitrary<FlagProperty> = fc
  .tuple(fc.nat(1000), of<unknown>(true, false, 'control', 'test'))
  .map(([pick, value]) => ({ key: pick, value, type: DEPENDENCY, operator: 'flag_evaluates_to' }));
const membership: fc.Arbitrary<FlagProperty> = fc.record({
  key: fc.constant('id'),
  type: fc.constant('cohort'),
  value: fc.integer({ min: 1, max: COHORTS - 1 }),
  operator: of('in', 'not_in', undefined),
  negation: of(true, undefined, undefined, undefined),
});
const listed: fc.Arbitrary<FlagProperty> = fc.constant({ key: 'id', type: 'cohort', value: STATIC_COHORT });

type FlagKind = 'sound' | 'doubtful' | 'device' | 'continuity';

function condition(kind: FlagKind, groupIndex: number | null): fc.Arbitrary<FlagCondition> {
  const person = { weight: 6, arbitrary: properties(SOUND, 'person') };
  const property =
    groupIndex !== null
      ? fc.oneof(
          {
            weight: 3,
            arbitrary: properties(GROUP, 'group').map((one) => ({ ...one, group_type_index: groupIndex })),
          },
          dependency,
        )
      : kind === 'doubtful'
        ? fc.oneof(person, { weight: 6, arbitrary: properties(DOUBTFUL, 'person') }, membership)
        : fc.oneof(
            person,
            { weight: 2, arbitrary: membership },
            { weight: 2, arbitrary: dependency },
            { weight: 1, arbitrary: listed },
          );
  return fc.record({
    properties: fc.array(property, { maxLength: 2 }),
    rollout_percentage: percentage,
    variant: of(null, null, ...VARIANTS, 'gone'),
  });
}

function conditions(
  kind: FlagKind,
): fc.Arbitrary<Pick<FlagFilters, 'groups' | 'aggregation_group_type_index'>> {
  const list = (one: fc.Arbitrary<FlagCondition>) => fc.array(one, { minLength: 1, maxLength: 4 });
  const aboutPerson = fc
    .tuple(condition(kind, null), fc.boolean())
    .map(([one, says]) => (says ? { ...one, aggregation_group_type_index: null } : one));
  const aboutPersons = list(aboutPerson).map((groups) => ({
    groups,
    aggregation_group_type_index: null,
  }));
  if (kind !== 'sound') return aboutPersons;
  const aboutGroup = fc.nat(1).chain((index) =>
    fc.oneof(
      list(condition(kind, index)).map((groups) => ({ groups, aggregation_group_type_index: index })),
      list(
        fc.oneof(
          aboutPerson,
          condition(kind, index).map((one) => ({ ...one, aggregation_group_type_index: index })),
        ),
      ).map((groups) => ({ groups })),
    ),
  );
  return fc.oneof({ weight: 3, arbitrary: aboutPersons }, { weight: 1, arbitrary: aboutGroup });
}

const multivariate = fc.option(
  of([50, 50], [10, 20, 70], [33.3, 33.3, 33.4], [20, 0, 30]).map((shares) => ({
    variants: shares.map((share, n) => ({ key: VARIANTS[n]!, name: '', rollout_percentage: share })),
  })),
);
const payload = of('{"a":[1,null]}', '"text"', '12', 'true');
const payloads = fc.dictionary(of('true', ...VARIANTS), payload);

const kinds = fc.oneof(
  { weight: 14, arbitrary: of<FlagKind>('sound') },
  { weight: 4, arbitrary: of<FlagKind>('doubtful') },
  { weight: 1, arbitrary: of<FlagKind>('device') },
  { weight: 1, arbitrary: of<FlagKind>('continuity') },
);

const seed = kinds.chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    active: fc.oneof({ weight: 15, arbitrary: fc.constant(true) }, fc.constant(false)),
    conditions: conditions(kind),
    more: fc.record({
      multivariate,
      payloads,
      holdout: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        fc.record({ id: fc.nat(99), exclusion_percentage: of(0, 10, 100, 2.5) }),
      ),
      feature_enrollment: of(null, true, false),
      early_exit: of(null, false, true),
    }),
    evaluationRuntime: of('all' as const, 'server' as const, 'client' as const),
    evaluationTags: of([], ['web']),
    isRemoteConfiguration: fc.boolean(),
    version: fc.nat(9),
  }),
);

/** Flags of which each depends only on sound ones before it. */
export function flags(count: number): fc.Arbitrary<FlagDefinition[]> {
  return fc.array(seed, { minLength: count, maxLength: count }).map((seeds) => {
    const sound: number[] = [];
    return seeds.map(({ kind, conditions: chosen, more, ...rest }, n) => {
      const groups = chosen.groups!.map((one) => ({
        ...one,
        properties: choose(one.properties ?? [], sound),
      }));
      if (kind === 'sound') sound.push(n + 1);
      return flagDefinition({
        ...rest,
        id: n + 1,
        key: `flag-${n + 1}`,
        name: `Flag ${n + 1}`,
        filters: { ...chosen, groups, ...more },
        bucketingIdentifier: kind === 'device' ? 'device_id' : null,
        ensureExperienceContinuity: kind === 'continuity',
      });
    });
  });
}

function choose(list: readonly FlagProperty[], ids: readonly number[]): FlagProperty[] {
  return list.flatMap((property) => {
    if (property.type !== DEPENDENCY) return [property];
    return ids.length === 0
      ? []
      : [{ ...property, type: 'flag', key: String(ids[Number(property.key) % ids.length]) }];
  });
}

/** The subjects of evaluations. */
export interface Somebody {
  readonly distinctId: string;
  readonly person: Properties;
  readonly groups: Readonly<Record<string, { readonly key: string; readonly properties: Properties }>>;
}

function known(list: readonly Kind[]): fc.Arbitrary<Properties> {
  return fc
    .tuple(...list.map(({ value }) => value))
    .map((values) =>
      Object.fromEntries(list.flatMap(({ key }, n) => (values[n] === undefined ? [] : [[key, values[n]]]))),
    );
}

const group = fc.record({ key: fc.nat(40).map((n) => `acme-${n}`), properties: known(GROUP) });

export const somebody: fc.Arbitrary<Somebody> = fc
  .record({
    distinctId: fc.oneof(
      fc.nat(1_000_000).map((n) => `user-${n}`),
      fc.uuid(),
      of('名前', '😀 smile', 'a@example.com'),
    ),
    person: known([...SOUND, ...DOUBTFUL]),
    device: fc.option(fc.nat(999).map((n) => `device-${n}`)),
    company: fc.option(group),
    project: fc.option(group),
  })
  .map(({ distinctId, person, device, company, project }) => ({
    distinctId,
    person: device === null ? person : { ...person, $device_id: device },
    groups: Object.fromEntries(
      Object.entries({ company, project }).flatMap(([type, one]) => (one === null ? [] : [[type, one]])),
    ),
  }));
