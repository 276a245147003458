import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { fillRequest, requestsOf, type Planned } from '../reliability/management-requests.ts';
import { createKnownIds } from '../support/known-ids.ts';
import { TEST_TOKEN } from '../support/test-app.ts';
import { openRecording, RECORDS, type Recording } from './recording.ts';

/** Each in an app of its own. */
const WALKS = 6;
const REQUESTS = 500;
const SEED = 20_261_120;

/**
 * Requests that report the state of this machine, wait, depend on the hash of a generated id, or delete
 * what other requests use.
 */
function isLeftOut({ method, template }: Planned): boolean {
  return (
    /\/burrow\/(storage|backup|server|live|ingestion|geoip|session|sign_in_links)\//.test(template) ||
    /\/query\/\{id\}\/$|\/(my_flags|evaluation_reasons|flags\/evaluate|explain|simulate)\/$/.test(template) ||
    (method === 'DELETE' &&
      /\/(projects\/\{project_id\}|members\/\{user__uuid\}|burrow\/events)\/$/.test(template)) ||
    (method !== 'GET' && /\/personal_api_keys\/\{id\}\/$/.test(template))
  );
}

const EVENTS = ['signup', '$pageview', 'paid'].flatMap((event, index) =>
  ['ana', 'ben'].map((id) => ({
    event,
    distinct_id: id,
    timestamp: new Date(Date.UTC(2026, 10, 19, index)).toISOString(),
    properties: { plan: 'free', $set: { email: `${id}@example.com` }, $groups: { company: 'acme' } },
  })),
);

async function begin(walk: number): Promise<Recording> {
  const recording = await openRecording(`management-${walk}`);
  const { app, keys } = recording;
  const post = async (path: string, body: object): Promise<any> =>
    (await app.ask(path, { method: 'POST', body })).json;
  const member = await post('/api/organizations/@current/members/', {
    email: 'lin@example.com',
    first_name: 'Lin',
  });
  const reader = await post('/api/personal_api_keys/', { label: 'reader', scopes: ['dashboard:read'] });
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch: EVENTS } });
  keys.set('member', member.personal_api_key);
  keys.set('reader', reader.value);
  keys.set('stranger', 'phx_unknown');
  keys.set('token', TEST_TOKEN);
  return recording;
}

/** Requests of the generator; their answers say which ids there are. */
async function sendNew({ app, ask }: Recording, walk: number): Promise<void> {
  const document = (await app.ask('/openapi.json')).json as OpenApiDocument;
  const ids = createKnownIds();
  for (const path of ['persons', 'event_definitions', 'property_definitions', 'events']) {
    ids.learn(path, (await ask(`/api/projects/1/${path}/`)).json);
  }
  ids.learn('members', (await ask('/api/organizations/@current/members/')).json);
  const planned = fc.sample(
    requestsOf(document).filter((one) => !isLeftOut(one)),
    { seed: SEED + walk, numRuns: REQUESTS },
  );
  for (const one of planned) {
    const { method, path, headers, body } = fillRequest(one, ids);
    const { status, text } = await ask(path, {
      who: one.sender,
      method,
      headers,
      ...(body === null ? {} : { body }),
    });
    if (status < 300 && /^[[{]/.test(text)) ids.learn(one.template, JSON.parse(text));
  }
}

describe('responses to 3,000 requests of the management API equal the recordings', () => {
  test.each(Array.from({ length: WALKS }, (_, index) => index + 1))('walk %i', async (walk) => {
    const recording = await begin(walk);
    // The generator makes other requests when the reference changes: what was written down is sent again.
    if (recording.stored.length === 0 && RECORDS) await sendNew(recording, walk);
    else await recording.replay();
    expect(recording.finish()).toBe('');
  });
});
