// @ts-check

/**
 * @typedef {object} IngestionReport The parts of `GET P/burrow/ingestion/` that are measured here.
 * @property {{ p50: number, p99: number, max: number }} [loop_delay_ms]
 * @property {{ events: number, bytes: number, limit_bytes: number }} queue
 */

/**
 * @param {import('./servers.mjs').Server} server
 * @returns {Promise<IngestionReport>}
 */
export function readIngestion(server) {
  return readJson(server, '/burrow/ingestion/');
}

/**
 * The events of that name, newest first.
 * @param {import('./servers.mjs').Server} server
 * @param {string} event
 * @returns {Promise<unknown[]>}
 */
export async function listEvents(server, event) {
  return (await readJson(server, `/events/?event=${encodeURIComponent(event)}`)).results;
}

/**
 * @param {import('./servers.mjs').Server} server
 * @param {string} path Under the project.
 * @returns {Promise<any>}
 */
async function readJson({ url, ready }, path) {
  const response = await fetch(`${url}/api/projects/${ready.projectId}${path}`, {
    headers: { Authorization: `Bearer ${ready.personalApiKey}` },
  });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
