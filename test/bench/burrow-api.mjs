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
 * The first page of the dashboards, and how many there are.
 * @param {import('./servers.mjs').Server} server
 * @returns {Promise<{ count: number, results: { id: number }[] }>}
 */
export function listDashboards(server) {
  return readJson(server, '/dashboards/');
}

/**
 * @param {import('./servers.mjs').Server} server
 * @param {number} id
 * @returns {Promise<{ tiles: unknown[] }>}
 */
export function getDashboard(server, id) {
  return readJson(server, `/dashboards/${id}/`);
}

/**
 * Makes a dashboard of a template.
 * @param {import('./servers.mjs').Server} server
 * @param {object} template
 */
export async function createDashboard(server, template) {
  await post(server, '/dashboards/create_from_template_json/', { template });
}

/**
 * @param {import('./servers.mjs').Server} server
 * @param {string} path Under the project.
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post({ url, ready }, path, body) {
  const response = await fetch(`${url}/api/projects/${ready.projectId}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ready.personalApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  // Some answer 200 and nothing.
  return text === '' ? null : JSON.parse(text);
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
