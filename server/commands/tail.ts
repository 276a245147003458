import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions, Config } from '../config.ts';
import { NotRunningError } from '../console-link.ts';
import type { LiveMessage } from '../features/live/index.ts';
import { RefusedError, signIn, type ServerClient } from './server-client.ts';
import {
  counted,
  fitted,
  hasColor,
  padded,
  shown,
  shownJson,
  styled,
  widthOfTerminal,
  write,
  type Terminal,
} from './terminal.ts';

type TailedEvent = LiveMessage['events'][number];

const RETRY_MS = 500;
const EVENT_COLUMNS = 20;
const PERSON_COLUMNS = 16;
const VALUE_COLUMNS = 48;
const MIN_COLUMNS = 10;
const GAP = '  ';
const MAX_PROPERTIES = 5;
/** Of those that SDKs send with every event, what says most of where it happened. */
const USUAL = ['$current_url', '$screen_name', '$lib'];

/** Prints events as they are stored, until the signal; reconnects after a restart of the server. */
export async function tail({ dataDir, call, json }: Config, terminal: Terminal): Promise<void> {
  const { signal, stderr } = terminal;
  const line = json ? jsonLine : textLines(terminal, hasColor(terminal, call.noColor));
  let client: ServerClient | null = await signIn(dataDir, terminal);
  // The same project after a restart, whatever the console shows by then.
  const path = `/api/projects/${client.projectId(call.project)}/burrow/live/?${filtersOf(call)}`;
  let isLost = false;
  while (!signal.aborted) {
    try {
      client ??= await signIn(dataDir, terminal);
      const stream = await client.open(path, { pings: true });
      if (isLost) stderr.write('Connected again.\n');
      isLost = false;
      for await (const { events, skipped } of messagesOf(stream)) {
        for (const event of events) await write(terminal, `${line(event)}\n`);
        if (skipped > 0)
          stderr.write(`${counted(skipped, 'event')} not shown because of the high rate; all are stored.\n`);
      }
    } catch (error) {
      if (!isPassing(error) && !signal.aborted) throw error;
    }
    if (signal.aborted) break;
    if (!isLost) stderr.write('The connection to the server was lost. Waiting for it to come back.\n');
    isLost = true;
    client = null;
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  await client?.close();
}

/** Whether an error is of a server that stops, restarts or has forgotten its sessions. */
function isPassing(error: unknown): boolean {
  if (error instanceof RefusedError) return error.status === 401 || error.status >= 500;
  return error instanceof NotRunningError || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

function filtersOf({ event, properties }: CallOptions): URLSearchParams {
  const filters = [
    ...(event === null ? [] : [{ field: 'event', operator: 'exact', value: event }]),
    ...properties.map(({ name, value }) => ({ field: 'property', key: name, operator: 'exact', value })),
  ];
  return new URLSearchParams({ filters: JSON.stringify(filters) });
}

/** The messages of a stream of server-sent events. */
async function* messagesOf(stream: NodeJS.ReadableStream): AsyncGenerator<LiveMessage> {
  let isEvents = false;
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    if (line.startsWith('event: ')) isEvents = line === 'event: events';
    else if (isEvents && line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as LiveMessage;
  }
}

function jsonLine(event: TailedEvent): string {
  return shownJson(JSON.stringify(event));
}

/** One line per event: time, event, person, a few properties. */
function textLines(terminal: Terminal, isColored: boolean): (event: TailedEvent) => string {
  return (event) => {
    const time = localTime(event.timestamp);
    const name = padded(fitted(shown(event.event), EVENT_COLUMNS), EVENT_COLUMNS);
    const person = padded(fitted(shown(event.distinct_id), PERSON_COLUMNS), PERSON_COLUMNS);
    const taken = time.length + EVENT_COLUMNS + PERSON_COLUMNS + 3 * GAP.length;
    // A terminal can become wider while events arrive.
    const room = Math.max(widthOfTerminal(terminal) - taken, MIN_COLUMNS);
    const cells = [
      styled('dim', time, isColored),
      styled(event.event.startsWith('$') ? 'cyan' : 'green', name, isColored),
      person,
      styled('dim', fitted(propertiesOf(event.properties), room), isColored),
    ];
    return cells.join(GAP).trimEnd();
  };
}

/** `2026-11-20 09:30:00.123` by the clock of this machine. */
function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const milliseconds = String(time.getMilliseconds()).padStart(3, '0');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${milliseconds}`;
}

/** What the app itself sends says more than what its SDK adds. */
function propertiesOf(properties: TailedEvent['properties']): string {
  const names = Object.keys(properties);
  const own = names.filter((name) => !name.startsWith('$'));
  const usual = USUAL.filter((name) => Object.hasOwn(properties, name));
  return [...own, ...usual]
    .slice(0, MAX_PROPERTIES)
    .map((name) => `${shown(name)}=${fitted(valueText(properties[name]), VALUE_COLUMNS)}`)
    .join(' ');
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A long text is cut before it is searched.
  return shown(text.slice(0, 8 * VALUE_COLUMNS));
}
