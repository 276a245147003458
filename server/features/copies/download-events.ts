import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Imports, ShownImport } from '../imports/index.ts';
import { readEvents, type SourceEvent } from './copy-events.ts';
import { sendGroupTypes } from './copy-people.ts';
import { CopyError } from './host-client.ts';
import type { RunParts } from './run-copy.ts';

/** Milliseconds between two looks at the import. */
const LOOK_MS = 200;

/** Reads all events of a host into the file of an import, and imports it like every other file. */
export async function downloadEvents(
  parts: RunParts,
  imports: Pick<Imports, 'find' | 'addDownloaded' | 'endDownload' | 'start' | 'cancel' | 'remove'>,
  { actor, project, importId }: { actor: Actor; project: ProjectRef; importId: string },
): Promise<void> {
  const { source, state, save, signal } = parts;
  const find = (): Promise<ShownImport> => imports.find(project.id, importId).catch(asCopyError);
  let found = await find();
  if (found.state === 'downloading') {
    for await (const page of readEvents(source, state, state.event)) {
      const rows = page.map(lineOf).join('');
      const progress = Math.min(
        1,
        (state.downloaded.events + page.length) / Math.max(1, state.totals.events),
      );
      state.downloaded.bytes = await imports
        .addDownloaded(found, state.downloaded.bytes, rows, progress)
        .catch(asCopyError);
      state.downloaded.events += page.length;
      const { at, uuid, distinctId } = page.at(-1)!;
      state.event = { at, uuid };
      state.distinctId ??= distinctId;
      await save();
    }
    // A host without events has no file.
    if (state.downloaded.events === 0) return await imports.remove(found);
    await imports.endDownload(found, state.downloaded.bytes);
    found = await find();
  }
  // Types of groups get their index by their order of arrival.
  await sendGroupTypes(parts);
  if (found.state === 'uploaded' || found.state === 'failed' || found.state === 'canceled')
    found = await imports.start(actor, project, found, { format: 'posthog' }, false).catch(asCopyError);
  while (found.state === 'running') {
    state.copied.events = found.report?.events ?? 0;
    try {
      await sleep(LOOK_MS, undefined, { signal });
    } catch (error) {
      await imports.cancel(found);
      throw error;
    }
    found = await find();
  }
  if (found.state !== 'done')
    throw new CopyError(`The import of the events has ended: ${found.problem ?? found.state}.`);
  state.copied.events = found.report?.events ?? 0;
}

/** As PostHog's batch exports write events. */
function lineOf({ uuid, event, distinctId, timestamp, properties, elementsChain }: SourceEvent): string {
  const members = [
    `"uuid":${JSON.stringify(uuid)}`,
    `"event":${JSON.stringify(event)}`,
    `"distinct_id":${JSON.stringify(distinctId)}`,
    `"timestamp":${JSON.stringify(timestamp)}`,
    // Ends of lines are only between the members of stored JSON.
    `"properties":${properties.replaceAll(/[\r\n]+/g, ' ')}`,
    `"elements_chain":${JSON.stringify(elementsChain)}`,
  ];
  return `{${members.join(',')}}\n`;
}

/** What imports refuse is a sentence for the user of the copy. */
function asCopyError(error: unknown): never {
  throw error instanceof ApiError ? new CopyError(error.message) : error;
}
