// @ts-check
import { join } from 'node:path';
import { writePool } from './bodies.mjs';
import { PROJECT_API_KEY } from './servers.mjs';

/** Plain bodies are renewed before each sending; there must only be more of them than connections. */
const MIN_BODIES = 256;
const PLAIN_EVENTS = 20_000;

/**
 * Makes each pool of bodies once and lends it to every run that needs it. Compressed bodies with uuids cannot be
 * renewed in place, so there are as many as a run can send.
 * @param {{ folder: string, runSeconds: number, now: number }} options
 */
export function createPools({ folder, runSeconds, now }) {
  /** @type {Map<string, Promise<string>>} */
  const made = new Map();

  /**
   * @param {import('./cases.mjs').Case} shape
   * @param {'v7' | 'none'} uuids
   */
  async function make(
    { batch, gzip, requestsPerSecond },
    uuids,
    /** @type {boolean} */ wideIds,
    /** @type {string} */ path,
  ) {
    const plain = Math.max(MIN_BODIES, Math.ceil(PLAIN_EVENTS / batch));
    const count = gzip && uuids === 'v7' ? Math.ceil(requestsPerSecond * runSeconds) : plain;
    await writePool(path, { batch, gzip, uuids, wideIds, count, token: PROJECT_API_KEY, seed: batch, now });
    return path;
  }

  return {
    /**
     * @param {import('./cases.mjs').Case} shape
     * @param {'v7' | 'none'} uuids
     * @param {boolean} [wideIds] See `createGenerator`.
     * @returns {Promise<string>} path of the pool's file
     */
    get(shape, uuids, wideIds = false) {
      const name = `${shape.batch}-${shape.gzip ? 'gzip' : 'plain'}-${uuids}${wideIds ? '-wide' : ''}`;
      const known = made.get(name);
      if (known !== undefined) return known;
      const making = make(shape, uuids, wideIds, join(folder, `${name}.bodies`));
      made.set(name, making);
      return making;
    },
  };
}
