// @ts-check
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const ROOT = new URL('../../../', import.meta.url);
const BUILT = 'dist/conditions/';
const PERSONS = 1_000;
const UTC = {
  name: 'UTC',
  localOf: (/** @type {number} */ ms) => ms,
  momentOf: (/** @type {number} */ local) => local,
};
const COHORT = 1;

/** @typedef {(person: ReturnType<typeof personOf>) => unknown} EvaluateAll All flags for one person. */

/**
 * Evaluations a second of flags without trace, of the server's built evaluator and of posthog-node's local
 * evaluation, in this process, on one core (the SDK hashes in threads beside it): one flag for one person each, of 20
 * flags of every kind for a thousand persons. Each is measured twice, in both orders.
 * @param {{ warmupSeconds: number, seconds: number }} options
 */
export async function measureFlags(options) {
  const ours = await buildEvaluator();
  const sdk = await localClient();
  try {
    const persons = Array.from({ length: PERSONS }, (_, n) => personOf(n));
    for (const person of persons.slice(0, 100)) await compare(ours, sdk.evaluate, person);
    const rates = [];
    for (const evaluate of [ours, sdk.evaluate, sdk.evaluate, ours]) {
      rates.push(await rateOf(evaluate, persons, options));
    }
    const [first = 0, second = 0, third = 0, fourth = 0] = rates;
    const flagsPerSecond = (first + fourth) / 2;
    const sdkFlagsPerSecond = (second + third) / 2;
    return { flagsPerSecond, sdkFlagsPerSecond, flagsTimes: flagsPerSecond / sdkFlagsPerSecond };
  } finally {
    await sdk.close();
    await rm(new URL(BUILT, ROOT), { recursive: true, force: true });
  }
}

/** @param {EvaluateAll} evaluate @param {ReturnType<typeof personOf>[]} persons @param {{ warmupSeconds: number, seconds: number }} options */
async function rateOf(evaluate, persons, { warmupSeconds, seconds }) {
  await evaluateFor(evaluate, persons, warmupSeconds);
  const begun = performance.now();
  const rounds = await evaluateFor(evaluate, persons, seconds);
  return (rounds * FLAGS.length * 1000) / (performance.now() - begun);
}

/** How many persons were evaluated. @param {EvaluateAll} evaluate @param {ReturnType<typeof personOf>[]} persons @param {number} seconds */
async function evaluateFor(evaluate, persons, seconds) {
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  while (performance.now() < end) {
    for (const person of persons) {
      const answer = evaluate(person);
      if (answer instanceof Promise) await answer;
    }
    rounds += persons.length;
  }
  return rounds;
}

/** Both must say the same, or the comparison says nothing. @param {EvaluateAll} ours @param {EvaluateAll} sdk @param {ReturnType<typeof personOf>} person */
async function compare(ours, sdk, person) {
  const [mine, theirs] = [await ours(person), await sdk(person)];
  if (!isDeepStrictEqual(mine, theirs)) throw new Error(`The evaluators disagree on ${person.distinctId}.`);
}

/** The evaluator alone, bundled as the server is. @returns {Promise<EvaluateAll>} */
async function buildEvaluator() {
  const { build } = await import('vite');
  await build({
    root: fileURLToPath(ROOT),
    configFile: fileURLToPath(new URL('vite.server.config.ts', ROOT)),
    logLevel: 'error',
    build: {
      outDir: fileURLToPath(new URL(BUILT, ROOT)),
      emptyOutDir: true,
      license: false,
      rolldownOptions: { input: { evaluator: 'server/conditions/index.ts' } },
    },
  });
  const { createFlagSet, evaluateFlag } = await import(new URL(`${BUILT}evaluator.mjs`, ROOT).href);
  const set = createFlagSet(
    FLAGS.map((flag) => ({ ...flag, bucketingIdentifier: null, ensureExperienceContinuity: false })),
    [{ id: COHORT, name: '', isStatic: false, properties: COHORT_TREE }],
  );
  if (set.flags.length !== FLAGS.length) throw new Error(JSON.stringify([...set.errors]));
  return ({ distinctId, properties }) => {
    const context = {
      set,
      now: Date.now(),
      zone: UTC,
      distinctId,
      anonDistinctId: null,
      deviceId: null,
      hashKeys: null,
      person: { request: null, geoip: null, stored: properties },
      groupTypes: [],
      groups: new Map(),
      memberOf: null,
      trace: false,
    };
    /** @type {Record<string, unknown>} */
    const values = {};
    for (const flag of set.flags) values[flag.definition.key] = evaluateFlag(flag, context).value;
    return values;
  };
}

/** A posthog-node with the same flags. @returns {Promise<{ evaluate: EvaluateAll, close: () => Promise<void> }>} */
async function localClient() {
  const { PostHog } = await import('posthog-node');
  const body = {
    flags: FLAGS,
    group_type_mapping: {},
    cohorts: { [COHORT]: COHORT_TREE },
    property_matching_version: 2,
  };
  const server = createServer((_, res) => res.end(JSON.stringify(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new PostHog('phc_bench', {
    host: `http://127.0.0.1:${port}`,
    personalApiKey: 'phx_bench',
    featureFlagsPollingInterval: 3_600_000,
  });
  if (!(await client.waitForLocalEvaluationReady())) throw new Error('posthog-node got no definitions.');
  return {
    evaluate: async ({ distinctId, properties }) => {
      const { featureFlags } = await client.getAllFlagsAndPayloads(distinctId, {
        onlyEvaluateLocally: true,
        personProperties: /** @type {Record<string, any>} */ (properties),
      });
      return featureFlags;
    },
    async close() {
      await client.shutdown();
      server.closeAllConnections();
      server.close();
    },
  };
}

const PLANS = ['free', 'solo', 'studio', 'pro'];

/** @param {number} n */
function personOf(n) {
  return {
    distinctId: `p-${String(n).padStart(10, '0')}`,
    properties: {
      plan: PLANS[n % PLANS.length],
      email: `p${n}@shop.example`,
      seats: n % 200,
      app_version: `${n % 4}.${n % 10}.0`,
      signed_up_at: `2026-0${(n % 9) + 1}-1${n % 10}T09:30:00Z`,
      is_admin: n % 7 === 0,
      country: ['DE', 'NL', 'US'][n % 3],
    },
  };
}

const CONDITIONS = [
  [{ key: 'plan', value: ['pro', 'studio'], operator: 'exact', type: 'person' }],
  [{ key: 'email', value: '@shop.example', operator: 'icontains', type: 'person' }],
  [{ key: 'seats', value: 50, operator: 'gt', type: 'person' }],
  [{ key: 'app_version', value: '2.3.0', operator: 'semver_gte', type: 'person' }],
  [{ key: 'signed_up_at', value: '2026-05-01', operator: 'is_date_after', type: 'person' }],
  [{ key: 'email', value: '^p[0-9]+5@', operator: 'regex', type: 'person' }],
  [{ key: 'is_admin', value: ['true'], operator: 'exact', type: 'person' }],
  [{ key: 'id', value: COHORT, operator: 'in', type: 'cohort' }],
  [
    { key: 'country', value: ['DE', 'NL'], operator: 'exact', type: 'person' },
    { key: 'plan', value: 'free', operator: 'is_not', type: 'person' },
  ],
  [],
];

const COHORT_TREE = {
  type: 'OR',
  values: [
    { type: 'AND', values: [CONDITIONS[0]?.[0], CONDITIONS[2]?.[0]] },
    { type: 'AND', values: [CONDITIONS[6]?.[0]] },
  ],
};

/** Every second one is rolled out to a share, every fifth has variants, and every fourth a second condition. */
const FLAGS = Array.from({ length: 20 }, (_, n) => ({
  id: n + 1,
  key: `flag-${n + 1}`,
  name: '',
  active: true,
  filters: {
    groups: [
      { properties: CONDITIONS[n % CONDITIONS.length], rollout_percentage: n % 2 === 0 ? 100 : 60 },
      ...(n % 4 === 0 ? [{ properties: [], rollout_percentage: 10 }] : []),
    ],
    multivariate:
      n % 5 === 0 ? { variants: ['a', 'b'].map((key) => ({ key, name: '', rollout_percentage: 50 })) } : null,
    payloads: {},
  },
}));
