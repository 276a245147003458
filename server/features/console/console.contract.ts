import { z } from 'zod';
import { projectBasics } from '../projects/projects.contract.ts';
import { currentUser } from '../users/users.contract.ts';

/** One of the two: a one-time token from a console link, or a personal key. */
const signInBody = z
  .object({
    token: z.string().min(1).optional(),
    personal_api_key: z.string().min(1).optional(),
  })
  .refine((body) => body.token !== undefined || body.personal_api_key !== undefined, {
    path: ['token'],
    message: 'A sign-in token or a personal API key is required.',
    params: { error: 'required' },
  });

export const consoleSession = z.object({
  user: currentUser,
  projects: z.array(projectBasics),
  current_project_id: z.int(),
  version: z.string(),
});

export const serverInfo = z.object({
  version: z.string(),
  url: z.string(),
  port: z.int(),
  host: z.string(),
  listens_beyond_loopback: z.boolean(),
  /** Addresses of this machine in its networks, for phones and other machines. */
  lan_addresses: z.array(z.string()),
  /** Name of the database file; null when nothing is on disk. */
  data_file: z.string().nullable(),
  data_dir: z.string().nullable(),
  ephemeral: z.boolean(),
  /** Bytes that questions may take at most; set when the server starts. */
  memory_limit: z.int(),
  started_at: z.string(),
});
export type ServerInfo = z.output<typeof serverInfo>;

/** An empty body: a link signs in its requester. */
const signInLinkBody = z.object({});
const signInLink = z.object({ console_url: z.string() });

export const consoleApi = {
  'POST /api/burrow/session/': { body: signInBody, response: consoleSession },
  'GET /api/burrow/session/': { response: consoleSession },
  'DELETE /api/burrow/session/': { response: null },
  'POST /api/burrow/sign_in_links/': { body: signInLinkBody, response: signInLink },
  'GET /api/burrow/server/': { response: serverInfo },
};
