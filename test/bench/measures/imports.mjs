// @ts-check
import { start } from '../servers.mjs';

const ROWS = 1_000_000;
const PERSONS = 50_000;
const LOOK_MS = 100;

/**
 * Seconds from starting the import of a million events as `burrow export` writes them, lines of JSON of some 320 bytes,
 * until all of them are stored. The upload is not in it.
 * @returns {Promise<{ importSeconds: number, importRows: number }>}
 */
export async function measureImports() {
  const server = await start('burrow');
  try {
    const path = `${server.url}/api/projects/1/burrow/imports/`;
    const authorization = { Authorization: `Bearer ${server.ready['personalApiKey']}` };
    /** @param {string} to @param {RequestInit} [init] */
    const ask = async (to, init = {}) => {
      const answer = await fetch(`${path}${to}`, { ...init, headers: { ...authorization, ...init.headers } });
      if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`);
      return /** @type {Promise<any>} */ (answer.json());
    };
    const { id } = await ask('?name=events.jsonl', {
      method: 'POST',
      body: lines(),
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    const begun = performance.now();
    await ask(`${id}/start/`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    for (;;) {
      const { state, report } = await ask(`${id}/`);
      if (state === 'done' && report.events === ROWS)
        return { importSeconds: (performance.now() - begun) / 1000, importRows: ROWS };
      if (state !== 'running') throw new Error(`The import ended as ${state}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await server.stop();
  }
}

function lines() {
  const pieces = [];
  const start = Date.now() - ROWS * 1000;
  for (let n = 0; n < ROWS; n++) {
    const properties = {
      $current_url: `https://shop.test/p/${n % 100}`,
      $browser: 'Firefox',
      $os: 'Linux',
      $lib: 'web',
      $session_id: `s${n % 1000}`,
      plan: 'pro',
      n,
    };
    const event = {
      uuid: `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`,
      event: n % 3 === 0 ? 'paid' : '$pageview',
      distinct_id: `user-${n % PERSONS}`,
      properties,
      person_properties: { plan: 'pro' },
      timestamp: new Date(start + n * 1000).toISOString(),
    };
    pieces.push(`${JSON.stringify(event)}\n`);
  }
  return new Blob(pieces);
}
