import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

/** A mark in all data of the deleted person, and in no other data. */
const MARK = 'zyxwvut';
const P = '/api/projects/1/';

test('M9.3 DELETE /:id/ with delete_events: no response of the API contains data of that person', async () => {
  const app = await openTestApp();
  await sendEvents(app, [
    {
      distinct_id: `anon-${MARK}`,
      event: 'viewed',
      properties: { plan: `plan-${MARK}`, $groups: { company: 'acme' } },
      $set: { email: `${MARK}@local.test` },
    },
    {
      event: '$identify',
      distinct_id: `id-${MARK}`,
      properties: { $anon_distinct_id: `anon-${MARK}`, $set: { name: `Name ${MARK}` } },
    },
    { event: '$groupidentify', properties: { $group_type: 'company', $group_key: 'acme' } },
    {
      event: 'viewed',
      properties: { plan: 'free', $groups: { company: 'acme' } },
      $set: { email: 'a@local.test' },
    },
    // Refused, with a warning that quotes it.
    { event: '$identify', distinct_id: `id-${MARK}`, properties: { $anon_distinct_id: 'null' } },
  ]);
  const { results } = (await app.ask(`${P}persons/?distinct_id=id-${MARK}`)).json;
  const { id, uuid } = results[0];
  const paths = [
    'persons/',
    `persons/?search=${MARK}`,
    `persons/?distinct_id=anon-${MARK}`,
    'persons/values/?key=email',
    'persons/properties/',
    'groups/related/?group_type_index=0&id=acme',
    'events/',
    `events/?person_id=${id}`,
    'events/values/?key=plan',
    'property_definitions/?type=person',
    'event_definitions/',
    'burrow/ingestion_warnings/',
    `persons/${id}/`,
    `persons/${uuid}/`,
    `burrow/persons/${id}/`,
    `burrow/persons/${id}/activity/`,
  ];
  const answers = () =>
    Promise.all(paths.map(async (path) => [path, (await app.ask(P + path)).text] as const));
  const holding = async () =>
    (await answers()).filter(([, text]) => text.includes(MARK)).map(([path]) => path);
  expect(await holding()).toEqual(
    expect.arrayContaining(['persons/', 'events/', 'burrow/ingestion_warnings/', `burrow/persons/${id}/`]),
  );
  const deleted = await app.ask(`${P}persons/${uuid}/?delete_events=true`, { method: 'DELETE' });
  expect(deleted.status).toBe(202);
  expect(await holding()).toEqual([]);
  expect((await app.ask(`${P}persons/`)).json.results).toMatchObject([{ name: 'a@local.test' }]);
});
