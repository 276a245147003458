// @module-tag deep
import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

interface Operation {
  parameters?: { in: string; name: string }[];
}

const EXTREMES = [
  '9223372036854776000',
  '9223372036854775807',
  '-9223372036854775809',
  '99999999999999999999999999',
  '1e309',
  '-1',
  '0',
  'NaN',
  '0000-00-00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '+275760-09-13T00:00:00Z',
  '-infinity',
  '-99999d',
  '',
  '\u0000',
  '[]',
  '{}',
  '[{}]',
  'null',
  'x'.repeat(3_000),
];

test('a list with an extreme parameter is never answered 500', async () => {
  const app = await openTestApp();
  await sendEvents(app, [{ event: 'a', distinct_id: 'u1', properties: { n: 1 } }]);
  const ask = (path: string): Promise<Response> =>
    fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${app.key}` } });
  const { paths } = (await (await ask('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const faults: string[] = [];
  for (const [template, { get }] of Object.entries(paths)) {
    const names = (get?.parameters ?? []).flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
    // Streams do not end.
    if (names.length === 0 || /stream|live/.test(template)) continue;
    const path = template.replaceAll(/\{[^}]*\}/g, '1');
    for (const name of names)
      for (const value of EXTREMES) {
        const answer = await ask(`${path}?${new URLSearchParams({ [name]: value }).toString()}`);
        await answer.body?.cancel();
        if (answer.status >= 500) faults.push(`${answer.status} ${path}?${name}=${value.slice(0, 40)}`);
      }
  }
  expect(faults).toEqual([]);
}, 300_000);
