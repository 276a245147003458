import type { OwnerContext } from '../../db/owner.ts';
import type { Call, StoreParticipant } from './commit-participant.ts';
import { createBackups } from './backup.ts';
import { createErasureJob } from './erasure-job.ts';
import { readPendingErasures } from './erasure-requests.ts';
import { createEventSizes, type StoredEvents } from './event-sizes.ts';
import type { EventWriter } from './event-writer.ts';
import { readFileBlocks } from './free-space.ts';
import type { MaintenanceTask } from './maintenance-task.ts';
import { createProjectRemovalJob } from './project-removal-job.ts';
import { createProjectWipe } from './project-wipe.ts';
import { previewRetention } from './retention-preview.ts';
import type { RetentionLimits } from './retention-plan.ts';
import { createRetention, type RetentionState } from './retention.ts';
import type { StreamHold } from './stream-hold.ts';
import type { TableWriteLock } from './table-write-lock.ts';

/** The files as they are now. */
export interface FileState {
  fileBytes: number;
  walBytes: number;
  /** Unix ms, or null before the first checkpoint of this process. */
  lastCheckpoint: number | null;
}

/** Disk usage of the store, and pending deletions. */
export interface StorageReport extends FileState {
  blockBytes: number;
  usedBlocks: number;
  freeBlocks: number;
  erasures: { pending: number; oldest: number | null };
  /** Of projects that have events. */
  projects: ({ projectId: number } & StoredEvents)[];
}

/** Retention, erasure, backups and disk usage: the maintenance tasks and the calls about them. */
export interface Upkeep {
  tasks: readonly MaintenanceTask[];
  calls: Readonly<Record<string, Call>>;
  /** Stops work that would delay closing the store. */
  stop(): Promise<void>;
  close(): void;
}

export interface UpkeepOptions {
  context: OwnerContext;
  writer: Pick<EventWriter, 'betweenCommits'>;
  writeLock: TableWriteLock;
  hold: StreamHold;
  participants: readonly Pick<StoreParticipant, 'settle' | 'forgetProject' | 'beforeWipe'>[];
  /** Called with the number of events deleted by retention or by the deletion of a project. */
  onDeleted: (events: number, projectId: number) => void;
  /** Called between two commits when a project has no events any more. */
  onWiped: (events: number, projectId: number) => void;
  /** Recounts the events. */
  recount: () => Promise<void>;
  readFiles: () => Promise<FileState>;
  /** Writes pending changes. */
  flush: () => Promise<void> | null;
  /** Compacts, settles and checkpoints everything now. */
  tidy: () => Promise<void>;
}

export async function openUpkeep(options: UpkeepOptions): Promise<Upkeep> {
  const { context, writeLock } = options;
  const { clock, log, path, resources } = context;
  const reading = await context.connect();
  const sizes = createEventSizes(reading, clock);
  const retention = createRetention({
    connection: await context.connect(),
    writeLock,
    resources,
    sizes,
    hold: options.hold,
    onDeleted: options.onDeleted,
    clock,
    log,
  });
  const removal = createProjectRemovalJob({
    connection: await context.connect(),
    writeLock,
    participants: options.participants,
    resources,
    onDeleted: options.onDeleted,
    clock,
    log,
  });
  const wipe = createProjectWipe({
    connection: await context.connect(),
    writeLock,
    writer: options.writer,
    participants: options.participants,
    resources,
    onWiped: options.onWiped,
    clock,
  });
  const erasure = createErasureJob({
    connection: await context.connect(),
    writer: options.writer,
    writeLock,
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
      'storage.report': () => resources.whileQuerying(report),
      'storage.compact': () => resources.whileMoving(options.tidy),
      'backups.make': ({ path: file }: { path: string }) => backups.make(file),
      'backups.read': ({ path: file }: { path: string }) => resources.whileQuerying(() => backups.read(file)),
      'projects.wipe': ({ projectId }: { projectId: number }) => wipe.wipe(projectId),
      'projects.remove': ({ projectId }: { projectId: number }) => removal.remove(projectId),
      'retention.apply': async () => retention.apply(),
      'retention.state': async ({ projectId }: { projectId: number }): Promise<RetentionState> =>
        retention.state(projectId),
      'retention.preview': ({ projectId, limits }: { projectId: number; limits: RetentionLimits }) =>
        resources.whileQuerying(() =>
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
