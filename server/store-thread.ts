import { parentPort } from 'node:worker_threads';
import type { Port } from './db/messages.ts';
import { serveStore } from './serve-store.ts';

// The thread that owns the database. It is a composition root like app.ts: what lives beside the database is listed in
// serve-store.ts.
serveStore(parentPort as unknown as Port);
