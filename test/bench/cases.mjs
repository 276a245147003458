// @ts-check

/**
 * @typedef {object} Case
 * @property {string} name For `--only` and the table.
 * @property {number} batch Events per request.
 * @property {number} connections
 * @property {boolean} gzip
 * @property {string} path
 * @property {Record<string, string>} headers As the SDK that sends this shape.
 * @property {number} requestsPerSecond More than any durable server reaches: sizes the pool of compressed bodies.
 * @property {number | null} bar Least share of a durable server that is promised.
 */

const SHAPES = [
  { batch: 1, connections: 1, requestsPerSecond: 25_000, bar: null },
  { batch: 1, connections: 50, requestsPerSecond: 25_000, bar: 0.28 },
  { batch: 1, connections: 200, requestsPerSecond: 25_000, bar: 0.45 },
  { batch: 100, connections: 50, requestsPerSecond: 1600, bar: 0.5 },
  { batch: 1000, connections: 50, requestsPerSecond: 160, bar: 0.5 },
];

/** @type {readonly Case[]} */
export const CASES = [false, true].flatMap((gzip) =>
  SHAPES.map((shape) => ({
    ...shape,
    gzip,
    name: `${shape.batch === 1 ? 'single' : `batch-${shape.batch}`}-${shape.connections}${gzip ? '-gzip' : ''}`,
    path: shape.batch === 1 ? '/capture/' : '/batch/',
    headers: headersOf(shape.batch, gzip),
  })),
);

/**
 * posthog-js sends its compressed events as text/plain without any hint; posthog-node names the encoding.
 * @param {number} batch
 * @param {boolean} gzip
 * @returns {Record<string, string>}
 */
function headersOf(batch, gzip) {
  if (!gzip) return { 'Content-Type': 'application/json' };
  return batch === 1
    ? { 'Content-Type': 'text/plain' }
    : { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
}
