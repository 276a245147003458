import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const MEMBERS = '/api/organizations/@current/members/';

/** Reads the live view by a key; the text grows while the stream is open. */
async function openStream(app: TestApp, key: string): Promise<{ text: string; hasEnded: boolean }> {
  const answer = await fetch(`${app.url}/api/projects/1/burrow/live/`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  const stream = { text: '', hasEnded: false };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of answer.body!) stream.text += decoder.decode(piece as Uint8Array);
    stream.hasEnded = true;
  };
  read().catch(() => undefined);
  return stream;
}

async function send(app: TestApp, event: string): Promise<void> {
  const body = { api_key: TEST_TOKEN, event, distinct_id: 'u1' };
  expect((await app.ask('/capture/', { method: 'POST', key: null, body })).status).toBe(200);
}

async function addMember(app: TestApp): Promise<{ uuid: string; id: string; key: string }> {
  const { json } = await app.ask(MEMBERS, { method: 'POST', body: { email: 'lin@local.test' } });
  return { uuid: json.user.uuid, id: json.id, key: json.personal_api_key };
}

describe('an open stream ends before the next event', () => {
  test.each([
    [
      'the member was removed',
      (app: TestApp, { uuid }: { uuid: string }) => app.ask(`${MEMBERS}${uuid}/`, { method: 'DELETE' }),
    ],
    [
      'the key was deleted',
      (app: TestApp, { key }: { key: string }) =>
        app
          .ask('/api/personal_api_keys/@current/', { key })
          .then(({ json }) => app.ask(`/api/personal_api_keys/${json.id}/`, { method: 'DELETE', key })),
    ],
    [
      'the project was closed to the member',
      async (app: TestApp, { id }: { id: string }) => {
        const { access } = app.app.features;
        const rule = { projectId: 1, resource: 'project', resourceId: '1', memberId: id, roleId: null };
        await app.store.db.transaction((tx) => access.setRule(tx, rule, 'none'));
        await access.load();
      },
    ],
  ])('when %s', async (_, end) => {
    const app = await openTestApp();
    const lin = await addMember(app);
    const [stream, owners] = [await openStream(app, lin.key), await openStream(app, app.key)];
    await expect.poll(async () => (await send(app, 'shown'), stream.text)).toContain('"shown"');
    await end(app, lin as never);
    await send(app, 'hidden');
    await expect.poll(() => stream.hasEnded).toBe(true);
    await expect.poll(() => owners.text).toContain('"hidden"');
    expect(stream.text).not.toContain('hidden');
    expect(owners.hasEnded).toBe(false);
  });
});
