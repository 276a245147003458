import type { OwnerContext } from '../../db/owner.ts';
import type { Call, StoreParticipant } from './commit-participant.ts';
import { createBackups } from './backup.ts';
import { createErasure } from './erasure.ts';
import { readPendingErasures } from './erasures.ts';
import { createEventSizes, type StoredEvents } from './event-sizes.ts';
import type { EventWriter } from './event-writer.ts';
import { readFileBlocks } from './free-space.ts';
import type { MaintenanceTask } from './maintenance-task.ts';
import { createProjectRemoval } from './project-removal.ts';
import { createProjectWipe } from './project-wipe.ts';
import { previewRetention } from './retention-preview.ts';
import type { RetentionLimits } from './retention-plan.ts';
import { createRetention, type RetentionState } from './retention.ts';
import type { RowTurns } from './row-turns.ts';

/** The files as they are now. */
export interface FileState {
  fileBytes: number;
  walBytes: number;
  /** Unix ms, or null when this process has made none. */
  lastCheckpoint: number | null;
}

/** What the store takes of the disk, and what is still to leave it. */
export interface StorageReport extends FileState {
  blockBytes: number;
  usedBlocks: number;
  freeBlocks: number;
  erasures: { pending: number; oldest: number | null };
  /** Of projects that have events. */
  projects: ({ projectId: number } & StoredEvents)[];
}

/** What is kept, what goes, and what it takes: the tasks of maintenance for it, and the answers about it. */
export interface Upkeep {
  tasks: readonly MaintenanceTask[];
  calls: Readonly<Record<string, Call>>;
  /** Ends what would keep the store from closing. */
  stop(): Promise<void>;
  close(): void;
}

export interface UpkeepOptions {
  context: OwnerContext;
  writer: Pick<EventWriter, 'betweenCommits'>;
  turns: RowTurns;
  participants: readonly Pick<StoreParticipant, 'settle' | 'forgetProject' | 'beforeWipe'>[];
  /** Told how many events retention, or the deletion of a project, has deleted. */
  onDeleted: (events: number, projectId: number) => void;
  /** Told, between two commits, that a project has no event any more. */
  onWiped: (events: number, projectId: number) => void;
  /** Counts the events anew. */
  recount: () => Promise<void>;
  readFiles: () => Promise<FileState>;
  /** Writes what waits to be written. */
  flush: () => Promise<void> | null;
  /** Moves, settles and checkpoints everything now. */
  tidy: () => Promise<void>;
}

export async function openUpkeep(options: UpkeepOptions): Promise<Upkeep> {
  const { context, turns } = options;
  const { clock, log, path, resources } = context;
  const reading = await context.connect();
  const sizes = createEventSizes(reading, clock);
  const retention = createRetention({
    connection: await context.connect(),
    turns,
    resources,
    sizes,
    onDeleted: options.onDeleted,
    clock,
    log,
  });
  const removal = createProjectRemoval({
    connection: await context.connect(),
    turns,
    participants: options.participants,
    resources,
    onDeleted: options.onDeleted,
    clock,
    log,
  });
  const wipe = createProjectWipe({
    connection: await context.connect(),
    turns,
    writer: options.writer,
    participants: options.participants,
    resources,
    onWiped: options.onWiped,
    clock,
  });
  const erasure = createErasure({
    connection: await context.connect(),
    writer: options.writer,
    turns,
    participants: options.participants,
    resources,
    path,
    onBegin: options.recount,
    log,
  });

  const backups = createBackups({
    connect: () => context.connect(),
    writer: options.writer,
    resources,
    flush: options.flush,
  });

  async function report(): Promise<StorageReport> {
    const { blockBytes, used, free } = await readFileBlocks(reading);
    const { count, oldest } = await readPendingErasures(reading);
    const projects = [...(await sizes.readAll())].map(([projectId, stored]) => ({ projectId, ...stored }));
    return {
      ...(await options.readFiles()),
      blockBytes,
      usedBlocks: used,
      freeBlocks: free,
      erasures: { pending: count, oldest },
      projects,
    };
  }

  return {
    tasks: [retention, removal, erasure],
    calls: {
      'storage.report': () => resources.whileAsked(report),
      'storage.compact': () => resources.whileMoving(options.tidy),
      'backups.make': ({ path: file }: { path: string }) => backups.make(file),
      'backups.read': ({ path: file }: { path: string }) => resources.whileAsked(() => backups.read(file)),
      'projects.wipe': ({ projectId }: { projectId: number }) => wipe.wipe(projectId),
      'projects.remove': ({ projectId }: { projectId: number }) => removal.remove(projectId),
      'retention.apply': async () => retention.apply(),
      'retention.state': async ({ projectId }: { projectId: number }): Promise<RetentionState> =>
        retention.state(projectId),
      'retention.preview': ({ projectId, limits }: { projectId: number; limits: RetentionLimits }) =>
        resources.whileAsked(() =>
          previewRetention(() => context.connect(), sizes, projectId, limits, clock()),
        ),
    },
    stop: () => backups.stop(),
    close() {
      wipe.close();
      reading.closeSync();
    },
  };
}
