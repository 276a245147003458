// @ts-check
import { Agent, request } from 'node:http';
import { percentile } from './statistics.mjs';

/** @typedef {{ p50: number, p99: number, max: number, count: number, failed: number }} Probes latencies in ms */

/**
 * Sends one request every `everyMs`, whether or not the last is answered, over keep-alive connections of its own.
 * @param {{ url: string, everyMs: number, method?: string, headers?: Record<string, string>, body?: () => string }} options
 * @returns {{ stop: () => Promise<Probes> }}
 */
export function startProber({ url, everyMs, method = 'GET', headers = {}, body = () => '' }) {
  const agent = new Agent({ keepAlive: true });
  /** @type {number[]} */
  const latencies = [];
  /** @type {Set<Promise<void>>} */
  const open = new Set();
  let failed = 0;

  const probe = () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      const sentAt = performance.now();
      const text = body();
      const sent = request(url, {
        agent,
        method,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(text) },
      });
      sent.once('response', (response) => {
        response.resume().once('end', () => {
          latencies.push(performance.now() - sentAt);
          if (response.statusCode !== 200) failed += 1;
          resolve();
        });
      });
      sent.once('error', () => {
        failed += 1;
        resolve();
      });
      sent.end(text);
    });
  const timer = setInterval(() => {
    const probing = probe().finally(() => open.delete(probing));
    open.add(probing);
  }, everyMs);

  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return {
        p50: percentile(latencies, 0.5),
        p99: percentile(latencies, 0.99),
        max: Math.max(...latencies),
        count: latencies.length,
        failed,
      };
    },
  };
}
