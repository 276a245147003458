// @module-tag deep
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { PostHog } from 'posthog-node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { localDefinitionsOf, type Flag } from '../../server/features/feature-flags/index.ts';
import {
  createFlagSet,
  evaluateFlag,
  type CohortDefinition,
  type FlagDefinition,
  type FlagFilters,
  type FlagSet,
} from '../../server/conditions/index.ts';
import { timeZone } from '../../server/lib/time-zone.ts';
import { cohorts, flags, GROUP_TYPES, somebody, type Somebody } from '../support/arbitrary-flags.ts';
import { asked, flagContext, flagDefinition } from '../support/flag-subject.ts';

const FLAGS = 50;
const IDS = 2000;
const SEED = 20_261_120;

/** A posthog-node that evaluates these flags locally: it loads the definitions once, and sends no other requests. */
async function localClient(
  set: FlagSet,
  definitions: readonly FlagDefinition[],
  known: readonly CohortDefinition[],
  timezone = 'UTC',
) {
  const body = localDefinitionsOf(
    {
      flags: definitions.map(
        (definition) => ({ ...definition, projectId: 1, deleted: false }) as unknown as Flag,
      ),
      set,
      cohorts: known,
      groupTypes: Object.fromEntries(GROUP_TYPES.map((type, index) => [String(index), type])),
      timezone,
    },
    true,
  );
  const server = createServer((_, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new PostHog('phc_agreement', {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    personalApiKey: 'phx_agreement',
    featureFlagsPollingInterval: 3_600_000,
  });
  expect(await client.waitForLocalEvaluationReady()).toBe(true);
  return {
    client,
    async close() {
      await client.shutdown();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the SDK says of all flags that it decides by itself. */
async function sdkAnswers(client: PostHog, { distinctId, person, groups }: Somebody) {
  const entries = Object.entries(groups);
  const { featureFlags = {}, featureFlagPayloads = {} } = await client.getAllFlagsAndPayloads(distinctId, {
    onlyEvaluateLocally: true,
    personProperties: person as Record<string, string>,
    groups: Object.fromEntries(entries.map(([type, { key }]) => [type, key])),
    groupProperties: Object.fromEntries(entries.map(([type, { properties }]) => [type, properties])) as never,
  });
  return { values: featureFlags, payloads: featureFlagPayloads };
}

/** The values by Burrow, when the request has the same properties as the SDK. */
function ourAnswers(set: FlagSet, { distinctId, person, groups }: Somebody, timezone = 'UTC') {
  const context = flagContext(set, {
    now: Date.now(),
    zone: timeZone(timezone),
    distinctId,
    person: asked(person),
    groupTypes: GROUP_TYPES,
    groups: new Map(
      Object.entries(groups).map(([type, { key, properties }]) => [
        type,
        { key, properties: asked(properties) },
      ]),
    ),
  });
  return set.flags.map((flag) => ({ key: flag.definition.key, ...evaluateFlag(flag, context) }));
}

describe('11.1/local-evaluation the server and posthog-node agree on every flag that the SDK evaluates locally', () => {
  const [definitions, known] = fc.sample(fc.tuple(flags(FLAGS), cohorts), { seed: SEED, numRuns: 1 })[0]!;
  const people = fc.sample(somebody, { seed: SEED, numRuns: IDS });
  const set = createFlagSet(definitions, known);
  let sdk: Awaited<ReturnType<typeof localClient>>;

  beforeAll(async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    sdk = await localClient(set, definitions, known);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await sdk.close();
  });

  test.each([
    'type":"person"',
    'type":"group"',
    'type":"cohort"',
    'type":"flag"',
    'operator":"exact"',
    'operator":"is_date_before"',
    'operator":"semver_',
    'value":true',
    'negation":true',
    '"exclusion_percentage"',
    '"multivariate":{',
    '"payloads":{"',
    '"early_exit":true',
    '"feature_enrollment":true',
    '"variant":"test"',
    '"aggregation_group_type_index":1',
    '"aggregation_group_type_index":null}',
    '"active":false',
    '"ensureExperienceContinuity":true',
    '"bucketingIdentifier":"device_id"',
  ])('11.1/local-evaluation the generated flags include %s', (text) => {
    expect(JSON.stringify([definitions, known]).includes(text)).toBe(true);
  });

  test(`11.1/local-evaluation over ${FLAGS} generated flags and ${IDS} people`, async () => {
    const different: unknown[] = [];
    const reasons = new Set<string>();
    let decided = 0;
    for (const person of people) {
      const theirs = await sdkAnswers(sdk.client, person);
      for (const { key, value, payload, reason } of ourAnswers(set, person)) {
        if (theirs.values[key] === undefined) continue;
        decided += 1;
        reasons.add(reason.code);
        const ours = { value, payload: payload === null ? null : (JSON.parse(payload) as unknown) };
        const sdks = { value: theirs.values[key], payload: theirs.payloads[key] ?? null };
        if (!isDeepStrictEqual(ours, sdks)) different.push({ key, ours, sdks, reason, person });
      }
    }
    expect(different.slice(0, 3)).toEqual([]);
    expect(decided).toBeGreaterThan((FLAGS * IDS) / 2);
    expect([...reasons].sort()).toEqual([
      'condition_match',
      'flag_disabled',
      'holdout_condition_value',
      'no_condition_match',
      'no_group_type',
      'out_of_rollout_bound',
    ]);
  });
});

/** F-10. */
function hashOf(text: string): number {
  return Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 15), 16) / 2 ** 60;
}

describe('11.1/local-evaluation differences of posthog-node', () => {
  const text = (operator: string, value: unknown, type = 'person'): FlagFilters => ({
    groups: [{ properties: [{ key: 'p', type, operator, value }], rollout_percentage: 100 }],
  });
  const thenEverybody = ({ groups }: FlagFilters): FlagFilters => ({
    groups: [...groups!.map((one) => ({ ...one, variant: 'a' })), { variant: 'b' }],
    multivariate: { variants: ['a', 'b'].map((key) => ({ key, rollout_percentage: 50 })) },
  });
  const longId = 'x'.repeat(300);
  const atHash = hashOf(`flag.${longId}`);

  beforeAll(() => void vi.spyOn(console, 'warn').mockReturnValue());
  afterAll(() => void vi.restoreAllMocks());

  test.each<[string, FlagFilters, Partial<Somebody>, ours: unknown, sdks: unknown, timezone?: string]>([
    [
      'P-3 it folds the case of ASCII letters only',
      text('icontains', 'CAFÉ'),
      { person: { p: 'café' } },
      true,
      false,
    ],
    [
      'P-5 it compares values that are not numbers as texts',
      text('gt', 'apple'),
      { person: { p: 'pear' } },
      false,
      true,
    ],
    [
      'P-5 it reads the number at the beginning of a text',
      text('gt', 5),
      { person: { p: '12 seats' } },
      false,
      true,
    ],
    [
      'P-8 it takes a pre-release for its release',
      text('semver_gte', '2.0.0'),
      { person: { p: '2.0.0-beta' } },
      false,
      true,
    ],
    [
      'P-7 it takes numbers for milliseconds',
      text('is_date_after', '2026-01-01'),
      { person: { p: 1_790_000_000 } },
      true,
      false,
    ],
    [
      'P-7 it reads dates of any kind',
      text('is_date_after', '2026-01-01'),
      { person: { p: 'Mar 5 2026' } },
      false,
      true,
    ],
    [
      'P-7 it reads dates without a time zone as UTC',
      text('is_date_before', '2026-01-01T05:00:00Z'),
      { person: { p: '2026-01-01' } },
      false,
      true,
      'America/New_York',
    ],
    [
      'P-3 it writes lists and objects as JavaScript does',
      text('icontains', '"b"'),
      { person: { p: ['a', 'b'] } },
      true,
      false,
    ],
    [
      'P-1 it continues after a condition it cannot evaluate',
      thenEverybody(text('is_not', 'x')),
      {},
      'a',
      'b',
    ],
    [
      'F-16 it continues without a dependency',
      thenEverybody(text('flag_evaluates_to', true, 'flag')),
      {},
      false,
      'b',
    ],
    [
      'F-2 it does not know of enrolments',
      { groups: [{ rollout_percentage: 0 }], feature_enrollment: true },
      { person: { '$feature_enrollment/flag': true } },
      true,
      false,
    ],
    [
      'F-7 it uses the group for a condition on persons in a flag on groups',
      {
        groups: [
          {
            properties: [{ key: 'p', type: 'person', operator: 'exact', value: 'x' }],
            aggregation_group_type_index: null,
          },
        ],
        aggregation_group_type_index: 0,
      },
      { person: { p: 'x' }, groups: { company: { key: 'acme', properties: { p: 'y' } } } },
      true,
      false,
    ],
    [
      'F-12 it hashes all of a long id',
      { groups: [{ rollout_percentage: atHash * 100 + 1e-9 }] },
      { distinctId: longId },
      hashOf(`flag.${'x'.repeat(200)}`) <= atHash,
      true,
    ],
  ])('%s', async (_, filters, person, ours, sdks, timezone = 'UTC') => {
    const definitions = [flagDefinition({ filters })];
    const set = createFlagSet(definitions, []);
    const { client, close } = await localClient(set, definitions, [], timezone);
    try {
      const subject: Somebody = { distinctId: 'u1', person: {}, groups: {}, ...person };
      expect(ourAnswers(set, subject, timezone)).toMatchObject([{ value: ours }]);
      expect((await sdkAnswers(client, subject)).values).toEqual({ flag: sdks });
    } finally {
      await close();
    }
  });
});
