import { z } from 'zod';
import { serverOptions, type OptionChanges } from './channels.ts';

/** Messages from the server to the process that started it. */
export const serverMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    url: z.url(),
    port: z.int(),
    version: z.string(),
    /** Null when nothing is kept on disk. */
    dataDir: z.string().nullable().default(null),
    /** `--port`, `BURROW_PORT` or `settings.json`; null: none is set. */
    portSource: z.string().nullable().default(null),
  }),
  z.object({
    type: z.literal('failed'),
    message: z.string(),
    exitCode: z.int(),
    reason: z
      .enum(['port', 'folder_in_use', 'damaged', 'read_only', 'disk_full', 'settings', 'other'])
      .default('other'),
    /** The port that cannot be had, where another one may be; null: it is not about that. */
    port: z.int().nullable().default(null),
    /** Null when nothing is kept on disk, or the options cannot be read. */
    dataDir: z.string().nullable().default(null),
  }),
  /** A backup is in the place of the database. */
  z.object({ type: z.literal('restored'), text: z.string() }),
  /** What it does before it is ready: "Replaying 390 MB of the write-ahead log". */
  z.object({ type: z.literal('progress'), step: z.string(), dataDir: z.string().nullable() }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('status'),
    /** Of all projects, in about the last 60 seconds. */
    eventsPerMinute: z.number(),
    /** Null: events are stored. `until` in Unix milliseconds; null: until capture is resumed. */
    pause: z.object({ until: z.number().nullable() }).nullable(),
    /** The first project. */
    projectId: z.int(),
    projectApiKey: z.string(),
  }),
  /** What users have to see: the disk is full, the log was damaged, the first event of a project has arrived, an alert. */
  z.object({
    type: z.literal('notice'),
    title: z.string(),
    text: z.string(),
    /** The path of the console that shows more; null: none. */
    path: z
      .string()
      .regex(/^\/(?!\/)/)
      .nullable()
      .default(null),
  }),
  z.object({ type: z.literal('sign-in'), id: z.int(), consoleUrl: z.url() }),
  /** What a file holds; null: it is no backup of Burrow. */
  z.object({ type: z.literal('backup'), id: z.int(), events: z.int().nullable() }),
  /** A restore has begun, which ends with another `ready`; else why not, as a sentence. */
  z.object({ type: z.literal('restoring'), id: z.int(), problem: z.string().nullable() }),
  /** The options of the server, and why changes of them were not written. */
  z.object({ type: z.literal('options'), id: z.int(), ...serverOptions.shape }),
]);

export type ServerMessage = z.infer<typeof serverMessage>;
/** Why a server cannot start. */
export type FailureReason = Extract<ServerMessage, { type: 'failed' }>['reason'];

/**
 * What the shell sends to the server: a request for a console address with a one-time token, for its options after
 * changes of them, to stop in good order, to answer immediately, why it was started again, a request for its status, and to
 * pause or resume capture.
 */
export type ShellMessage =
  | { type: 'sign-in'; id: number }
  /** Reads what a file holds, or puts it in the place of the database; an absolute path. */
  | { type: 'read-backup'; id: number; file: string }
  | { type: 'restore-backup'; id: number; file: string }
  /** Null: changes nothing. */
  | { type: 'options'; id: number; changes: OptionChanges | null }
  | { type: 'drain' }
  | { type: 'ping' }
  | { type: 'status' }
  /** Minutes; null: until it is resumed. */
  | { type: 'pause'; minutes: number | null }
  | { type: 'resume' }
  | { type: 'restarted'; reason: RestartReason };

/** `silent`: the server did not answer and was killed. `ended`: its process ended by itself. */
export type RestartReason = 'silent' | 'ended';
