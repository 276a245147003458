// @ts-check
import { listEvents } from '../burrow-api.mjs';
import { PROJECT_API_KEY, start } from '../servers.mjs';
import { percentile } from '../statistics.mjs';

const EVENTS = 50;
const MAX_POLLS = 1000;

/**
 * Sends events one after another, and after each acknowledgement polls `GET P/events/` until the event is there.
 * `extraPolls` is the number of polls without it, over all events; the times are from acknowledgement to the response
 * with the event.
 */
export async function measureQueryable() {
  const server = await start('burrow');
  try {
    const times = [];
    let extraPolls = 0;
    for (let n = 0; n < EVENTS; n += 1) {
      const event = `queryable-${n}`;
      await send(server.url, event);
      const acknowledgedAt = performance.now();
      extraPolls += await pollUntilFound(server, event);
      times.push(performance.now() - acknowledgedAt);
    }
    return { extraPolls, queryableP50: percentile(times, 0.5), queryableMax: Math.max(...times) };
  } finally {
    await server.stop();
  }
}

/** @param {string} url @param {string} event */
async function send(url, event) {
  const body = JSON.stringify({ api_key: PROJECT_API_KEY, event, distinct_id: 'bench' });
  const response = await fetch(`${url}/capture/`, { method: 'POST', body });
  if (response.status !== 200) throw new Error(`/capture/ answered ${response.status}`);
}

/** @param {import('../servers.mjs').Server} server @param {string} event */
async function pollUntilFound(server, event) {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    if ((await listEvents(server, event)).length === 1) return polls;
  }
  throw new Error(`${event} was acknowledged and not found ${MAX_POLLS} times.`);
}
