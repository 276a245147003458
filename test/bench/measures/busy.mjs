// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { startProber } from '../prober.mjs';
import { PROJECT_API_KEY, start } from '../servers.mjs';

const BEFORE_PROBING_MS = 500;
const PROBING_MS = 8_000;

/**
 * While six queries of ten seconds each are in the store: how long a capture takes to be acknowledged and
 * `/_readiness` to answer, in ms.
 */
export async function measureBusy() {
  const server = await start('busy');
  try {
    const queries = server.ask({ run: 'queries' });
    await sleep(BEFORE_PROBING_MS);
    let sent = 0;
    const capture = startProber({
      url: `${server.url}/capture/`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      everyMs: 100,
      body: () => JSON.stringify({ api_key: PROJECT_API_KEY, event: `busy-${sent++}`, distinct_id: 'bench' }),
    });
    const readiness = startProber({ url: `${server.url}/_readiness`, everyMs: 50 });
    await sleep(PROBING_MS);
    const [busyCapture, busyReadiness] = await Promise.all([capture.stop(), readiness.stop()]);
    const { interrupted } = await queries;
    if (interrupted !== 6) throw new Error(`Only ${interrupted} of the six queries ran for ten seconds.`);
    return { busyCapture, busyReadiness };
  } finally {
    await server.stop();
  }
}
