import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A request to the public surface (capture, flags, remote config, static files...), on bare node:http: Express is too
 * slow for these routes (test/bench shows it). The paths come from the same feature list as all others.
 */
export interface PublicRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** Without query and without trailing slash. */
  readonly path: string;
  /** The raw query text, without `?`. */
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  /** Unix ms. */
  readonly receivedAt: number;
  /** First address of X-Forwarded-For, else the socket's (ingestion contract 1.9). */
  readonly clientIp: string;
}

/** One row of the public route table. Every path answers with and without a trailing slash, never with a redirect. */
export interface PublicRoute {
  methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /** Exact paths without trailing slash; a segment may be `:name`, the last may be `*name` (the rest of the path). */
  paths: readonly string[];
  /** Body of the answer to OPTIONS: capture paths answer 200 with a body, others 204 (ingestion contract 1.3). */
  preflight: 'capture' | 'empty';
  /** One sentence for the generated documents. */
  summary: string;
  handle(request: PublicRequest): void | Promise<void>;
  /** Called after each preflight response. */
  preflighted?(req: IncomingMessage, path: string): void;
}
