import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import {
  callOutside,
  hostAndPort,
  OutsideError,
  type OutsideAnswer,
  type OutsideCall,
  type Resolve,
} from '../../outgoing/call-outside.ts';
import { recordActivity } from '../activity-log/index.ts';
import type { ServerSettings } from '../server-settings/index.ts';
import { purpose as purposes, type OutgoingPurpose } from './outgoing.contract.ts';

/** The last call of a purpose; without its path, which may be a secret. */
const lastCall = z.object({
  /** Unix milliseconds. */
  at: z.number(),
  host: z.string(),
  status: z.number().nullable(),
  problem: z.string().nullable(),
});
export type LastCall = z.output<typeof lastCall>;

/** What became of a call. `isFinal`: another try would end the same way. */
export interface CallResult {
  readonly status: number | null;
  /** Null: it arrived. */
  readonly problem: string | null;
  readonly isFinal: boolean;
}

/** Calls to other machines: each purpose is off until an owner turns it on. */
export interface Outgoing {
  list(): { purpose: OutgoingPurpose; isOn: boolean; lastCall: LastCall | null }[];
  isOn(purpose: OutgoingPurpose): boolean;
  set(actor: Actor, purpose: OutgoingPurpose, isOn: boolean): Promise<void>;
  /** Sends JSON where the purpose is on, and keeps when and how it ended. */
  send(purpose: OutgoingPurpose, url: string, body: object, signal?: AbortSignal): Promise<CallResult>;
  /** The same for JSON text of up to some megabytes, compressed. */
  sendCompressed(
    purpose: OutgoingPurpose,
    url: string,
    json: string,
    signal?: AbortSignal,
  ): Promise<CallResult>;
  /** Calls a host and reads its answer, where the purpose is on; keeps when and how it ended. Throws OutsideError. */
  request(purpose: OutgoingPurpose, call: HostRequest): Promise<OutsideAnswer>;
}

/** A request whose answer is read. */
export type HostRequest = Omit<OutsideCall, 'userAgent' | 'contentType'> & { limitMs: number };

export interface OutgoingParts {
  db: Db;
  settings: ServerSettings;
  clock: Clock;
  newId: NewId;
  log: Log;
  version: string;
  /** Left out: the system resolves names. */
  resolve?: Resolve;
}

const switchName = (purpose: OutgoingPurpose) => `outgoing_${purpose}`;
const callName = (purpose: OutgoingPurpose) => `outgoing_${purpose}_last`;
const TOO_OFTEN = 429;
const TIMED_OUT = 408;
/** A large body on a slow line. */
const COMPRESSED_LIMIT_MS = 60_000;
const MAX_COMPRESSED_BYTES = 33_554_432;
const compress = promisify(gzip);
const NOTE_MS = 1_000;
const turnedOff = 'Calls for this purpose are turned off under Settings > Privacy.';

export async function createOutgoing(parts: OutgoingParts): Promise<Outgoing> {
  const { db, settings, clock, newId, log, version, resolve } = parts;
  const on = new Set<OutgoingPurpose>();
  const calls = new Map<OutgoingPurpose, LastCall>();
  for (const purpose of purposes.options) {
    if ((await settings.find(switchName(purpose))) === true) on.add(purpose);
    const kept = lastCall.safeParse(await settings.find(callName(purpose)));
    if (kept.success) calls.set(purpose, kept.data);
  }

  async function call(request: OutsideCall, limitMs?: number): Promise<CallResult> {
    try {
      const { status } = await callOutside(request, {
        ...(resolve !== undefined && { resolve }),
        ...(limitMs !== undefined && { limitMs }),
      });
      if (status >= 200 && status < 300) return { status, problem: null, isFinal: true };
      const isFinal = status < 500 && status !== TOO_OFTEN && status !== TIMED_OUT;
      return { status, problem: `It answered with status ${status}.`, isFinal };
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return { status: null, problem: error.message, isFinal: error.isFinal };
    }
  }

  async function send(
    purpose: OutgoingPurpose,
    request: Omit<OutsideCall, 'method' | 'contentType' | 'userAgent'>,
    limitMs?: number,
  ): Promise<CallResult> {
    if (!on.has(purpose)) return { status: null, problem: turnedOff, isFinal: true };
    const own = { method: 'POST', contentType: 'application/json', userAgent: `Burrow/${version}` } as const;
    const result = await call({ ...request, ...own }, limitMs);
    await note(purpose, request.url, result);
    return result;
  }

  /** What became of a call counts, even if the settings cannot keep it. */
  async function note(
    purpose: OutgoingPurpose,
    url: string,
    result: Pick<CallResult, 'status' | 'problem'>,
  ): Promise<void> {
    const last = { at: clock(), host: hostAndPort(url), status: result.status, problem: result.problem };
    calls.set(purpose, last);
    await settings
      .save(callName(purpose), last)
      .catch((error: unknown) => log.error({ err: error }, 'The last outgoing call was not kept'));
  }

  return {
    list: () =>
      purposes.options.map((purpose) => ({
        purpose,
        isOn: on.has(purpose),
        lastCall: calls.get(purpose) ?? null,
      })),
    isOn: (purpose) => on.has(purpose),
    async set(actor, purpose, isOn) {
      const before = on.has(purpose);
      if (before === isOn) return;
      await db.transaction(async (tx) => {
        await settings.save(switchName(purpose), isOn, tx);
        await recordActivity(tx, {
          id: newId(),
          now: clock(),
          organizationId: actor.organizationId,
          projectId: null,
          userId: actor.user.id,
          activity: 'updated',
          scope: 'Organization',
          itemId: actor.organizationId,
          name: null,
          changes: [
            { type: 'Organization', action: 'changed', field: switchName(purpose), before, after: isOn },
          ],
        });
      });
      if (isOn) on.add(purpose);
      else on.delete(purpose);
    },
    send: (purpose, url, body, signal) => send(purpose, { url, body: JSON.stringify(body), signal }),
    async sendCompressed(purpose, url, json, signal) {
      const body = await compress(json);
      const form = { headers: { 'Content-Encoding': 'gzip' }, maxBodyBytes: MAX_COMPRESSED_BYTES };
      return await send(purpose, { url, body, signal, ...form }, COMPRESSED_LIMIT_MS);
    },
    async request(purpose, { limitMs, ...rest }) {
      if (!on.has(purpose)) throw new OutsideError(turnedOff, true);
      const request = { ...rest, contentType: 'application/json', userAgent: `Burrow/${version}` };
      try {
        const answer = await callOutside(request, { limitMs, ...(resolve === undefined ? {} : { resolve }) });
        const problem = answer.status < 400 ? null : `It answered with status ${answer.status}.`;
        // A copy calls some thousand times: what went well is kept once a second at most.
        const kept = calls.get(purpose);
        if (problem !== null || kept?.problem !== null || clock() - kept.at >= NOTE_MS)
          await note(purpose, rest.url, { status: answer.status, problem });
        return answer;
      } catch (error) {
        if (error instanceof OutsideError && !rest.signal?.aborted)
          await note(purpose, rest.url, { status: null, problem: error.message });
        throw error;
      }
    },
  };
}
