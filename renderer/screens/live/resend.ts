import type { CaptureBody } from '../../api/capture.api.ts';
import type { LiveEvent } from '../../api/live.api.ts';

/** The event as a new one: same name, person and properties, its own uuid and, by default, the time of its arrival. */
export function captureBodyOf(event: LiveEvent, apiKey: string, newId: () => string): CaptureBody {
  return {
    api_key: apiKey,
    uuid: newId(),
    event: event.event,
    distinct_id: event.distinct_id,
    properties: event.properties,
  };
}

/** A command that sends the event again, for any POSIX shell. Without uuid, so that every run is a new event. */
export function curlOf(event: LiveEvent, host: string, apiKey: string): string {
  const { event: name, distinct_id, properties } = event;
  const body = JSON.stringify({ api_key: apiKey, event: name, distinct_id, properties }, null, 2);
  return [
    `curl ${host}/capture/ \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  --data-raw ${quote(body)}`,
  ].join('\n');
}

/** Single quotes keep everything as it is, save the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
