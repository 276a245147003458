import { installClickhouse } from './install-clickhouse.mjs';
import { startClickhouse } from './clickhouse-server.ts';

/**
 * `BURROW_TEST_WAREHOUSE=chdb`: starts ClickHouse (npm `chdb`) before the workers, which find its address there instead.
 * Returns how to end it.
 */
export async function setup(): Promise<(() => void) | undefined> {
  if (process.env['BURROW_TEST_WAREHOUSE'] !== 'chdb') return undefined;
  const module = await installClickhouse();
  if (module === null) throw new Error('ClickHouse (npm chdb) cannot be installed on this machine.');
  const server = await startClickhouse(module);
  process.env['BURROW_TEST_WAREHOUSE'] = server.address('');
  return () => server.stop();
}
