import { expect, test } from 'vitest';
import { startServer } from '../support/start-server.ts';

test('a server that is stopped ends open live streams properly', async () => {
  const server = await startServer();
  const response = await fetch(`${server.url}/api/projects/1/burrow/live/`, {
    headers: { Authorization: `Bearer ${server.personalApiKey}` },
  });
  const stopped = server.stop();
  // A stream that is cut rejects here.
  await response.text();
  expect(await stopped).toEqual({ code: 0, signal: null });
});
