import { z } from 'zod';

/** What the server tells the process that started it. */
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
  z.object({ type: z.literal('sign-in'), id: z.int(), consoleUrl: z.url() }),
]);

export type ServerMessage = z.infer<typeof serverMessage>;

/** What the shell asks of the server: a console address with a one-time token, or to stop in good order. */
export type ShellMessage = { type: 'sign-in'; id: number } | { type: 'drain' };
