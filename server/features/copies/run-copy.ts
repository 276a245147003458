import { setTimeout as sleep } from 'node:timers/promises';
import { moment, readRange, sendEvents } from './copy-events.ts';
import { copyDefinitions, countDefinitions, LABELS, noteLeftBehind } from './copy-definitions.ts';
import { completeGroups, completePersons, MARK, sendGroupTypes } from './copy-people.ts';
import { DEFINITION_KINDS, leaveOut, type CopyState, type Phase } from './copy-state.ts';
import { RefusedByHost, type HostClient } from './host-client.ts';

/** Milliseconds between two looks at whether what was sent has arrived. */
const LOOK_MS = 500;
/** Looks without a new event after which the copy goes on: a host may take hours to show history. */
const PATIENT_LOOKS = 20;

export interface RunParts {
  copyId: string;
  source: HostClient;
  target: HostClient;
  state: CopyState;
  isDryRun: boolean;
  save: () => Promise<void>;
  signal: AbortSignal;
  /** Brings the events over. */
  copyEvents?: (parts: RunParts) => Promise<void>;
}

/** Copies a project, from the phase in which it was on. Throws CopyError. */
export async function runCopy(parts: RunParts): Promise<void> {
  const { state, isDryRun, save } = parts;
  const phases: [Phase, () => Promise<void>][] = [
    ['start', () => start(parts)],
    ['events', () => (parts.copyEvents ?? sendAll)(parts)],
    ['persons', () => completePersons(parts)],
    ['groups', () => completeGroups(parts)],
    ['definitions', () => copyDefinitions(parts)],
    ['check', () => check(parts)],
  ];
  for (const [at, [phase, run]] of phases.entries()) {
    if (state.phase !== phase) continue;
    await run();
    if (isDryRun) return;
    state.phase = phases[at + 1]?.[0] ?? 'done';
    await save();
  }
}

async function start({ source, target, state, isDryRun }: RunParts): Promise<void> {
  state.notCopied = [];
  await readRange(source, state);
  state.totals.persons = (await countOf(source, 'SELECT count() FROM persons LIMIT 1')) ?? 0;
  state.totals.groups = (await countOf(source, 'SELECT count() FROM groups LIMIT 1')) ?? 0;
  await countDefinitions(source, state);
  await noteLeftBehind(source, state);
  if (!isDryRun) await compareSettings(source, target, state);
}

/** Settings that change what insights answer. */
async function compareSettings(source: HostClient, target: HostClient, state: CopyState): Promise<void> {
  const [own, other] = (await Promise.all([source.get(''), target.get('')])) as Record<string, unknown>[];
  for (const [field, label] of [
    ['timezone', 'the time zone'],
    ['week_start_day', 'the first day of the week'],
    ['test_account_filters', 'the filters of test accounts'],
  ] as const)
    if (JSON.stringify(own?.[field] ?? null) !== JSON.stringify(other?.[field] ?? null))
      leaveOut(state, 'settings of the project', `${label} differs on both sides, and insights follow it.`);
}

async function sendAll(parts: RunParts): Promise<void> {
  const { source, target, state, signal } = parts;
  await sendGroupTypes(parts);
  await sendEvents(source, target, state, parts);
  await waitUntilSeen(target, state, signal);
}

/** Until the target shows what was sent, or shows no more. */
async function waitUntilSeen(target: HostClient, state: CopyState, signal: AbortSignal): Promise<void> {
  let before = -1;
  for (let looks = 0; looks < PATIENT_LOOKS; looks++) {
    const seen = await countEvents(target, state);
    if (seen === null || seen >= state.totals.events) return;
    if (seen !== before) looks = 0;
    before = seen;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** Events of the copied time, without those of a copy itself. */
async function countEvents(client: HostClient, { first, last }: CopyState): Promise<number | null> {
  if (first === null || last === null) return 0;
  return await countOf(
    client,
    `SELECT count() FROM events WHERE timestamp >= ${moment(first)} AND timestamp <= ${moment(last)}
       AND (properties.${MARK} IS NULL OR properties.${MARK} NOT LIKE 'burrow-copy-%') LIMIT 1`,
  );
}

/** null: the key may not read it. */
async function countOf(client: HostClient, query: string): Promise<number | null> {
  try {
    const [row] = await client.rows(query);
    return Number(row?.[0] ?? 0);
  } catch (error) {
    if (error instanceof RefusedByHost && error.status === 403) return null;
    throw error;
  }
}

/** Counts both sides; what cannot be read is said. */
async function check({ source, target, state }: RunParts): Promise<void> {
  state.checks = [];
  const compare = async (what: string, query: string): Promise<void> => {
    const [own, other] = await Promise.all([countOf(source, query), countOf(target, query)]);
    state.checks.push({ what, source: own, target: other });
  };
  state.checks.push({
    what: 'events',
    source: state.totals.events,
    target: await countEvents(target, state),
  });
  await compare('persons', 'SELECT count() FROM persons LIMIT 1');
  await compare('distinct IDs', 'SELECT count() FROM person_distinct_ids LIMIT 1');
  await compare('groups', 'SELECT count() FROM groups LIMIT 1');
  const paths = { insights: 'insights/?basic=true' } as Partial<Record<string, string>>;
  for (const kind of DEFINITION_KINDS) {
    const mapped = Object.values(state.ids[kind]);
    const there = new Set<string>();
    for await (const one of target.list(paths[kind] ?? `${kind}/`)) there.add(String(one['id']));
    state.checks.push({
      what: LABELS[kind],
      source: mapped.length,
      target: mapped.filter((id) => there.has(id)).length,
    });
  }
}
