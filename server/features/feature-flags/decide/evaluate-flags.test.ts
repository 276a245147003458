import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../../test/support/store.ts';
import { TEST_NOW, TEST_PROJECT } from '../../../../test/support/serve-public.ts';
import type { Log } from '../../../lib/log.ts';
import { silentLog } from '../../../lib/log.ts';
import {
  createFlagSet,
  type CohortDefinition,
  type FlagDefinition,
  type FlagProperty,
} from '../../../conditions/index.ts';
import type { Override } from '../overrides/flag-override.ts';
import { createFlagSubjects } from '../subjects/flag-subjects.service.ts';
import type { FlagSubjects } from '../subjects/subject.ts';
import { flagsRequestFor } from './decide.contract.ts';
import { createEvaluateFlags } from './evaluate-flags.ts';
import type { EvaluationOptions, Evaluation } from './evaluation.ts';

const ASKING: EvaluationOptions = {
  now: TEST_NOW,
  ip: null,
  runtime: 'all',
  surveysOnly: false,
  trace: false,
  mayRemember: true,
};

function flag(
  id: number,
  key: string,
  properties: FlagProperty[],
  more: Partial<FlagDefinition> = {},
): FlagDefinition {
  return {
    id,
    key,
    name: '',
    active: true,
    version: 1,
    filters: { groups: [{ properties, rollout_percentage: 100 }] },
    ensureExperienceContinuity: false,
    bucketingIdentifier: null,
    evaluationRuntime: 'all',
    evaluationTags: [],
    isRemoteConfiguration: false,
    ...more,
  };
}

interface Parts {
  cohorts?: CohortDefinition[];
  override?: (key: string) => Override | null;
  subjects?: Partial<FlagSubjects>;
  log?: Log;
}

/** Evaluates these flags for `u1` over a store of its own, which is empty. */
async function evaluate(
  definitions: FlagDefinition[],
  parts: Parts = {},
  asking: Partial<EvaluationOptions> = {},
): Promise<Evaluation> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const set = createFlagSet(definitions, parts.cohorts ?? []);
  const run = createEvaluateFlags({
    flags: { set: () => set, findByKey: (_, key) => definitions.find((one) => one.key === key) ?? null },
    overrides: {
      hasAny: () => parts.override !== undefined,
      overrideOf: (_, key) => parts.override?.(key) ?? null,
    },
    subjects: { ...createFlagSubjects(store.service('flag-subjects')), ...parts.subjects },
    log: parts.log ?? silentLog,
  });
  return await run(TEST_PROJECT, flagsRequestFor('u1', {}), { ...ASKING, ...asking });
}

const unknownCohort: FlagProperty = { key: 'id', type: 'cohort', operator: 'in', value: 7 };
const values = ({ flags }: Evaluation) => Object.fromEntries(flags.map(({ key, enabled }) => [key, enabled]));

test('7.8 a flag that cannot be computed is left out with its cause, and the others are returned', async () => {
  const evaluation = await evaluate([flag(1, 'broken', [unknownCohort]), flag(2, 'fine', [])]);
  expect(values(evaluation)).toEqual({ fine: true });
  expect(evaluation.errors).toEqual([{ key: 'broken', cause: expect.stringContaining('7') }]);
});

test('7.8, F-1 an inactive flag that could not be computed is off, and no error', async () => {
  const evaluation = await evaluate([flag(1, 'broken', [unknownCohort], { active: false })]);
  expect(values(evaluation)).toEqual({ broken: false });
  expect(evaluation.flags[0]).toMatchObject({ active: false, reason: { code: 'flag_disabled' } });
  expect(evaluation.errors).toEqual([]);
});

test('7.8 a flag that was not requested is not an error', async () => {
  const definitions = [
    flag(1, 'broken', [unknownCohort], { evaluationRuntime: 'server' }),
    flag(2, 'fine', []),
  ];
  const evaluation = await evaluate(definitions, {}, { runtime: 'client' });
  expect([values(evaluation), evaluation.errors]).toEqual([{ fine: true }, []]);
});

test('7.8 when the store cannot be read, flags that need it are left out, with a line in the log', async () => {
  const warned: string[] = [];
  const asksPlan = flag(1, 'pro', [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }]);
  const evaluation = await evaluate([asksPlan, flag(2, 'off', [], { active: false })], {
    subjects: { person: () => Promise.reject(new Error('disk')) },
    log: { ...silentLog, warn: (_, message) => void warned.push(message) },
  });
  expect(evaluation.flags).toEqual([]);
  expect(evaluation.errors).toEqual([{ key: 'pro', cause: expect.any(String) }]);
  expect(warned).toHaveLength(1);
});

test('an override applies to a flag that is inactive or cannot be computed; one with a removed variant does not', async () => {
  const definitions = [
    flag(1, 'broken', [unknownCohort]),
    flag(2, 'inactive', [], { active: false }),
    flag(3, 'plain', []),
    flag(4, 'gone', []),
  ];
  const forced: Record<string, boolean | string> = {
    broken: true,
    inactive: true,
    plain: false,
    gone: 'no-variant',
  };
  const override = (flagKey: string): Override => ({
    id: '0190f0c1-2222-7000-8000-000000000001',
    projectId: 1,
    flagKey,
    distinctId: null,
    value: forced[flagKey]!,
    payload: flagKey === 'plain' ? null : '{"a":1}',
    expiresAt: null,
  });
  const evaluation = await evaluate(definitions, { override });
  expect(values(evaluation)).toEqual({ broken: true, inactive: true, plain: false, gone: true });
  expect(evaluation.errors).toEqual([]);
  expect(evaluation.flags.filter(({ reason }) => reason.description.startsWith('Overridden'))).toHaveLength(
    3,
  );
  expect(evaluation.flags.every(({ active }) => active)).toBe(true);
});

test('data that no flag uses is not looked up', async () => {
  const asked: string[] = [];
  const note = (name: string) => () => {
    asked.push(name);
    return null;
  };
  const subjects = { person: note('person'), group: note('group'), location: note('location') };
  const groupTypes = () => {
    asked.push('types');
    return [];
  };
  const address = { ip: '8.8.8.8' };
  await evaluate([flag(1, 'share', [])], { subjects: { ...subjects, groupTypes } }, address);
  expect(asked).toEqual([]);
  const country = { key: '$geoip_country_code', value: 'US', operator: 'exact', type: 'person' };
  await evaluate([flag(1, 'us', [country])], { subjects: { ...subjects, groupTypes } }, address);
  expect(asked).toEqual(['person', 'location']);
});
