import { expect, test } from 'vitest';
import { openTestApp } from '../support/test-app.ts';

/** Half of a character, as JSON.parse lets it through, and what is kept of it. */
const HALF = 'a\ud800b\u0000';
const KEPT = 'a\ufffdb\u0000';

const P = '/api/projects/1/';

/** Fields that hold whatever JSON a client sends, and the path by which they are read again. */
const WRITES: readonly [method: string, path: string, field: string, value: (text: string) => unknown][] = [
  ['PATCH', P, 'app_urls', (text) => [text]],
  ['PATCH', P, 'a_setting_of_another_client', (text) => ({ [text]: text })],
  ['PATCH', P, 'name', (text) => text],
  ['PATCH', '/api/users/@me/', 'notification_settings', (text) => ({ [text]: text })],
  ['PATCH', '/api/users/@me/', 'first_name', (text) => text],
];

/** Objects may hold more than was sent: settings of other names. */
const kept = (value: unknown) =>
  typeof value === 'object' && !Array.isArray(value) ? expect.objectContaining(value as object) : value;

test.each(WRITES)('a lone surrogate in what %s %s stores as %s becomes U+FFFD', async (...write) => {
  const [method, path, field, value] = write;
  const app = await openTestApp();
  const answer = await app.ask(path, { method, body: { [field]: value(HALF) } });
  expect(answer.status).toBe(200);
  expect(answer.json[field]).toEqual(kept(value(KEPT)));
  expect((await app.ask(path)).json[field]).toEqual(answer.json[field]);
});

test('a lone surrogate in a new project, a variable and the columns of an event is not a server error', async () => {
  const app = await openTestApp();
  const organization = '/api/organizations/@current/projects/';
  const project = await app.ask(organization, { method: 'POST', body: { app_urls: [HALF] } });
  expect(project).toMatchObject({ status: 201, json: { app_urls: [KEPT] } });
  const body = { name: 'x', type: 'List', values: [HALF], default_value: HALF };
  const variable = await app.ask(`${P}insight_variables/`, { method: 'POST', body });
  expect(variable).toMatchObject({ status: 201, json: { values: [KEPT], default_value: KEPT } });
  const event = await app.ask(`${P}event_definitions/`, {
    method: 'POST',
    body: { name: 'signup', default_columns: [HALF], tags: [HALF] },
  });
  expect(event).toMatchObject({ status: 201, json: { default_columns: [KEPT], tags: [KEPT] } });
});
