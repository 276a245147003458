import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { shareClickhouseServer } from '../support/clickhouse-server.ts';
import { CLICKHOUSE_GUIDE, runGuide } from '../support/run-guide.ts';

const openServer = shareClickhouseServer();
/** `BURROW_RELIABILITY=full` takes the million events of the guide. */
const isFull = process.env['BURROW_RELIABILITY'] === 'full';

beforeAll(() => build({ names: ['server', 'geoip'] }));

test('every block of the guide to ClickHouse runs, and prints what the guide says', async (context) => {
  const server = await openServer(context);
  const { host } = new URL(server.address('burrow'));
  const { ran, written } = await runGuide(CLICKHOUSE_GUIDE, {
    'clickhouse://burrow:password@127.0.0.1:8123/burrow': server.address('burrow'),
    '127.0.0.1:8123': host,
    ...(isFull ? {} : { '--size large': '--size small' }),
  });
  expect(ran).toBe(written);
});
