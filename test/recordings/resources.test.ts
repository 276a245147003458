import { describe, expect, test } from 'vitest';
import { TEST_TOKEN } from '../support/test-app.ts';
import { RESOURCES, trends, on } from './recorded-resources.ts';
import { openRecording, type Recording } from './recording.ts';

const P = '/api/projects/1/';
const MINUTE = 60_000;

const SENDERS = ['owner', 'member', 'viewer', 'none', 'reader', 'writer', 'other', 'nobody', 'token'];

const EVENTS = [
  {
    event: 'signup',
    distinct_id: 'ada',
    properties: { plan: 'pro', $set: { plan: 'pro', email: 'ada@shop.example' } },
  },
  {
    event: 'paid',
    distinct_id: 'ada',
    properties: { amount: 12.5, currency: 'EUR', '$feature/first': true, $groups: { company: 'acme' } },
  },
  {
    event: '$pageview',
    distinct_id: 'bob',
    properties: { $current_url: 'https://shop.example/a', $browser: 'Firefox', $set: { plan: 'free' } },
  },
  { event: 'signup', distinct_id: 'eve', properties: { plan: 'free', $set: { plan: 'free', name: 'Eve' } } },
  {
    event: '$groupidentify',
    distinct_id: 'ada',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { name: 'Acme', size: 3 } },
  },
  {
    event: '$groupidentify',
    distinct_id: 'bob',
    properties: { $group_type: 'company', $group_key: 'globex', $group_set: { name: 'Globex', size: 30 } },
  },
];

/** An app with a bit of everything, and a key of each sender; rules of access are about `scope`. */
async function begin(name: string, scope: string): Promise<Recording> {
  const recording = await openRecording(`resources-${name.replaceAll(' ', '-')}`);
  const { ask, keys, app } = recording;
  const batch = EVENTS.map((event, index) => ({
    ...event,
    uuid: `0190f0c1-0000-7000-8000-00000000000${index}`,
    timestamp: new Date(app.clock.now - (10 - index) * 60 * MINUTE).toISOString(),
  }));
  await ask('/batch/', { who: 'nobody', method: 'POST', body: { api_key: TEST_TOKEN, batch } });
  for (const who of ['member', 'viewer', 'none']) {
    const body = { email: `${who}@local.test`, first_name: who };
    const { json } = await ask('/api/organizations/@current/members/', { method: 'POST', body });
    keys.set(who, json.personal_api_key);
    if (who === 'member') continue;
    const rule = { resource: scope, organization_member: json.id, access_level: who };
    await ask(`${P}resource_access_controls/`, { method: 'PUT', body: rule });
  }
  const scopes: [string, string[]][] = [
    ['reader', [`${scope}:read`]],
    ['writer', [`${scope}:write`]],
    ['other', ['query:read']],
  ];
  for (const [who, list] of scopes) {
    const { json } = await ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: who, scopes: list },
    });
    keys.set(who, json.value ?? 'phx_none');
  }
  keys.set('token', TEST_TOKEN);
  await ask(`${P}feature_flags/`, {
    method: 'POST',
    body: { key: 'first', filters: on(), _should_create_usage_dashboard: false },
  });
  await ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Made first', tags: ['first'] } });
  await ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Made second' } });
  await ask(`${P}insights/`, {
    method: 'POST',
    body: { name: 'Made first', query: trends('signup'), dashboards: [1] },
  });
  return recording;
}

describe('responses for each resource equal the recordings', () => {
  test.each(Object.entries(RESOURCES))('%s', async (name, resource) => {
    const { path, scope, create, change, lists, parts = [], acts = [], restorable } = resource;
    const recording = await begin(name, scope);
    const { app } = recording;
    const list = P + path;
    const ask: Recording['ask'] = async (target, sent = {}) => {
      if (sent.method !== undefined) app.clock.now += MINUTE;
      return await recording.ask(target, sent);
    };
    const ids: string[] = [];
    for (const body of create) {
      const { status, json } = await ask(list, { method: 'POST', body });
      if (status === 201) ids.push(String(json.id));
    }
    if (create.length < 2 || ids.length === 0) {
      for (const { id } of (await ask(list)).json.results) ids.push(String(id));
    }
    const [first, second] = ids.map((id) => `${list}${id}/`);
    for (const query of ['', ...lists]) await ask(`${list}?${query}`);
    for (const part of parts) await ask(first! + part);

    for (const who of SENDERS.slice(1)) {
      await ask(list, { who });
      await ask(first!, { who });
      const body = { ...create[0], name: `By ${who}`, key: `by-${who}`, template_name: `By ${who}` };
      const made = await ask(list, { who, method: 'POST', body });
      await ask(second ?? first!, { who, method: 'PATCH', body: change[1] });
      if (made.status === 201) await ask(`${list}${made.json.id}/`, { who, method: 'DELETE' });
    }

    for (const body of change) await ask(first!, { method: 'PATCH', body });
    for (const [method, below, body] of acts) {
      await ask(first! + below, { method, ...(body === undefined ? {} : { body }) });
    }
    await ask(first!, { method: 'PUT', body: { ...create[0] } });
    await ask(first!);
    for (const query of ['', ...lists]) await ask(`${list}?${query}`);

    if (restorable) {
      await ask(first!, { method: 'PATCH', body: { deleted: true } });
      await ask(list);
      await ask(first!);
      await ask(first!, { method: 'PATCH', body: { deleted: false } });
      await ask(first!);
    }
    await ask(second ?? first!, { method: 'DELETE' });
    await ask(second ?? first!);
    await ask(second ?? first!, { method: 'PATCH', body: { deleted: false } });
    await ask(list);

    for (const who of SENDERS) {
      await ask(`${list}activity/`, { who });
      await ask(`${first!}activity/?limit=3`, { who });
      await ask(`${P}activity_log/?limit=60`, { who });
      await ask(`${P}tags/`, { who });
      await ask(`${P}search/?q=made&include_counts=true`, { who });
      await ask(`${P}search/?q=first&entities=${scope}`, { who });
    }
    expect(recording.finish()).toBe('');
  });
});
