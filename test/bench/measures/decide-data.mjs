// @ts-check

/** Cohorts that flags ask for. */
export const FLAG_COHORTS = 10;

const PLANS = ['free', 'solo', 'studio', 'pro'];
const COUNTRIES = ['DE', 'NL', 'FR', 'US', 'JP'];

/** An event that describes a person as SDKs do, with twenty properties. @param {number} n */
export function personOf(n) {
  return {
    event: '$identify',
    distinct_id: `p-${String(n).padStart(10, '0')}`,
    properties: {
      $set: {
        email: `p${n}@shop.example`,
        plan: PLANS[n % PLANS.length],
        seats: n % 200,
        app_version: `${n % 4}.${n % 10}.0`,
        signed_up_at: `2026-0${(n % 9) + 1}-1${n % 10}T09:30:00Z`,
        $geoip_country_code: COUNTRIES[n % COUNTRIES.length],
        $geoip_city_name: 'Somewhere',
        $browser: 'Chrome',
        $browser_version: 126,
        $os: 'Mac OS X',
        $current_url: 'https://shop.example/cart',
        $initial_referrer: '$direct',
        $initial_utm_source: 'newsletter',
        $initial_pathname: '/',
        name: `Person ${n}`,
        company: `Company ${n % 500}`,
        is_admin: n % 7 === 0,
        language: 'en-GB',
        timezone: 'Europe/Berlin',
        orders: n % 31,
      },
    },
  };
}

/** Properties that flags and cohorts ask about, of every kind of comparison. */
const CONDITIONS = [
  { key: 'plan', value: ['pro', 'studio'], operator: 'exact', type: 'person' },
  { key: 'email', value: '@shop.example', operator: 'icontains', type: 'person' },
  { key: 'seats', value: 50, operator: 'gt', type: 'person' },
  { key: 'app_version', value: '2.3.0', operator: 'semver_gte', type: 'person' },
  { key: 'signed_up_at', value: '2026-05-01', operator: 'is_date_after', type: 'person' },
  { key: '$geoip_country_code', value: ['DE', 'NL'], operator: 'exact', type: 'person' },
  { key: 'company', value: '^Company [0-9]{2}$', operator: 'regex', type: 'person' },
  { key: 'is_admin', value: 'is_set', operator: 'is_set', type: 'person' },
];

/** @param {number} n */
function conditionOf(n) {
  return CONDITIONS[n % CONDITIONS.length];
}

/** A dynamic cohort of two alternatives. @param {number} n */
export function cohortOf(n) {
  const values = [0, 3].map((further) => ({
    type: 'AND',
    values: [conditionOf(n), conditionOf(n + further)],
  }));
  return { name: `Cohort ${n}`, is_static: false, filters: { properties: { type: 'OR', values } } };
}

/** Plain shares, conditions, variants with payloads and cohorts, in turn. @param {number} n @param {number[]} cohorts */
export function flagOf(n, cohorts) {
  const cohort = { key: 'id', type: 'cohort', operator: 'in', value: cohorts[n % cohorts.length] };
  const kinds = [
    { groups: [{ properties: [], rollout_percentage: n % 101 }] },
    { groups: [{ properties: [conditionOf(n), conditionOf(n + 1)], rollout_percentage: 100 }] },
    {
      groups: [{ properties: [conditionOf(n)], rollout_percentage: 80 }],
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 50 },
          { key: 'test', rollout_percentage: 50 },
        ],
      },
      payloads: { control: '{"colour": "grey"}', test: '{"colour": "blue"}' },
    },
    {
      groups: [
        { properties: [cohort], rollout_percentage: 50 },
        { properties: [conditionOf(n + 2)], rollout_percentage: null },
      ],
    },
  ];
  return {
    key: `flag-${n}`,
    name: `Flag ${n}`,
    filters: kinds[n % kinds.length],
    _should_create_usage_dashboard: false,
  };
}
