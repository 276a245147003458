import { z } from 'zod';

/** Messages from the server to the process that started it. */
export const serverMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    url: z.url(),
    port: z.int(),
    version: z.string(),
    /** Null when nothing is kept on disk. */
    dataDir: z.string().nullable().default(null),
  }),
  z.object({ type: z.literal('failed'), message: z.string(), exitCode: z.int() }),
  /** What it does before it is ready: "Replaying 390 MB of the write-ahead log". */
  z.object({ type: z.literal('progress'), step: z.string(), dataDir: z.string().nullable() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('sign-in'), id: z.int(), consoleUrl: z.url() }),
]);

export type ServerMessage = z.infer<typeof serverMessage>;

/**
 * What the shell sends to the server: a request for a console address with a one-time token, to stop in good order, to
 * answer immediately, and why it was started again.
 */
export type ShellMessage =
  | { type: 'sign-in'; id: number }
  | { type: 'drain' }
  | { type: 'ping' }
  | { type: 'restarted'; reason: RestartReason };

/** `silent`: the server did not answer and was killed. `ended`: its process ended by itself. */
export type RestartReason = 'silent' | 'ended';
