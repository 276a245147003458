import { managementClient } from './management-client.ts';
import type { RunningServer } from './start-server.ts';

/** The flags that `makeShopFlags` makes, by what they are on for. */
export const SHOP_FLAGS = {
  everybody: 'new-checkout',
  nobody: 'old-checkout',
  disabled: 'switched-off',
  colleagues: 'for-colleagues',
  variant: 'button-color',
  company: 'for-companies',
} as const;

/** Payloads of those that have some, as JSON text. */
export const SHOP_PAYLOADS = {
  everybody: '{"color": "blue", "steps": [1, 2]}',
  variant: '"#f00"',
} as const;

const EVERYBODY = { properties: [], rollout_percentage: 100 };

/** Makes flags of every usual kind through the management API, for the SDKs that ask for them. */
export async function makeShopFlags(
  server: Pick<RunningServer, 'url' | 'personalApiKey' | 'projectApiKey'>,
): Promise<void> {
  const { post } = managementClient(server);
  const make = (key: string, filters: object, rest: object = {}) =>
    post('feature_flags/', { key, filters, _should_create_usage_dashboard: false, ...rest });
  // The first type of groups has the index 0.
  const properties = { $group_type: 'company', $group_key: 'initech', $group_set: { plan: 'enterprise' } };
  await fetch(`${server.url}/capture/`, {
    method: 'POST',
    body: JSON.stringify({
      api_key: server.projectApiKey,
      event: '$groupidentify',
      distinct_id: 'setup',
      properties,
    }),
  });
  await make(SHOP_FLAGS.everybody, { groups: [EVERYBODY], payloads: { true: SHOP_PAYLOADS.everybody } });
  await make(SHOP_FLAGS.nobody, { groups: [{ properties: [], rollout_percentage: 0 }] });
  await make(SHOP_FLAGS.disabled, { groups: [EVERYBODY] }, { active: false });
  const email = { key: 'email', type: 'person', operator: 'icontains', value: '@SHOP.example' };
  await make(SHOP_FLAGS.colleagues, { groups: [{ properties: [email], rollout_percentage: 100 }] });
  await make(SHOP_FLAGS.variant, {
    groups: [EVERYBODY],
    multivariate: {
      variants: [
        { key: 'red', rollout_percentage: 100 },
        { key: 'green', rollout_percentage: 0 },
      ],
    },
    payloads: { red: SHOP_PAYLOADS.variant },
  });
  const plan = { key: 'plan', type: 'group', group_type_index: 0, operator: 'exact', value: 'enterprise' };
  await make(SHOP_FLAGS.company, {
    groups: [{ properties: [plan], rollout_percentage: 100 }],
    aggregation_group_type_index: 0,
  });
}
